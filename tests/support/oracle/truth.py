"""Three values: True, False, and None where a careful person would not be sure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Truth: TypeAlias = bool | None


def both(*values: Truth) -> Truth:
    """Return whether all hold: one that does not is enough for no."""
    return every(values)


def every(values: Iterable[Truth]) -> Truth:
    """Return whether all hold."""
    unsure = False
    for value in values:
        if value is False:
            return False
        unsure = unsure or value is None
    return None if unsure else True


def some(values: Iterable[Truth]) -> Truth:
    """Return whether one holds at least."""
    unsure = False
    for value in values:
        if value is True:
            return True
        unsure = unsure or value is None
    return None if unsure else False


def no(value: Truth) -> Truth:
    """Return the opposite."""
    return None if value is None else not value


def reaches(value: float, yes: float, never: float) -> Truth:
    """Return whether a quantity is large: from one bound on, and not up to the other."""
    return True if value >= yes else False if value <= never else None
