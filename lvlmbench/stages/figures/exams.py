"""What an examiner planned, as figures look at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from lvlmbench import tables
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import NotApplicable

Row: TypeAlias = Mapping[str, Any]


def planned(snapshot: Snapshot) -> list[Row]:
    """Return the rows of the table ``descriptions``, in their order.

    Raises
    ------
    NotApplicable
        There is none.
    """
    folder = snapshot.folder(tables.DESCRIPTIONS)
    rows: list[Row] = tables.read(folder, tables.DESCRIPTIONS).to_pylist()
    if not rows:
        raise NotApplicable("No examiner planned the pictures of this suite.")
    return rows


def described(snapshot: Snapshot) -> list[Row]:
    """Return those of :func:`planned` that say what a picture is to show.

    Raises
    ------
    NotApplicable
        There is none.
    """
    rows = [row for row in planned(snapshot) if row["status"] == "made"]
    if not rows:
        raise NotApplicable("No picture could be described.")
    return rows


def levels_in(rows: Iterable[Row]) -> list[str]:
    """Return the levels of some rows, easy ones first."""
    found = {row["level"] for row in rows} - {None}
    return [name for name in LEVELS if name in found] + sorted(found - {*LEVELS})
