"""What is so in the pictures of each subset, and what counts there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lvlmbench.scene.claims import Scope, Truth
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import from_rows, measured_of
from lvlmbench.suites.suite import suite_of
from support.valor_scenes import described


@dataclass(frozen=True)
class Subset:
    """The scenes of a subset.

    Attributes
    ----------
    scope
        What of an answer counts.
    truths
        Scene -> what is so in its picture, as the table ``truth`` and its layout have it.
    """

    name: str
    scope: Scope
    truths: Mapping[str, Truth]


def subsets(seed: int, scenes: int) -> list[Subset]:
    """Draw so many scenes a subset; those that cannot be drawn are left out."""
    made = described(scenes, seed)
    side = made.params.render.size
    found = []
    for name, scope in suite_of(made.params).scopes(made.params).items():
        truths = {}
        for scene in made.of(name):
            known = scene["scene_id"]
            geometry = measured_of(Graph.of(scene), made.layouts[known], side)
            truths[known] = from_rows(made.truth[known], geometry)
        found.append(Subset(name, scope, truths))
    return found
