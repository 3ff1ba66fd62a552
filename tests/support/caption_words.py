"""Words of labelled captions: what words of people say, and where a caption says a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: What words of people say besides that somebody is there (docs/claims.md): ``*`` adds it.
PEOPLE: dict[str, dict[str, str]] = {
    **{word: {"gender": "female"} for word in (
        "woman", "lady", "waitress", "businesswoman", "ballerina", "bride", "policewoman",
    )},
    **{word: {"gender": "male"} for word in (
        "man", "gentleman", "guy", "waiter", "fisherman", "businessman", "cowboy", "policeman",
        "bloke",
    )},
    **{word: {"gender": "female", "age": "child"} for word in ("girl", "schoolgirl")},
    **{word: {"gender": "male", "age": "child"} for word in ("boy", "schoolboy")},
    **{word: {"age": "child"} for word in ("child", "kid", "baby", "toddler", "infant")},
    **{word: {"age": "teenager"} for word in ("teenager", "teen", "adolescent")},
    **{word: {"gender": "female", "age": "elderly"} for word in ("grandmother", "granny")},
    **{word: {"gender": "male", "age": "elderly"} for word in ("grandfather", "grandpa")},
    **{word: {"age": "elderly"} for word in ("pensioner", "senior")},
    "adult": {"age": "adult"},
}  # fmt: skip

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip

_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "mouse": "mice",
    "foot": "feet", "goose": "geese", "fisherman": "fishermen", "tooth": "teeth",
    "policeman": "policemen", "businessman": "businessmen", "gentleman": "gentlemen",
}  # fmt: skip

#: Phrases of relations, places and ranks, as patterns; other phrases are quoted.
_PHRASES = {
    "left_of": r"(to the |on the |at the )?left( of)?",
    "right_of": r"(to the |on the |at the )?right( of)?",
    "above": r"above|over(head)?",
    "below": r"below|under(neath)?|beneath",
    "in_front_of": r"in front of",
    "behind": r"behind",
    "next_to": r"next to|beside|near|by|close to|alongside|against|nearby",
    "on": r"on top of|on|atop|onto",
    "inside": r"inside|in|within|filled with|full of|contains|containing|holds",
    "between": r"between",
    "larger": r"(larger|bigger|taller) than|larger|bigger|taller",
    "smaller": r"(smaller|shorter) than|smaller|shorter",
    "same_size": r"same size|as (big|large|tall) as|equal in size|same height",
    "nearer": r"(nearer|closer)( than)?",
    "farther": r"(farther|further)( away)?( than)?",
    "holds": r"holding|holds?|held|carrying|carries|carry|carried",
}


def _nouns(lemma: str) -> Iterator[str]:
    """A noun's singular and plurals."""
    *before, last = lemma.split()
    forms = [last, last + "s", last + "es"]
    forms += [_PLURALS[last]] if last in _PLURALS else []
    forms += [last[:-1] + "ies"] if last.endswith("y") else []
    forms += [last.removesuffix("fe").removesuffix("f") + "ves"] if last[-2:] == "fe" else []
    forms += [last[:-1] + "ves"] if last.endswith("f") else []
    for form in forms:
        yield " ".join([*before, form])


def _verbs(lemma: str) -> Iterator[str]:
    """A regular verb's forms, and the participles of *lie* and its like."""
    stem = lemma.removesuffix("e")
    yield from (lemma, lemma + "s", lemma + "es", stem + "ing", stem + "ed", lemma + "ed")
    yield from (lemma + lemma[-1] + "ing", lemma + lemma[-1] + "ed", lemma + "ing")
    if lemma.endswith("y"):
        yield from (lemma[:-1] + "ies", lemma[:-1] + "ied")
    if lemma.endswith("ie"):
        yield lemma[:-2] + "ying"


def places(text: str, pattern: str) -> list[tuple[int, int]]:
    """Return where a pattern stands in a text as whole words, whatever their case."""
    found = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    return [match.span() for match in found]


def _pattern(words: Sequence[str]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in ordered)


def where_said(
    text: str, kind: str, subject: str, parts: tuple[str | None, str | None, str | None]
) -> list[tuple[int, int]]:
    """Return the places of a text that may say a claim whose label quotes nothing."""
    relation, thing, value = parts
    tries: list[str] = []
    if kind == "garment":
        tries.append(_pattern(list(_nouns(str(thing)))))
    elif kind == "action":
        tries.append(_pattern(list(_verbs(str(value).split()[0]))))
    elif kind == "relation":
        tries.append(_PHRASES[str(relation)])
    elif kind == "count":
        words = [str(value)]
        if str(value).isdigit() and int(str(value)) < len(NUMBERS):
            words.append(NUMBERS[int(str(value))])
        tries.append(_pattern(words))
    elif kind in ("attribute", "place", "scene"):
        tries.append(_pattern([str(value)]))
    if kind in ("object", "attribute", "rank") and relation != "color":
        tries.append(_pattern(list(_nouns(subject))))
    return next((found for each in tries if (found := places(text, each))), [])
