"""What examiners are told of pictures that a text describes, and what is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.quoting import telling
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.briefs import examiner_of, guidance
from lvlmbench.suites.autodavis.confirming import judged, last_seen
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.proposed import Proposed
from lvlmbench.suites.autodavis.scenes import UNPLANNED
from lvlmbench.suites.brief import Brief
from lvlmbench.suites.drawing import Fault
from lvlmbench.suites.planned import Planned
from lvlmbench.tables import QUESTIONS, VALIDATION

Row = dict[str, Any]


def briefs(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    seen: pa.Table | None,
    examiner: str,
    aspects: pa.Table | None = None,
) -> Iterator[Brief]:
    """Yield what an examiner is told of those scenes that are its own, in their order.

    Parameters
    ----------
    seen
        Rows of ``tables.ATTEMPT_CHECKS``.
    aspects
        Those that a model has thought of.
    """
    planned = Planned.nothing() if aspects is None else Planned.nothing()._replace(aspects=aspects)
    planner, last = Planner(params, vocabulary, planned), last_seen(seen)
    for scene in scenes.to_pylist():
        item = planner.item(scene["subtask"], scene["ordinal"])
        if scene["base"] is not None or examiner_of(params, planner, item) != examiner:
            continue
        about: Row = {
            "scene_id": scene["scene_id"], "subtask": scene["subtask"],
            "aspect": item.aspect.fine.name, "level": item.level,
        }  # fmt: skip
        if scene["foreground_list"] == UNPLANNED:
            yield Brief(**about, lacks="not_planned", why="no text describes it")
            continue
        found = judged(planner, scene, last.get(scene["scene_id"]))
        if isinstance(found, Fault):
            yield Brief(**about, lacks="not_drawn", why=found.reason)
            continue
        fine = item.aspect.fine
        yield Brief(
            **about,
            description=scene["prompt"],
            things=tuple(found.facts.items()),
            about=(f"{fine.called}. {fine.introduction}", fine.guidance),
            guidance=guidance(planner.levels[item.level]),
            defects=found.defects,
            barred=found.barred,
        )


def ask(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    seen: pa.Table | None,
    proposals: pa.Table,
) -> pa.Table:
    """Return the questions about pictures of texts, in the order of the scenes.

    A question rests on statements: it is asked of those pictures of its scene, in whichever style,
    of which validators confirm them all, and where it names nothing that they do not confirm.
    """
    planner, last = Planner(params, vocabulary), last_seen(seen)
    proposed = Proposed(planner, proposals)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        found = judged(planner, scene, last.get(scene["scene_id"]))
        if isinstance(found, Fault):
            continue
        item = planner.item(scene["subtask"], scene["ordinal"])
        for row in proposed.stated(scene, item, found.facts):
            said = "\n".join([row["question"], *row["options"]])
            if not found.barred & telling(said):
                rows.append(row)
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


def validated(scenes: pa.Table, seen: pa.Table | None) -> pa.Table:
    """Return the checks of the last picture of each scene with what most validators say."""
    last = last_seen(seen)
    rows = [
        _validation(one.row, tuple(sorted(one.answers)), one.answer, one.confirmed)
        for scene_id in scenes["scene_id"].to_pylist()
        if scene_id in last
        for one in last[scene_id].checks
        if one.confirmed is not None
    ]
    return VALIDATION.of(rows)


def _validation(
    row: Mapping[str, Any], who: tuple[str, ...], answer: int | None, confirmed: bool | None
) -> Row:
    kept = ("check_id", "scene_id", "number", "element_type", "element", "question", "options",
            "answer_index")  # fmt: skip
    return {
        **{name: row[name] for name in kept},
        "program": None,
        "validator": ", ".join(who),
        "answered_index": answer,
        "correct": confirmed,
    }
