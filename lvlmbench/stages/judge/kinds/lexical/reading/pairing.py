"""Adjectives apart from their nouns: "Red: the car, the ball", "red and blue, respectively"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.alike import alike
from lvlmbench.stages.judge.kinds.lexical.reading.hung import (
    BE,
    LINKS,
    says,
    segments,
    shades,
    shares,
)
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.titles import stretches

_LED = frozenset(
    ("in", "the", "all", "and", "things", "objects", "items", "everything", "made", "of")
)
#: Words that may follow the adjectives behind a noun.
_AFTER = frozenset({"with", "without", "save", "except", "all", "but", "apart", "over"})


def paired(text: Text) -> Text:
    """Say of which nouns such adjectives are, in place, and return the text."""
    before: list[Token] = []
    for stretch in stretches(text):
        if any(each.low == "respectively" for each in stretch):
            _respective(text, stretch)
            continue
        at = next((n for n, each in enumerate(stretch[:5]) if each.low == ":"), 0)
        title = [each for each in stretch[:at] if each.low not in _LED]
        if title and all(says(text, each) for each in title):
            for noun in _nouns(text, stretch[at + 1 :]):
                text.told += [(noun, each) for each in title]
        elif not at:
            _alone(text, stretch)
        _shares(text, stretch)
        _fronted(text, stretch)
        alike(text, stretch, before)
        before = stretch
    return text


def _fronted(text: Text, stretch: list[Token]) -> None:
    """ "Red is the kettle", "yellow the walls", "tall and sooty rises the chimney"."""
    for at, each in enumerate(stretch):
        begins = not at or stretch[at - 1].low in (",", ";", "and", "but")
        if not begins or not says(text, each):
            continue
        said = [each]
        rest = at + 1
        while rest < len(stretch) and (
            says(text, stretch[rest]) or stretch[rest].low in ("and", "too", "even", "also")
        ):
            said += [stretch[rest]] if says(text, stretch[rest]) else []
            rest += 1
        verb = stretch[rest] if rest < len(stretch) else each
        rest += verb.low in BE or (
            verb.low.endswith("s") and verb.i > each.i and rest < len(stretch)
        )
        if rest < len(stretch) and stretch[rest].low in ("the", "its", "his", "her", "their"):
            found = _nouns(text, stretch[rest:])[:1]
            names = text.lexicon.maps["adjectives.names"]
            text.maybe += [
                (noun, word) for noun in found if noun.lemma not in names for word in said
            ]


def _shares(text: Text, stretch: list[Token]) -> None:
    """ "Two cushions, one quilted, the other plain", "a cat, ginger with white paws"."""
    before: Token | None = None
    for words, mark in segments(stretch):
        if shared := shares(text, words):
            text.maybe += [(shared[0], each) for each in shared[1:]]
        elif mark == "," and before is not None and (said := _first(text, words)):
            text.maybe += [(before, each) for each in said]
        before = words[-1] if words[-1].noun and not says(text, words[-1]) else None


def _first(text: Text, words: list[Token]) -> list[Token]:
    """The adjectives that words begin with, before a preposition."""
    out: list[Token] = []
    for each in words:
        if says(text, each):
            out.append(each)
        elif out and each.low in _AFTER:
            return out
        elif each.low not in LINKS and not shades(text, each) and each.tag != "RB":
            return []
    return []


def _nouns(text: Text, words: list[Token]) -> list[Token]:
    """The nouns of a list, as long as it is one."""
    out: list[Token] = []
    for each in words:
        if each.low in (".", ";", ":") or (each.verb and not says(text, each)):
            break
        leads = each.head.noun and each.head.i == each.i + 1
        if each.noun and not leads and not says(text, each):
            out.append(each)
    return out


def _respective(text: Text, words: list[Token]) -> None:
    """ "The car and the boat are red and blue, respectively"."""
    first = next((n for n, each in enumerate(words) if says(text, each)), 0)
    at = next((n for n, each in enumerate(words) if each.low in BE), first)
    nouns = _nouns(text, words[:at])
    said = [each for each in words[at:] if says(text, each)]
    if len(nouns) == len(said) > 1:
        text.told += list(zip(nouns, said, strict=True))
        text.apart.update(each.i for each in said)


def _alone(text: Text, words: list[Token]) -> None:
    """ "Buttons! … Lilac, maroon, beige.": of what was named last."""
    core = [each for each in words if each.low not in (",", ".", "!", "and", ";", "or")]
    if not core or not all(says(text, each) for each in core):
        return
    for each in reversed(text.tokens[: words[0].i]):
        if each.noun and not says(text, each):
            text.told += [(each, word) for word in core]
            return
