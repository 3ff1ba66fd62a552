"""Holding questions about composed scenes against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from support.composed_sample import FOLDER, Row, Sample
from support.oracle.names import names_in
from support.oracle.picture import Picture, from_layout
from support.oracle.verdict import judged


def only(sample: Sample, skills: Iterable[str]) -> Sample:
    """Return a sample's scenes of some skills."""
    names = {*skills}
    kept = [name in names for name in sample.scenes["subtask"].to_pylist()]
    return replace(sample, scenes=sample.scenes.filter(kept))


def pictures(sample: Sample) -> dict[str, Picture]:
    """Return what the oracle sees of each scene, by id."""
    side, names = sample.params.render.size, names_in(FOLDER)
    return {
        scene["scene_id"]: from_layout(scene, rows, side, names) for scene, rows in sample.rows()
    }


def faults(sample: Sample, asked: Iterable[Row]) -> Counter[tuple[str, str]]:
    """Return how many questions have which fault in which skill."""
    seen = pictures(sample)
    return Counter(
        (row["subtask"], fault)
        for row in asked
        for fault in {*judged(row, seen[row["scene_id"]]).faults}
    )
