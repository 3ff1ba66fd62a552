"""Questions about pictures that agree with their descriptions, and how pictures were checked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asked import Question, checked, placed
from lvlmbench.suites.autodavis.confirming import given_up
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.autodavis.proposed import Proposed
from lvlmbench.suites.autodavis.restyled import same_question
from lvlmbench.suites.autodavis.twins import Shown, paired
from lvlmbench.suites.autodavis.validating import LayoutValidator, Passed, aligned
from lvlmbench.suites.drawing import Fault
from lvlmbench.tables import QUESTIONS, VALIDATION

Row = dict[str, Any]


class Drawn(NamedTuple):
    """A scene that was drawn, what was planned of it, and what its picture shows."""

    scene: Row
    layout: list[Row]
    item: Item
    graph: Graph
    world: World


def drawn(planner: Planner, params: Params, scenes: pa.Table, layouts: pa.Table) -> Iterator[Drawn]:
    """Yield the scenes that were drawn, in their order."""
    by_scene: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        by_scene[row["scene_id"]].append(row)
    for scene in scenes.to_pylist():
        layout = by_scene.get(scene["scene_id"])
        if layout:
            graph = Graph.of(scene)
            item = planner.item(scene["subtask"], scene["ordinal"])
            yield Drawn(
                scene, layout, item, graph, planner.world(graph, layout, params.render.size)
            )


def ask(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    layouts: pa.Table,
    proposals: pa.Table,
    seen: pa.Table | None = None,
) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order, and behind each its
    atomic checks, where they are asked for.

    A picture is not asked about in which the layout still shows something wrong, or in which models
    do that look at pictures, by ``seen``, rows of ``tables.ATTEMPT_CHECKS``. Of a picture that
    shows one again in another style the same is asked. A scene that has a proposal is asked what
    that says, or nothing.
    """
    planner = Planner(params, vocabulary)
    validator = LayoutValidator(params, vocabulary)
    proposed = Proposed(planner, proposals)
    rejected = given_up(planner, scenes.to_pylist(), seen)
    every = drawn(planner, params, scenes, layouts)
    shown = [one for one in every if one.scene["scene_id"] not in rejected]
    pairs = _pairs(planner, validator, shown)
    first: dict[str, tuple[list[Question], World]] = {}
    found: list[Row] = []
    for one in shown:
        base, scene_id = one.scene["base"], one.scene["scene_id"]
        if (base or scene_id) in proposed:
            if not isinstance(validator.passed(one.scene, one.layout), Fault):
                found += proposed.rows(one.scene, one.item, one.world)
            continue
        questions = pairs.get(scene_id) or [*validator.asked(one.scene, one.layout)]
        if base is None:
            first[scene_id] = questions, one.world
            passed = validator.passed(one.scene, one.layout) if planner.own.atomic else None
            for question in questions:
                found.append(question.row)
                if isinstance(passed, Passed):
                    found += checked(planner, one.scene, *passed, question)
        elif questions and base in first:
            found += _again(planner, one.scene, *first[base], one.world)
    return pa.Table.from_pylist(found, QUESTIONS.schema)


def _again(
    planner: Planner, scene: Row, questions: Sequence[Question], first: World, again: World
) -> Iterator[Row]:
    """The questions of a picture about one that shows it in another style, where all is as sure."""
    for question in questions:
        row = same_question(question, first, again)
        if row is not None:
            own_id = Key.read(row["key"]).question_id(scene["scene_id"])
            own = {"question_id": own_id, "scene_id": scene["scene_id"], "base": scene["base"]}
            place = planner.place_again(own_id, len(row["options"]))
            yield {**placed(row, place), **own, "pair": None}


def _pairs(
    planner: Planner, validator: LayoutValidator, shown: Sequence[Drawn]
) -> dict[str, list[Question]]:
    """The questions of those scenes that are asked the same as their twins, by scene."""
    by_pair: dict[str, list[Drawn]] = defaultdict(list)
    for one in shown:
        if one.scene["pair"] is not None and one.scene["base"] is None:
            by_pair[one.scene["pair"]].append(one)
    found: dict[str, list[Question]] = defaultdict(list)
    for both in by_pair.values():
        both.sort(key=lambda one: one.item.twin)
        passed = [validator.passed(one.scene, one.layout) for one in both]
        asked = [
            Shown(one.scene, *each)
            for one, each in zip(both, passed, strict=True)
            if not isinstance(each, Fault)
        ]
        for questions in paired(planner, asked) if len(asked) == 2 else ():
            for question in questions:
                found[question.row["scene_id"]].append(question)
    return found


def validated(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
) -> pa.Table:
    """Return the checks of the last picture of each scene with what it answers."""
    planner = Planner(params, vocabulary)
    rows: list[Row] = []
    for one in drawn(planner, params, scenes, layouts):
        found = aligned(planner, one.item, one.graph, one.world)
        for number, (check, answer) in enumerate(found.answers):
            index = None if answer is None else check.values.index(answer)
            rows.append(
                {
                    **check.row(one.scene["scene_id"], number),
                    "validator": LayoutValidator.decides_by,
                    "answered_index": index,
                    "correct": answer == check.answer,
                }
            )
    return VALIDATION.of(rows)
