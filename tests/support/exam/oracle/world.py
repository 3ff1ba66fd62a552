"""What the oracle sees of an exam's picture, by its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.oracle.names import names_in
from support.oracle.picture import Picture, from_layout

FOLDER = Path(__file__).resolve().parents[4] / "data" / "vocabulary"


def picture_of(scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]], side: int) -> Picture:
    """Return a picture by rows of the tables scenes and layouts."""
    return from_layout(scene, layout, side, names_in(FOLDER))
