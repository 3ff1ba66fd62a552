"""Adjectives apart from their nouns: "Red: the car, the ball", "red and blue, respectively"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.titles import stretches

_LED = frozenset(
    ("in", "the", "all", "and", "things", "objects", "items", "everything", "made", "of")
)
_BE = frozenset({"is", "are", "was", "were"})


def paired(text: Text) -> Text:
    """Say of which nouns such adjectives are, in place, and return the text."""
    for stretch in stretches(text):
        if any(each.low == "respectively" for each in stretch):
            _respective(text, stretch)
            continue
        at = next((n for n, each in enumerate(stretch[:5]) if each.low == ":"), 0)
        title = [each for each in stretch[:at] if each.low not in _LED]
        if title and all(_says(text, each) for each in title):
            for noun in _nouns(text, stretch[at + 1 :]):
                text.told += [(noun, each) for each in title]
        elif not at:
            _alone(text, stretch)
    return text


def _says(text: Text, word: Token) -> bool:
    return text.lexicon.kinds.get(word.low) is not None


def _nouns(text: Text, words: list[Token]) -> list[Token]:
    """The nouns of a list, as long as it is one."""
    out: list[Token] = []
    for each in words:
        if each.low in (".", ";", ":") or (each.verb and not _says(text, each)):
            break
        leads = each.head.noun and each.head.i == each.i + 1
        if each.noun and not leads and not _says(text, each):
            out.append(each)
    return out


def _respective(text: Text, words: list[Token]) -> None:
    """ "The car and the boat are red and blue, respectively"."""
    at = next((n for n, each in enumerate(words) if each.low in _BE), 0)
    nouns = _nouns(text, words[:at])
    said = [each for each in words[at + 1 :] if _says(text, each)]
    if len(nouns) == len(said) > 1:
        text.told += list(zip(nouns, said, strict=True))
        text.apart.update(each.i for each in said)


def _alone(text: Text, words: list[Token]) -> None:
    """ "Buttons! … Lilac, maroon, beige.": of what was named last."""
    core = [each for each in words if each.low not in (",", ".", "!", "and", ";", "or")]
    if not core or not all(_says(text, each) for each in core):
        return
    for each in reversed(text.tokens[: words[0].i]):
        if each.noun and not _says(text, each):
            text.told += [(each, word) for word in core]
            return
