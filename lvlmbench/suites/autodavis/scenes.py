"""Scenes of requests: planned graphs as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.seeding import seed_of
from lvlmbench.scene.graph import Graph, Object, flat
from lvlmbench.suites.autodavis.examiner import EXAMINERS
from lvlmbench.suites.autodavis.plan import STAGE, Item, Planner
from lvlmbench.tables import DESCRIPTIONS, SCENES

#: List of what stands for a picture that could not be planned; no renderer draws it.
UNPLANNED = "aspect"


def sample(planner: Planner, params: Params, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range; a row depends on seed, aspect, level and number alone.

    A picture that nobody has planned is a row, too, which no renderer draws: all
    that was asked for is counted.

    Raises
    ------
    UserError
        The vocabulary has too few entries, or the catalogue has a mistake.
    """
    rows = [_row(planner, item, ordinal) for item, ordinal in _wanted(planner, params, start, stop)]
    if not rows:
        return SCENES.empty_table()
    graphs = pa.Table.from_pylist(rows, SCENES.schema)
    columns = {name: graphs[name] for name in SCENES.names} | flat(graphs)
    return pa.table(columns, schema=SCENES.schema)


def described(planner: Planner, params: Params, start: int, stop: int) -> pa.Table:
    """Return what was planned of the scenes of a range, rows of the table ``descriptions``."""
    return DESCRIPTIONS.of(
        [_described(planner, item) for item, _ in _wanted(planner, params, start, stop)]
    )


def _wanted(planner: Planner, params: Params, start: int, stop: int) -> Iterator[tuple[Item, int]]:
    """Items of a range with their ordinals."""
    for request, (first, last) in subtask_ranges(params).items():
        for at in range(max(start, first), min(stop, last)):
            yield planner.item(request, at - first), at - first


def _described(planner: Planner, item: Item) -> dict[str, Any]:
    found, aspect = planner.described(item), item.aspect
    made = found.graph is not None
    family = None if planner.own.by_text else aspect.fine.family
    lacks = "not_drawable" if family else "needs_endpoint"
    by_model = planner.by_model.get(planner.scene_id(item))
    return {
        "scene_id": planner.scene_id(item),
        "subtask": aspect.request,
        "general_no": aspect.general_no,
        "general": aspect.general.called,
        "fine_no": aspect.fine_no,
        "aspect": aspect.fine.name,
        "called": aspect.fine.called,
        "truth": planner.own.truth if planner.own.by_text else aspect.fine.truth,
        "level": item.level,
        "number": 2 * item.number + item.twin if planner.own.twins else item.number,
        "description": found.description if made else None,
        "topic_word": found.topic if made else None,
        "key_words": list(found.words),
        "banned": list(found.banned),
        "repeated": list(found.repeated),
        "checks": by_model["checks"] if by_model else None,
        "family": family,
        "examiner": by_model["planner"] if by_model else EXAMINERS.first().name,
        "status": by_model["status"] if by_model else "made" if made else lacks,
    }


def unplanned(item: Item) -> Graph:
    """Return the graph of a picture that could not be planned: it names the aspect."""
    return Graph((Object("o1", UNPLANNED, item.aspect.fine.name),))


def _row(planner: Planner, item: Item, ordinal: int) -> dict[str, Any]:
    scene_id, found = planner.scene_id(item), planner.described(item)
    graph = found.graph or unplanned(item)
    description = found.description or item.aspect.fine.introduction
    return {
        "scene_id": scene_id,
        "subtask": item.aspect.request,
        "ordinal": ordinal,
        "prompt": found.description,
        "negative_prompt": "",
        "caption": description,
        "seed": seed_of(planner.seed, STAGE, scene_id),
        "level": item.level,
        "pair": planner.pair(item),
        **graph.row(),
    }
