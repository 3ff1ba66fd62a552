"""People: one of them, by what nobody else wears, holds or does, and what most of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from support.exam.oracle import persons
from support.exam.oracle.persons import Person
from support.exam.oracle.reading import NOUNS, family, only, plural_label
from support.oracle import places
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Picture, Thing, Unsure
from support.oracle.truth import Truth, both

#: Share of a person from which on all that is worn can be seen.
_WHOLE = 0.9
#: How a person stands to another one, as it is said, and as it is judged.
_FROM = {
    "to the left of": "to the left of",
    "to the right of": "to the right of",
    "above": "above",
    "below": "below",
    "next to": "right next to",
}
_BESIDE = re.compile(
    rf"(?:(?P<facts>.+) and is |is )?(?P<side>{'|'.join(_FROM)}) the (?:one|person) "
    r"(?:who is )?(?P<other>.+)"
)


def _people(picture: Picture) -> list[tuple[Thing, Person]]:
    """All people; of each, all but a bit must be seen: what is hidden may be a scarf."""
    found = []
    for one in picture.things:
        if one.person is None or one.there is False:
            continue
        if one.visible < _WHOLE:
            raise Unsure("somebody is partly hidden")
        found.append((one, one.person))
    return found


def _who(picture: Picture, words: str) -> tuple[Thing, Person]:
    """The one person whom words name: "the person wearing a cap"."""
    people = _people(picture)
    if picture.elsewhere("person") is None:
        raise Unsure("people around")
    if not words.startswith("the person"):
        raise Unread(words)
    said = words.removeprefix("the person").removeprefix(" who is").removeprefix(" ")
    beside = _BESIDE.fullmatch(said)
    if not said:
        judged: dict[int, Truth] = {one.number: True for one, _ in people}
    elif beside is None:
        judged = {one.number: persons.are_so(each, said) for one, each in people}
    else:
        other, _ = _who(picture, f"the person {beside['other']}")
        judged = {
            one.number: both(
                places.stands(one, _FROM[beside["side"]], other),
                persons.are_so(each, beside["facts"]) if beside["facts"] else True,
            )
            for one, each in people
        }
    found = only(judged, picture, words)
    return next((one, each) for one, each in people if one == found)


#: A question about a person, who is named where {who} stands -> what an option says of them.
Says = Callable[[Person, str], Truth]


def _wears(person: Person, option: str) -> Truth:
    return persons.wears(person, *persons.garment(option))


_ABOUT: Mapping[str, Says] = {
    "What is {who} doing?": persons.does,
    "Which of these is {who} doing?": persons.does,
    "What is {who} holding?": persons.holds,
    "What does {who} have in one hand?": persons.holds,
    "What is in {who}'s hand?": persons.holds,
    "Which of these is {who} holding?": persons.holds,
    "Which of these does {who} also have on?": _wears,
    "Which of these does {who} have on as well?": _wears,
    "Which of these does {who} have on?": _wears,
    "Which of these is {who} wearing?": _wears,
    "How does {who} look?": persons.looks,
    "What facial expression does {who} have?": persons.looks,
    "What is the expression on the face of {who}?": persons.looks,
    "Which of these does {who} have?": persons.has_hair,
    "What hairstyle does {who} have?": persons.has_hair,
    "What is {who}'s hair like?": persons.has_hair,
    "What color hair does {who} have?": persons.hair_is,
    "What color is {who}'s hair?": persons.hair_is,
    "What is the hair color of {who}?": persons.hair_is,
}
#: The same about a garment.
_GARMENT = (
    "What color {name} does {who} have on?",
    "What is the color of the {name} that {who} has on?",
    "What color [is|are] {who}'s {name}?",
    "What color {name} is {who} wearing?",
)
_LEADS = ("Look at {said}. ", "In the picture, find {said}. ", "Find {said}. ")


def _forms(form: str) -> list[str]:
    """Wordings with the person named in the question, or before it."""
    return [
        form.replace("{who}", "{said}"),
        *(lead + form.replace("{who}", "this person") for lead in _LEADS),
    ]


def _register(form: str, says: Says) -> None:
    @family("people").reads(*_forms(form))
    def _about(picture: Picture, found: Found, option: str) -> Truth:
        return says(_who(picture, found["said"])[1], option)


for _form, _says in _ABOUT.items():
    _register(_form, _says)


@family("people").reads(*(each for form in _GARMENT for each in _forms(form)))
def _garment(picture: Picture, found: Found, option: str) -> Truth:
    _, person = _who(picture, found["said"])
    return persons.color_of(person, persons.kind_of(found["name"]), option)


def _most(picture: Picture, says: Says, option: str) -> Truth:
    """Whether something holds of more than half of all people."""
    if picture.elsewhere("person") is None:
        raise Unsure("people around")
    return _majority([says(person, option) for _, person in _people(picture)])


def _majority(found: list[Truth]) -> Truth:
    least = found.count(True)
    most = least + found.count(None)
    return True if 2 * least > len(found) else False if 2 * most <= len(found) else None


_OF_MOST: Mapping[Says, tuple[str, ...]] = {
    persons.does: (
        "What are most of the people in the picture doing?",
        "More than half of the people are doing the same thing. What are they doing?",
        "Which of these are most of the people doing?",
    ),
    persons.holds: (
        "What are most of the people in the picture holding?",
        "More than half of the people are holding the same kind of thing. What is it?",
        "Which of these are most of the people holding?",
    ),
    _wears: (
        "Which of these are most of the people in the picture wearing?",
        "Which of these do more than half of the people have on?",
    ),
    persons.wears_color: (
        "Which color appears in the clothes of most of the people?",
        "More than half of the people are wearing something in the same color. What color is it?",
        "Which of these colors are most of the people wearing?",
    ),
    persons.looks: (
        "How do most of the people in the picture look?",
        "What facial expression do most of the people have?",
        "More than half of the people have the same facial expression. Which one is it?",
    ),
    persons.has_hair: (
        "Which of these do most of the people in the picture have?",
        "What hairstyle do most of the people have?",
    ),
    persons.hair_is: (
        "What color hair do most of the people have?",
        "More than half of the people have the same hair color. What color is it?",
    ),
}


def _register_most(says: Says, forms: tuple[str, ...]) -> None:
    @family("majority").reads(*forms)
    def _of_most(picture: Picture, found: Found, option: str) -> Truth:
        return _most(picture, says, option)


for _says, _each in _OF_MOST.items():
    _register_most(_says, _each)


@family("majority").reads(
    "What color are most of the {name} in the picture?",
    "What color are more than half of the {name}?",
    "Most of the {name} are the same color. What color is it?",
)
def _color_of_most(picture: Picture, found: Found, option: str) -> Truth:
    if option not in picture.names.colors:
        raise Unread(option)
    things = picture.clear()
    if found["name"].removesuffix("s") not in NOUNS:
        label = plural_label(found["name"], picture)
        things = [one for one in things if picture.called(one, label) is not False]
    return _majority([picture.colored(one, option) for one in things])
