"""A renderer that draws some pictures otherwise than described, and tells what it drew.

What it changes can be told from the description: a described thing that is not there, two kinds
that have each other's places or another kind, another color, another number, a planned relation
the other way round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lvlmbench.config import Params
from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.props import PROP
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.renderer import Depiction, Scene
from lvlmbench.suites.graphs.stock import Stock, stock_of

Change = Callable[[Graph, random.Random, Stock], Graph | None]
_SIDES = ("left_of", "right_of", "above", "below", "in_front_of", "behind")


def _things(graph: Graph) -> list[Object]:
    return [t for t in graph.objects if t.list not in (PROP, PERSON) and t.chart is None]


def _with(graph: Graph, old: Object, new: Object) -> Graph:
    return replace(graph, objects=tuple(new if o is old else o for o in graph.objects))


def _removed(graph: Graph, rng: random.Random, stock: Stock) -> Graph | None:
    """A thing is left out that no relation names; of several alike one is left."""
    named = {e for r in graph.relations for e in (r.subject, r.object, r.other)}
    found = [t for t in _things(graph) if t.id not in named]
    if not found or len(graph.objects) < 2:
        return None
    one = rng.choice(found)
    return replace(graph, objects=tuple(o for o in graph.objects if o is not one))


def _swapped(graph: Graph, rng: random.Random, stock: Stock) -> Graph | None:
    """A thing is of another kind, which is not there."""
    found = [t for t in _things(graph) if t.label in stock.by_label]
    here = {thing.label for thing in graph.objects}
    if not found:
        return None
    one = rng.choice(found)
    pool = [
        k for k in stock.kinds
        if k.label not in here and (k.recolorable or one.color is None) and k.plain
    ]  # fmt: skip
    kind = rng.choice(pool)
    return _with(graph, one, replace(one, list=kind.list, label=kind.label, facing=None))


def _recolored(graph: Graph, rng: random.Random, stock: Stock) -> Graph | None:
    found = [t for t in _things(graph) if t.color is not None]
    if not found:
        return None
    one = rng.choice(found)
    here = {thing.color for thing in graph.objects}
    return _with(
        graph, one, replace(one, color=rng.choice([c for c in stock.colors if c not in here]))
    )


def _recounted(graph: Graph, rng: random.Random, stock: Stock) -> Graph | None:
    found = [t for t in _things(graph) if t.instances > 1]
    if not found:
        return None
    one = rng.choice(found)
    return _with(graph, one, replace(one, count=one.instances - 1))


def _moved(graph: Graph, rng: random.Random, stock: Stock) -> Graph | None:
    """Of a planned relation between two single things, the other way round."""
    ids = {t.id for t in graph.objects if t.instances == 1}
    found = [r for r in graph.relations if r.predicate in _SIDES and {r.subject, r.object} <= ids]
    if not found:
        return None
    turned = rng.choice(found)
    pair = {turned.subject, turned.object}

    def other_way(one: Relation) -> Relation:
        both = {one.subject, one.object} == pair and one.other is None
        return replace(one, predicate=CONVERSE.get(one.predicate, one.predicate)) if both else one

    return replace(graph, relations=tuple(map(other_way, graph.relations)))


CHANGES: Mapping[str, Change] = {
    "removed": _removed,
    "swapped": _swapped,
    "recolored": _recolored,
    "recounted": _recounted,
    "moved": _moved,
}


class Faulty(PictographRenderer):
    """Draws a share of all pictures otherwise, each attempt anew.

    Attributes
    ----------
    faults
        Scene id -> what was done to each of its pictures, in their order; None for nothing.
    """

    def __init__(self, params: Params, vocabulary: Vocabulary, share: float = 0.3) -> None:
        super().__init__(params, vocabulary)
        self._share = share
        self._stock = stock_of(vocabulary, self.name)
        self.faults: dict[str, list[str | None]] = {}

    def draw(self, scene: Scene) -> Depiction:
        """Draw a scene, or something else."""
        scene_id = str(scene["scene_id"])
        done = self.faults.setdefault(scene_id.partition("/")[0], [])
        rng = random.Random(f"fault {scene_id} {len(done)}")
        other, name = self._other(scene, rng) if rng.random() < self._share else (scene, None)
        done.append(name)
        return super().draw(other)

    def _other(self, scene: Scene, rng: random.Random) -> tuple[Scene, str | None]:
        """Another scene that can be drawn, and what was changed in it."""
        graph = Graph.of(scene)
        for name in rng.sample(sorted(CHANGES), len(CHANGES)):
            changed = CHANGES[name](graph, rng, self._stock)
            if changed is None:
                continue
            other: dict[str, Any] = {**scene, **changed.row()}
            other["scene_id"] = f"{scene['scene_id']} {name}"
            if self.refuses(other) is None:
                return other, name
        return scene, None
