"""Claims about one panel, of which a question asks in how many of the four they hold, or where."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from support.oracle.phrases import Found, Skill, Unread, read
from support.oracle.picture import Nothing, Picture, Unsure
from support.oracle.places import PANELS
from support.oracle.truth import Truth, every

_ASKS = (
    "In how many of the four pictures {said9}?",
    "Look at all four pictures. In how many of them {said9}?",
)
_ASKS_WHERE = (
    "In which of the four pictures {said9}?",
    "Look at all four pictures. In which one {said9}?",
)
_STATES_WHERE = "In the picture {panel}, {said9}."
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


def claims(skill: Skill, stated: str, asked: str) -> Callable[[Says], Says]:
    """Register a claim, in the words of a statement and of a question."""

    def register(says: Says) -> Says:
        def holds(picture: Picture, pattern: str, clause: str) -> list[Truth]:
            found = read((pattern,), clause, picture)
            return [_holds(says(panel, found)) for panel in four(picture)]

        @skill.reads(*_ASKS)
        def _how_many(picture: Picture, found: Found, option: str) -> Truth:
            return _number(holds(picture, asked, found["said9"]), _chosen(option))

        @skill.reads(*_ASKS_WHERE)
        def _where(picture: Picture, found: Found, option: str) -> Truth:
            panel = read(("the one {panel}",), option, picture)["panel"]
            return holds(picture, asked, found["said9"])[PANELS.index(panel)]

        @skill.reads(_STATES_WHERE)
        def _there(picture: Picture, found: Found, option: str) -> Truth:
            return holds(picture, stated, found["said9"])[PANELS.index(found["panel"])]

        def state(sentence: str, claimed: int) -> None:
            @skill.reads(sentence)
            def _stated(picture: Picture, found: Found, option: str) -> Truth:
                return _number(holds(picture, stated, found["said9"]), claimed)

        for sentence, claimed in _STATES.items():
            state(sentence, claimed)
        return says

    return register


def _chosen(option: str) -> int:
    if not option.isdigit():
        raise Unread(option)
    return int(option)


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
