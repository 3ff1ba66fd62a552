"""Prompts as tokens: pieces that a CLIP encoder reads one after the other.

CLIP reads 77 tokens, two of which mark beginning and end. A longer prompt is read in pieces of
up to 75 tokens, whose embeddings are joined along the sequence. Pieces end after a comma or
another mark where one is near, else after a word: half a word means something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

#: After one of these, followed by a space, a piece ends best.
_MARKS = frozenset(",;.:!?")

#: How good it is to end a piece after a token.
_INSIDE_CHARACTER, _INSIDE_WORD, _WORD, _CLAUSE = range(4)


def tokens_of(text: str, tokenizer: Any) -> tuple[list[int], list[tuple[int, int]]]:
    """Return ids of all tokens of `text`, without begin and end, and where in the text each stands.

    Parameters
    ----------
    text
        Of any length; nothing is cut.
    tokenizer
        A tokenizer of transformers that knows offsets (all "fast" ones do).
    """
    found = tokenizer(
        text,
        add_special_tokens=False,
        truncation=False,
        return_offsets_mapping=True,
        verbose=False,  # a long prompt is no reason for a warning here
    )
    return list(found["input_ids"]), [(int(a), int(b)) for a, b in found["offset_mapping"]]


def _ends(text: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """How good it is to end a piece after each of the tokens."""
    ends = []
    for (start, end), (next_start, _) in pairwise(offsets):
        if text[end:next_start].isspace():
            ends.append(_CLAUSE if text[end - 1 : end] in _MARKS else _WORD)
        else:
            ends.append(_INSIDE_WORD if next_start > start else _INSIDE_CHARACTER)
    return [*ends, _CLAUSE] if offsets else []


def _best(ends: Sequence[int]) -> int:
    """How many of these tokens make a piece, if no more of them fit."""
    last = {kind: i + 1 for i, kind in enumerate(ends)}
    # A clause that would leave more than a third of the piece empty is not worth it.
    if last.get(_CLAUSE, 0) * 3 > len(ends) * 2:
        return last[_CLAUSE]
    whole = max(last.get(_WORD, 0), last.get(_CLAUSE, 0))
    return whole or last.get(_INSIDE_WORD, 0) or len(ends)


def pieces(text: str, tokenizer: Any, room: int) -> list[list[int]]:
    """Return the tokens of `text` in pieces of at most `room`; one empty piece for an empty text.

    Joined, the pieces are the tokens of the whole text. A word is only torn if it alone has more
    than `room` tokens.
    """
    ids, offsets = tokens_of(text, tokenizer)
    ends = _ends(text, offsets)
    found = []
    while len(ids) > room:
        size = _best(ends[:room])
        found.append(ids[:size])
        ids, ends = ids[size:], ends[size:]
    return [*found, ids]
