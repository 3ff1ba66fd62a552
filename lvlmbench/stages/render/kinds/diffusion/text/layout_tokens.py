"""Prompts of TextDiffuser-2: a caption, then each word's box and letters as tokens.

Chen et al., "TextDiffuser-2: Unleashing the Power of Language Models for Text Rendering" (2023),
section 3: the text encoder of Stable Diffusion 1.5 knows tokens for coordinates, ``l12 t40 r80
b60`` (left, top, right, bottom at 128 levels), and for single characters, ``[o] [w] [l]``. The
sequence of 77 is: begin, caption, end, begin, box, characters, end, padding.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Any

from lvlmbench.core.errors import UserError

#: Levels of coordinates that boxes use, and how many the vocabulary holds.
LEVELS, _COORDINATES = 128, 520

#: Characters with a token of their own, in the vocabulary's order.
_CHARACTERS = string.digits + string.ascii_letters + string.punctuation + " "

#: Tokens that the vocabulary of Stable Diffusion 1.5 is extended by, in order.
ADDED = (
    *(f"{side}{level}" for level in range(_COORDINATES) for side in "ltrb"),
    *(f"[{character}]" for character in _CHARACTERS),
)

_FIX = "give a folder whose tokenizer and text encoder are those of TextDiffuser-2"

#: Levels that a letter is wide, and a word at most; a line is this much higher than a letter wide.
_LETTER, _WIDEST, _HIGHER = 13, 112, 1.7

#: Least and greatest height of a line: the middle third of the picture.
_LOW, _HIGH = 14, 42


@dataclass(frozen=True)
class Composed:
    """Token ids of a prompt, as many as the text encoder reads.

    Attributes
    ----------
    tokens, cut
        Length of the whole prompt, and how much of its caption had no room.
    """

    ids: list[int]
    tokens: int
    cut: int


def box_of(word: str) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of a word in the middle of the picture, at 128 levels.

    The paper has a language model plan the layout; here the carrier is asked for in the middle,
    and the word is as wide as its letters need.
    """
    width = min(_LETTER * max(len(word), 2), _WIDEST)
    height = min(max(round(_HIGHER * width / max(len(word), 2)), _LOW), _HIGH)
    left, top = (LEVELS - width) // 2, (LEVELS - height) // 2
    return left, top, left + width, top + height


def extend(tokenizer: Any, known: int, where: str, model: str) -> None:
    """See to it that a CLIP tokenizer has the added tokens.

    The published weights come without a tokenizer of their own: the text encoder goes with that
    of Stable Diffusion 1.5 and the tokens added to it in order.

    Parameters
    ----------
    known
        Tokens that the text encoder has embeddings for.

    Raises
    ------
    UserError
        Tokenizer and text encoder are not those of TextDiffuser-2.
    """
    if any(token not in tokenizer.get_vocab() for token in ADDED) and known > len(tokenizer):
        tokenizer.add_tokens(list(ADDED))
    vocabulary = tokenizer.get_vocab()
    lacking = [token for token in ADDED if token not in vocabulary]
    if lacking:
        what = (
            f"the tokenizer of '{model}' lacks the tokens of layouts and letters "
            f"('{lacking[0]}' and {len(lacking) - 1} more)"
        )
        raise UserError(where, what, _FIX)
    if len(tokenizer) != known:
        what = (
            f"'{model}' has {len(tokenizer)} tokens with those of layouts and letters, and its "
            f"text encoder knows {known}"
        )
        raise UserError(where, what, _FIX)


def compose(tokenizer: Any, caption: str, word: str, length: int) -> Composed:
    """Return the prompt of one word; the caption is cut where both have no room.

    Parameters
    ----------
    tokenizer
        One with the added tokens.
    length
        Tokens that the text encoder reads.

    Raises
    ------
    UserError
        The word is too long, or holds a character without a token.
    """
    vocabulary = tokenizer.get_vocab()
    begin, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    unknown = [character for character in word if f"[{character}]" not in vocabulary]
    if unknown:
        what = f"TextDiffuser-2 has no token for {unknown[0]!r} in '{word}'"
        raise UserError("render.diffusion.text: engine", what, "write 'composite'")
    box = [f"{side}{level}" for side, level in zip("ltrb", box_of(word), strict=True)]
    drawn = [vocabulary[token] for token in (*box, *(f"[{character}]" for character in word))]
    room = length - len(drawn) - 4
    if room < 0:
        what = f"'{word}' is too long for TextDiffuser-2"
        raise UserError("render.diffusion.text: engine", what, "write 'composite'")
    said = tokenizer(caption, add_special_tokens=False).input_ids
    ids = [begin, *said[:room], end, begin, *drawn, end]
    padded = ids + [_padding(tokenizer)] * (length - len(ids))
    return Composed(padded, len(said) + len(drawn), max(len(said) - room, 0))


def negated(tokenizer: Any, negative: str, length: int) -> Composed:
    """Return the negative prompt: a caption without words; nothing but padding for an empty one."""
    said = tokenizer(negative, add_special_tokens=False).input_ids if negative else []
    ids = [tokenizer.bos_token_id, *said[: length - 2], tokenizer.eos_token_id] if said else []
    padded = ids + [_padding(tokenizer)] * (length - len(ids))
    return Composed(padded, len(said), max(len(said) - (length - 2), 0))


def _padding(tokenizer: Any) -> int:
    found = tokenizer.pad_token_id
    return int(tokenizer.eos_token_id if found is None else found)
