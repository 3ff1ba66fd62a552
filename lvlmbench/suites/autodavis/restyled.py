"""The same pictures in other styles, with the same questions (AutoDavis, appendix N).

A style leaves visible all that a picture's things are told by; what it hides is not shown in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.graph import Graph, flat
from lvlmbench.scene.programs import holds
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asked import Question
from lvlmbench.suites.autodavis.plan import STAGE, TEXT, Planner
from lvlmbench.suites.autodavis.scenes import UNPLANNED
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.tables import SCENES

_STAGE = "restyle"
#: How far an edge may lie from where it is in the first picture, as a share of the side.
MOVED = 0.02


def restyled(planner: Planner, scenes: pa.Table) -> pa.Table:
    """Return the first of some scenes in other styles, those of one scene side by side.

    A row is as its base but for id and style; ``base`` is the base's id. It depends on the base and
    on the style alone.
    """
    own = planner.own.restyled
    rows = []
    for scene in scenes.to_pylist() if own.pictures else ():
        item = planner.item(scene["subtask"], scene["ordinal"])
        graph = Graph.of(scene)
        none = item.twin or graph.main.list == UNPLANNED
        if planner.turn(item) >= own.pictures or none:
            continue
        rows += [_again(scene, style) for style in _styles(planner, scene["scene_id"], graph)]
    if not rows:
        return SCENES.empty_table()
    graphs = pa.Table.from_pylist(rows, SCENES.schema)
    columns = {name: graphs[name] for name in SCENES.names} | flat(graphs)
    return pa.table(columns, schema=SCENES.schema)


def shown_again(params: Params) -> int:
    """Return how many pictures are shown in other styles, at most."""
    corpus, own = params.corpus, params.corpus.own(Examining)
    again, levels = own.restyled, len(own.asked)
    first = sum(min(again.pictures, corpus.count(each) // levels) for each in corpus.subtasks)
    return first * levels * (len(again.styles) or again.each)


def _styles(planner: Planner, scene_id: str, graph: Graph) -> list[Entry]:
    """The styles that a picture is shown again in: those that are named, or some that suit it."""
    own = planner.own.restyled
    suits = [
        style
        for style in planner.stock.styles
        if style.label != graph.setting.style and not style.hidden_small & needed(graph)
    ]
    if own.styles:
        return [style for style in suits if style.label in own.styles]
    some = Draws(planner.seed, f"{STAGE} {_STAGE}", scene_id).some(suits, own.each)
    return sorted(some, key=lambda style: style.label)


def needed(graph: Graph) -> frozenset[str]:
    """Return what things of a picture are told by: ``shape``, ``color``, ``text``."""
    found = {"shape"}
    if graph.main.list == TEXT:  # it may be told by anything
        return frozenset({"shape", "color", "text"})
    if any(thing.color or thing.person for thing in graph.objects):
        found.add("color")
    if any(thing.text for thing in graph.objects):
        found.add("text")
    return frozenset(found)


def _again(scene: Mapping[str, Any], style: Entry) -> dict[str, Any]:
    base, prompt = scene["scene_id"], scene["prompt"]
    if scene["foreground_list"] == TEXT:  # a graph says its style itself
        prompt = f"{prompt} In the style of {style.label}."
    return {
        **scene,
        "prompt": prompt,
        "scene_id": item_id(base, _STAGE, style.label),
        "base": base,
        "setting": {**scene["setting"], "style": style.label},
    }


def same_question(question: Question, first: World, again: World) -> dict[str, Any] | None:
    """Return a question about a picture in another style; None where it is not as sure there.

    It is the same word for word, where all lies where it did; the caller says where its right
    option stands.
    """
    if not alike(first, again):
        return None
    ask = question.ask
    values = {ask.show(value): value for value in (ask.answer, *ask.wrong, *question.replaced)}
    row = question.row
    offered = [values[option] for option in (*row["options"], *filter(None, row["replaced"] or ()))]
    if any(holds(ask.program, again, value) is not (value == ask.answer) for value in offered):
        return None
    return dict(question.row)


def alike(first: World, again: World) -> bool:
    """Return whether all things of a picture lie in another where they lie in the first."""
    pairs: Sequence[Any] = [*zip(first.instances, again.instances, strict=False)]
    if len(first.instances) != len(again.instances):
        return False
    return all(
        a.seen is not None
        and b.seen is not None
        and max(abs(x - y) for x, y in zip(a.seen.box, b.seen.box, strict=True)) <= MOVED
        for a, b in pairs
    )
