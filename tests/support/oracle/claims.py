"""Claims about one panel, of which a question asks in how many of the four they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from support.oracle.phrases import Found, Skill, Unread, read
from support.oracle.picture import Nothing, Picture, Unsure
from support.oracle.truth import Truth, every

_ASKS = "{said9}. In how many of the four pictures is that true?"
_ASKS_AFTER = "In how many of the four pictures is this true: {said9}?"
_STATES = {
    "In exactly one of the four pictures, {said9}.": 1,
    "In exactly two of the four pictures, {said9}.": 2,
    "In exactly three of the four pictures, {said9}.": 3,
    "In all four pictures, {said9}.": 4,
}

#: What a claim says of one panel: parts that must all hold, each to be found out by itself.
Parts = Iterable[Callable[[], Truth]]
Says = Callable[[Picture, Found], Parts]


def four(picture: Picture) -> list[Picture]:
    """Return what each of the four panels shows; a picture of another number is unread."""
    if picture.panels != 4:
        raise Unread(f"four pictures? there are {picture.panels}")
    return [picture.within(panel) for panel in range(4)]


def claims(skill: Skill, pattern: str) -> Callable[[Says], Says]:
    """Register a claim, in the words that stand in the middle of a sentence."""

    def register(says: Says) -> Says:
        def number(picture: Picture, clause: str, claimed: int) -> Truth:
            found = read((pattern,), clause, picture)
            return _number([_holds(says(panel, found)) for panel in four(picture)], claimed)

        @skill.reads(_ASKS)
        def _before(picture: Picture, found: Found, option: str) -> Truth:
            return number(picture, _lowered(found["said9"]), _chosen(option))

        @skill.reads(_ASKS_AFTER)
        def _after(picture: Picture, found: Found, option: str) -> Truth:
            return number(picture, found["said9"], _chosen(option))

        for sentence, claimed in _STATES.items():
            _state(skill, sentence, claimed, number)
        return says

    return register


def _state(
    skill: Skill, sentence: str, claimed: int, number: Callable[[Picture, str, int], Truth]
) -> None:
    @skill.reads(sentence)
    def _stated(picture: Picture, found: Found, option: str) -> Truth:
        return number(picture, found["said9"], claimed)


def _chosen(option: str) -> int:
    if not option.isdigit():
        raise Unread(option)
    return int(option)


def _lowered(sentence: str) -> str:
    """A clause, from a sentence: all clauses begin with a word that is not a name."""
    if not sentence[0].isupper():
        raise Unread(sentence)
    return sentence[0].lower() + sentence[1:]


def _holds(parts: Parts) -> Truth:
    """Whether all parts hold in a panel; one that clearly does not is enough for no."""
    return every(_found_out(part) for part in parts)


def _found_out(part: Callable[[], Truth]) -> Truth:
    try:
        return part()
    except Nothing:
        return False
    except Unsure:
        return None


def _number(found: list[Truth], claimed: int) -> Truth:
    """Whether so many hold; unsure where those that are not clear could make it so."""
    least = found.count(True)
    most = least + found.count(None)
    if not least <= claimed <= most:
        return False
    return True if least == most else None
