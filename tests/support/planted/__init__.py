"""Planted faults: items made wrong on purpose, and how many of them each filter finds.

Not part of the test suite, because it takes minutes: ``python -m tests.support.planted``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from lvlmbench.scene.graph import Graph


def with_another(scene: Mapping[str, Any], aspect: str, label: str) -> dict[str, Any]:
    """A scene with another foreground, text, background or style: in its graph, which is drawn,
    and in the flat column."""
    graph = Graph.of(scene)
    if aspect in ("background", "style"):
        graph = replace(graph, setting=replace(graph.setting, **{aspect: label}))
    else:
        is_text = aspect == "text"
        main = replace(graph.main, text=label) if is_text else replace(graph.main, label=label)
        graph = replace(graph, objects=(main, *graph.objects[1:]))
    return {**scene, aspect: label, **graph.row()}


@dataclass(frozen=True)
class Outcome:
    """What a filter did with items that have a fault, and with as many that have none.

    Attributes
    ----------
    filter, engine
        What judged.
    fault
        What is wrong with the faulty items.
    faulty, caught
        How many there were, and how many of them it removed.
    good, rejected
        The same of good items.
    """

    filter: str
    engine: str
    fault: str
    faulty: int
    caught: int
    good: int
    rejected: int

    @property
    def recall(self) -> float:
        """Share of the faulty items that was removed."""
        return self.caught / self.faulty if self.faulty else float("nan")

    @property
    def precision(self) -> float:
        """Share of faulty ones among all items that were removed."""
        removed = self.caught + self.rejected
        return self.caught / removed if removed else float("nan")

    @property
    def false_rejections(self) -> float:
        """Share of the good items that was removed."""
        return self.rejected / self.good if self.good else float("nan")

    def row(self) -> dict[str, object]:
        """All of it, for a line of JSON."""
        shares = {
            "recall": self.recall,
            "precision": self.precision,
            "false_rejections": self.false_rejections,
        }
        return asdict(self) | {name: round(share, 4) for name, share in shares.items()}
