"""What the oracle sees of an exam's picture, by its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.oracle.names import names_in
from support.oracle.picture import Picture, from_layout

FOLDER = Path(__file__).resolve().parents[4] / "data" / "vocabulary"


def picture_of(scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]], side: int) -> Picture:
    """Return a picture by rows of the tables scenes and layouts.

    What a thing is, and which color it has, is as it was drawn where the layout says so.
    """
    planned = from_layout(scene, layout, side, names_in(FOLDER))
    drawn = {row["instance"]: row for row in layout if row["part"] is None}
    things = [
        replace(one, label=drawn[one.number]["label"], color=drawn[one.number]["fill"])
        if drawn[one.number]["label"] is not None
        else one
        for one in planned.things
    ]
    return Picture(scene, things, planned.names)
