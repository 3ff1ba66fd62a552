"""The one value that decides: forms of it, and others of its kind that are easily said instead."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.kit import TaskKit

#: By how much somebody counts or reads amiss.
_MISSES = (1, 2)
#: As charts write months -> as people write them.
MONTHS = {
    "Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April", "Jun": "June",
    "Jul": "July", "Aug": "August", "Sep": "September", "Oct": "October", "Nov": "November",
    "Dec": "December",
}  # fmt: skip
#: The same of days.
DAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday",
    "Sat": "Saturday", "Sun": "Sunday",
}  # fmt: skip
#: As charts write several -> one of them.
SINGULAR = {
    "apples": "apple", "pears": "pear", "plums": "plum", "figs": "fig", "kiwis": "kiwi",
    "limes": "lime", "dates": "date", "mangos": "mango", "Hawks": "Hawk", "Bears": "Bear",
    "Otters": "Otter", "Wolves": "Wolf", "Crows": "Crow", "Foxes": "Fox", "Moles": "Mole",
    "robots": "robot",
}  # fmt: skip


def number(value: int) -> tuple[str, ...]:
    """Return forms of a number: as digits, in words, in groups of three digits."""
    return tuple(dict.fromkeys([*accepted(str(value)), f"{value:,}"]))


def entry(name: str) -> tuple[str, ...]:
    """Return forms of what an axis or a column is called: "Jul" and "July", "figs" and "fig"."""
    known = [each[name] for each in (MONTHS, DAYS, SINGULAR) if name in each]
    return (name, *known)


def entries(names: Iterable[str], right: str) -> tuple[str, ...]:
    """Return forms of all names but the right one."""
    return tuple(form for name in names if name != right for form in entry(name))


def clock(hour: int, minute: int) -> tuple[str, ...]:
    """Return forms of a time on a dial, which tells no morning from an afternoon."""
    hours = dict.fromkeys((str(hour), f"{hour:02}", str(hour % 12 + 12), f"{hour % 12:02}"))
    return tuple(f"{each}{sign}{minute:02}" for sign in ":." for each in hours)


def misread(value: int, *shown: int) -> tuple[str, ...]:
    """Return numbers that somebody may give for one: those that are shown, and near ones."""
    near = [value + sign * step for step in _MISSES for sign in (1, -1)]
    return _numbers([*near, *shown], value)


def miscounted(value: int, *shown: int) -> tuple[str, ...]:
    """Return the same of what was counted."""
    return tuple(each for each in misread(value, *shown) if int(each) >= 0)


def colors(kit: TaskKit, color: str) -> tuple[str, ...]:
    """Return all other colors."""
    return tuple(each for each in kit.stock.colors if each != color)


def things(kit: TaskKit, world: World, label: str) -> tuple[str, ...]:
    """Return what all other things that a picture shows are called."""
    found = {one.object.label: one.object.list for one in world.instances}
    return tuple(
        form for each, name in found.items() if each != label for form in kit.forms(name, each)
    )


def apart(rivals: Iterable[str], forms: Iterable[str], told: str) -> tuple[str, ...]:
    """Return the rivals that are no form of the right value, nor said beside it.

    ``told`` is what the reference and earlier turns tell: what they name was asked about ("left of
    the fox") or leads to the value ("3 + 4 = 7").
    """
    said = " ".join([*forms, told])
    unique = {each.casefold(): each for each in reversed([*rivals])}
    kept = [each for each in unique.values() if not any(_in(w, said) for w in accepted(each))]
    return tuple(kept[::-1])


def _numbers(values: Iterable[int], right: int) -> tuple[str, ...]:
    return tuple(str(value) for value in dict.fromkeys(values) if value != right)


def _in(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.])-?{re.escape(word)}(?!\w|[.,]\d)", text, re.I) is not None
