"""Features as rows of the table truth, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from lvlmbench.scene.claims import Feature, Geometry, Truth

#: Columns that are parts of a feature.
NAMES = tuple(each.name for each in fields(Feature))


def row_of(scene_id: str, feature: Feature, closed: bool) -> dict[str, Any]:
    """Return a feature of a scene as a row of :data:`lvlmbench.tables.TRUTH`."""
    row = {name: getattr(feature, name) for name in NAMES}
    return {**row, "scene_id": scene_id, "forms": list(feature.forms), "closed": closed}


def feature_of(row: Mapping[str, Any]) -> Feature:
    """Return the feature of a row as :func:`row_of` gives it."""
    given = {name: row[name] for name in NAMES}
    return Feature(**{**given, "forms": tuple(row["forms"])})


def from_rows(rows: Iterable[Mapping[str, Any]], geometry: Geometry | None = None) -> Truth:
    """Return what the rows of one scene say; what has no row is not known to be all.

    Parameters
    ----------
    geometry
        What was measured, which is in no row: :func:`.geometry.measured_of` finds it again.
    """
    found = [*rows]
    closed = bool(found) and all(row["closed"] for row in found)
    annotated = closed and all(row["source"] == "given" for row in found)
    return Truth(tuple(map(feature_of, found)), closed, geometry, annotated)
