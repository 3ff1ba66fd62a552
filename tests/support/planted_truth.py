"""Layouts made by hand, and what a picture with them shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import truth_of
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary

SIDE = 1000
Row = dict[str, Any]


@cache
def vocabulary() -> Vocabulary:
    """The project's own."""
    return load_vocabulary(Path(__file__).resolve().parents[2] / "data" / "vocabulary")


def drawn(
    number: int,
    name: str,
    at: tuple[int, int],
    size: int = 200,
    visible: float = 1.0,
    hides: Mapping[int, float] | None = None,
    panel: int = 0,
) -> Row:
    """One instance, by its center, as tall as it is wide."""
    (x, y), half = at, size // 2
    box = {"left": x - half, "top": y - half, "right": x + half, "bottom": y + half}
    return {
        "instance": number,
        "object": name,
        "copy": 0,
        "part": None,
        "panel": panel,
        "box": box if visible else None,
        "visible": visible,
        "pixels": size * size * 6 // 10,
        "hides": [{"instance": n, "share": s} for n, s in (hides or {}).items()],
        "relations": [],
    }


def truth(graph: Graph, *rows: Row) -> Truth:
    """What a picture with these rows shows."""
    return truth_of(graph, rows, SIDE, vocabulary(), renderer="pictograph")


def by_name(found: Truth) -> dict[str, Feature]:
    """Features by name; each stands there once."""
    names = [each.feature for each in found.features]
    assert len({*names}) == len(names)
    return {each.feature: each for each in found.features}
