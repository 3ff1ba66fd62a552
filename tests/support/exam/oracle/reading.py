"""Which wordings are read for which family of questions, and how things are named in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from support.oracle import places
from support.oracle.names import Names
from support.oracle.phrases import Skill, Unread
from support.oracle.picture import Nothing, Picture, Thing, Unsure
from support.oracle.truth import Truth, both, every

#: Relations by which a thing is named, or of which a condition speaks.
SIDES = ("to the left of", "to the right of", "above", "below")

#: How labels start of which the first letter does not tell the article: "an hourglass".
_EITHER = ("u", "h", "one", "eu")

FAMILIES: dict[str, Skill] = {}


def family(name: str) -> Skill:
    """Return what is read for a family, a new one if need be."""
    return FAMILIES.setdefault(name, Skill(name))


def _one_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(words, key=len, reverse=True))


_PATTERNS: dict[tuple[str, int], re.Pattern[str]] = {}


def _pattern(text: str, names: Names) -> re.Pattern[str]:
    """A pattern in which ``LABEL`` stands for any label and ``SIDE`` for a relation."""
    key = (text, id(names))
    if key not in _PATTERNS:
        made = text.replace("LABEL", f"(?:{_one_of(names.labels)})")
        _PATTERNS[key] = re.compile(made.replace("SIDE", f"(?:{_one_of(SIDES)})"))
    return _PATTERNS[key]


def fits(pattern: str, text: str, picture: Picture) -> Mapping[str, str] | None:
    """Return the groups of a pattern that fits a whole text; None where it does not."""
    found = _pattern(pattern, picture.names).fullmatch(text)
    return None if found is None else found.groupdict()


def the_label(option: str, picture: Picture) -> str:
    """Return the label of an option as "the fox"."""
    found = fits(r"the (?P<label>LABEL)", option, picture)
    if found is None:
        raise Unread(option)
    return found["label"]


def a_label(option: str, picture: Picture) -> str:
    """Return the label of an option as "a fox", "an owl", "jeans"."""
    found = fits(r"(?:(?P<article>an?) )?(?P<label>LABEL)", option, picture)
    if found is None:
        raise Unread(option)
    article, sounds = found["article"], found["label"][0] in "aeiouAEIOU"
    if article and (article == "an") != sounds and not found["label"].startswith(_EITHER):
        raise Unread(f"the article of {option}")
    return found["label"]


def plural_label(option: str, picture: Picture) -> str:
    """Return the label of an option as "foxes"."""
    if option not in picture.names.plurals:
        raise Unread(option)
    return picture.names.plurals[option]


def the(picture: Picture, label: str) -> Thing:
    """Return the one thing of a name, where nothing around the things may be called so.

    Raises
    ------
    Nothing
        There is none.
    Unsure
        There are several, or something around may be called so.
    """
    if picture.elsewhere(label) is None:
        raise Unsure(f"the {label}, or what is around")
    return picture.the(label)


def only(found: Mapping[int, Truth], picture: Picture, what: str) -> Thing:
    """Return the one thing of which something was found, by number.

    Raises
    ------
    Nothing
        It was found of none.
    Unsure
        It was found of several, or may be so.
    """
    there = [one for one in picture.things if found.get(one.number)]
    if None in found.values() or len(there) > 1:
        raise Unsure(what)
    if not there:
        raise Nothing(what)
    return there[0]


def conditions(words: str, picture: Picture) -> list[tuple[str, str]]:
    """Return relations and labels of "above the fox and to the left of the car".

    "It" is what was named before.
    """
    found: list[tuple[str, str]] = []
    for part in re.split(r" and (?=to the |above |below )", words):
        read = fits(r"(?P<side>SIDE) (?:(?P<it>it)|the (?P<label>LABEL))", part, picture)
        if read is None or (read["it"] and not found):
            raise Unread(words)
        found.append((read["side"], read["label"] or found[-1][1]))
    return found


def stands(one: Thing, told: Iterable[tuple[str, str]], picture: Picture) -> Truth:
    """Return whether a thing stands to things of these labels as is told."""
    return every([places.stands(one, side, the(picture, label)) for side, label in told])


def referred(picture: Picture, words: str) -> Thing:
    """Return the thing that words name: "the fox", "the thing that is above the car".

    Raises
    ------
    Unread
        The words are not known.
    Nothing, Unsure
        They name none, or there is no telling which.
    """
    named = fits(r"the (?P<label>LABEL)", words, picture)
    if named is not None:
        return the(picture, named["label"])
    placed = fits(r"the thing that is (?P<where>.+)", words, picture)
    if placed is not None:
        told = conditions(placed["where"], picture)
        found = {
            one.number: both(one.there, stands(one, told, picture))
            for one in picture.things
            if one.there is not False
        }
        return only(found, picture, words)
    return _of_few(picture, words)


_OF_TWO = {
    "the thing on the left in the picture": "to the left of",
    "the thing on the right in the picture": "to the right of",
    "the upper one of the two things in the picture": "above",
    "the lower one of the two things in the picture": "below",
    "the larger one of the two things in the picture": "larger than",
    "the smaller one of the two things in the picture": "smaller than",
}


def _of_few(picture: Picture, words: str) -> Thing:
    """One of at most two things, named without any label."""
    there = picture.clear()
    if words == "the thing in the picture":
        return only({one.number: one.there for one in there}, picture, words)
    if words not in _OF_TWO:
        raise Unread(words)
    if len(there) != 2:
        raise Unsure(f"{words}, of {len(there)}")
    first, second = there
    relation = _OF_TWO[words]
    return only(
        {
            first.number: places.stands(first, relation, second),
            second.number: places.stands(second, relation, first),
        },
        picture,
        words,
    )
