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
    """A pattern in which ``LABEL`` stands for any label, ``SIDE`` for a relation, and ``NOUN``
    for what things of some lists are called.
    """
    key = (text, id(names))
    if key not in _PATTERNS:
        made = text.replace("LABEL", f"(?:{_one_of(names.labels)})")
        made = made.replace("NOUN", f"(?:{_one_of(NOUNS)})")
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

    "It" is what was named before. "Above both" is said once for two, "above and to the left of" of
    one.
    """
    twice = fits(r"(?P<side>SIDE) both the (?P<a>LABEL) and the (?P<b>LABEL)", words, picture)
    if twice is not None:
        return [(twice["side"], twice["a"]), (twice["side"], twice["b"])]
    corner = fits(r"(?P<a>SIDE) and (?P<b>SIDE) the (?P<label>LABEL)", words, picture)
    if corner is not None:
        return [(corner["a"], corner["label"]), (corner["b"], corner["label"])]
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
    """Return the thing that words name: "the fox", "the animal above the car".

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
    placed = fits(r"the (?P<noun>NOUN)(?: that is)? (?P<where>SIDE .+)", words, picture)
    if placed is not None:
        told = conditions(placed["where"], picture)
        found = {
            one.number: both(one.there, stands(one, told, picture))
            for one in picture.things
            if one.there is not False
        }
        return _called(only(found, picture, words), placed["noun"], picture)
    return _of_few(picture, words)


#: What things are called, as people call those of some lists of the vocabulary.
NOUNS: Mapping[str, tuple[str, ...]] = {
    "thing": ("object", "food", "clothes", "plant", "carrier"),
    "animal": ("animal",),
    "plant": ("plant",),
    "living thing": ("animal", "plant"),
    "food item": ("food",),
}


def called(label: str, noun: str, picture: Picture) -> None:
    """Check that what a label names may be called so.

    Raises
    ------
    Unread
        Nobody calls it so.
    """
    if not {*NOUNS[noun]} & picture.names.lists(label):
        raise Unread(f"the {label} is no {noun}")


def _called(one: Thing, noun: str, picture: Picture) -> Thing:
    called(one.label, noun, picture)
    return one


_OF_TWO = {
    "on the left": "to the left of",
    "on the right": "to the right of",
    "upper": "above",
    "lower": "below",
    "larger": "larger than",
    "smaller": "smaller than",
}


def _of_few(picture: Picture, words: str) -> Thing:
    """One of at most two things, named without any label."""
    there = picture.clear()
    alone = fits(r"the (?P<noun>NOUN) in the picture", words, picture)
    if alone is not None:
        found = only({one.number: one.there for one in there}, picture, words)
        return _called(found, alone["noun"], picture)
    said = fits(
        r"the (?P<a>NOUN) (?P<side>on the left|on the right) in the picture", words, picture
    ) or fits(
        r"the (?P<side>upper|lower|larger|smaller) of the two (?P<a>NOUN)s in the picture",
        words,
        picture,
    )
    if said is None:
        raise Unread(words)
    if len(there) != 2:
        raise Unsure(f"{words}, of {len(there)}")
    first, second = (_called(one, said["a"], picture) for one in there)
    relation = _OF_TWO[said["side"]]
    return only(
        {
            first.number: places.stands(first, relation, second),
            second.number: places.stands(second, relation, first),
        },
        picture,
        words,
    )
