"""Answers that are labels with values: "object: bucket, number: three, background: library"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.text import Flat
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base

_THINGS = (
    "object", "animal", "plant", "food", "landmark", "clothes", "clothing", "carrier", "person",
    "celebrity", "profession", "movie", "anime", "tv show", "item", "subject", "foreground",
)  # fmt: skip
_COUNTS = ("number", "count", "quantity")
_SCENES = {
    "background": "background",
    "setting": "background",
    "style": "style",
    "weather": "weather",
}
_ATTRIBUTES = {
    "color": "color", "colour": "color", "material": "material", "size": "size", "text": "text",
    "age": "age",
    "age group": "age", "gender": "gender", "expression": "expression",
    "facial expression": "expression",
    "race": "race", "skin tone": "race", "shape": "shape", "pattern": "pattern",
}  # fmt: skip
#: Keys that speak of what other lines name.
_OF_SOMETHING = (*_ATTRIBUTES, "clothes", "clothing", "action")
_KEYS = (*_THINGS, *_COUNTS, *_SCENES, *_ATTRIBUTES, "action")
_PAIR = re.compile(
    rf"\b({'|'.join(sorted(_KEYS, key=len, reverse=True))}): *"
    r"([^,;:.\n]{1,60}?)(?= *(?:[,;.\n]|$))",
    re.I,
)
#: A label before its value in a list about something named before it: "car (color: red)".
_KEY = re.compile(
    r"(^|[(,;.]\s*|\n\s*)(?:colou?rs?|materials?|shape|size|pattern|texture|condition|finish)\s*[:=]\s*",
    re.I | re.M,
)
_ARTICLE = re.compile(r"^(?:an?|the|some) +", re.I)
#: Labels that an answer has to have so that it is read as labels.
_LEAST = 2


@dataclass(frozen=True)
class _Pair:
    key: str
    value: str
    start: int
    end: int


def labelled(flat: Flat) -> list[Claim]:
    """Return the claims of labels with values, and blank them out; none where there are few."""
    pairs = [
        _Pair(match[1].lower(), match[2].strip(), *flat.span(*match.span()))
        for match in _PAIR.finditer(flat.text)
        if len(match[2].split()) <= 6
    ]
    if len(pairs) < _LEAST or all(pair.key in _OF_SOMETHING for pair in pairs):
        flat.sub(_KEY, lambda match: match[1])
        return []
    flat.sub(_PAIR, lambda match: " " if len(match[2].split()) <= 6 else None)
    return _numbered(_claims(pairs))


def _numbered(claims: Iterator[Claim]) -> list[Claim]:
    return [replace(claim, number=number) for number, claim in enumerate(claims)]


def _claims(pairs: list[_Pair]) -> Iterator[Claim]:
    thing, number, at = "", None, -1
    for pair in pairs:
        at += 1
        value = _plain(pair.value)
        span = pair.start, pair.end
        if pair.key in _THINGS:
            thing, number = value, at
            yield Claim(at, "object", thing, None, None, None, None, None, *span)
            for relation, said in lexicon().says.get(thing, ()):
                at += 1
                yield _of(at, "attribute", thing, relation, said, number, span)
        elif pair.key in _SCENES:
            yield _of(at, "scene", value, _SCENES[pair.key], value, None, span)
        elif not thing:
            at -= 1
        elif pair.key in _COUNTS:
            count = lexicon().maps["lemmas.numbers"].get(value, value)
            yield _of(at, "count", thing, "count", count, number, span)
        elif pair.key == "action":
            yield _of(at, "action", thing, "does", _verb(value), number, span)
        else:
            yield _of(at, "attribute", thing, _ATTRIBUTES[pair.key], value, number, span)


def _of(
    number: int,
    kind: str,
    subject: str,
    relation: str,
    value: str,
    about: int | None,
    span: tuple[int, int],
) -> Claim:
    return Claim(number, kind, subject, relation, None, value, about, None, *span)


def _plain(value: str) -> str:
    words = _ARTICLE.sub("", value).casefold().split()
    spelling = lexicon().maps["lemmas.spelling"]
    return " ".join(spelling.get(word, word) for word in words)


def _verb(value: str) -> str:
    """The verb of "playing the guitar" in its base form, with its object."""
    first, *rest = value.split()
    return " ".join((base(first), *(word for word in rest if word not in ("a", "an", "the"))))
