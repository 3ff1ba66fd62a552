"""What examiners behind endpoints are told: the description, the plan, the aspect, all defects.

They are not shown the picture, nor told what was measured of it (AutoDavis, section 2.4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.evidence import OF_SCENE, SCENE
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.confirming import given_up
from lvlmbench.suites.autodavis.plan import STAGE, Item, Planner
from lvlmbench.suites.autodavis.scenes import UNPLANNED
from lvlmbench.suites.autodavis.settings import ExamLevel
from lvlmbench.suites.autodavis.validating import LayoutValidator
from lvlmbench.suites.brief import Brief
from lvlmbench.suites.drawing import Fault
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.planned import Planned

Row = Mapping[str, Any]

#: By how many steps a level's questions take, at most (AutoDavis, section 2.2).
_STEPS = (
    "Ask about one thing that is plain to see, or a plain property of it. It is found at once.",
    "Ask about how one thing stands to another, or about a thing that is named by another.",
    "Ask so that several things must be found one by one, or a small thing, or one that stands "
    "behind others, before the answer can be given.",
)


def briefs(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    layouts: pa.Table,
    examiner: str,
    aspects: pa.Table | None = None,
    seen: pa.Table | None = None,
) -> Iterator[Brief]:
    """Yield what an examiner is told of those planned scenes that are its own, in their order.

    ``aspects`` are those that a model has thought of, ``seen`` what validators see in pictures.
    """
    planned = Planned.nothing() if aspects is None else Planned.nothing()._replace(aspects=aspects)
    planner, validator = Planner(params, vocabulary, planned), LayoutValidator(params, vocabulary)
    by_scene: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        by_scene[row["scene_id"]].append(row)
    rows = scenes.to_pylist()
    rejected = given_up(planner, rows, seen)
    for scene in rows:
        item, scene_id = planner.item(scene["subtask"], scene["ordinal"]), scene["scene_id"]
        if scene["base"] is None and examiner_of(params, planner, item) == examiner:
            fault = rejected.get(scene_id)
            yield _brief(planner, validator, item, scene, by_scene.get(scene_id, []), fault)


def examiner_of(params: Params, planner: Planner, item: Item) -> str | None:
    """Return which examiner behind an endpoint asks about an item; None where there is none.

    Several take turns in permuted blocks of the items of a request and level.
    """
    names = [model.name for model in params.examiner.examiners]
    if not names:
        return None
    block, at = divmod(planner.turn(item), len(names))
    name = f"{item.aspect.request}/{item.level}/{block}"
    return Draws(planner.seed, f"{STAGE} examiner", name).shuffled(names)[at]


def _brief(
    planner: Planner,
    validator: LayoutValidator,
    item: Item,
    scene: Row,
    layout: list[Row],
    fault: Fault | None = None,
) -> Brief:
    about = {
        "scene_id": scene["scene_id"], "subtask": scene["subtask"],
        "aspect": item.aspect.fine.name, "level": item.level,
    }  # fmt: skip
    if scene["foreground_list"] == UNPLANNED:
        return Brief(**about, lacks="not_planned", why="nothing was described that can be drawn")
    if not layout:
        return Brief(**about, lacks="not_drawn", why="the renderer has drawn nothing")
    passed = fault or validator.passed(scene, layout)
    if isinstance(passed, Fault):
        return Brief(**about, lacks="not_drawn", why=passed.reason)
    graph, fine = passed.world.graph, item.aspect.fine
    return Brief(
        **about,
        description=scene["prompt"],
        things=tuple((thing.id, planner.words.counted(thing)) for thing in graph.objects),
        planned=tuple(_planned(graph)),
        about=(f"{fine.called}. {fine.introduction}", fine.guidance),
        guidance=guidance(planner.levels[item.level]),
        defects=tuple(sorted(passed.defects)),
        world=passed.world,
        same=planner.stock.clash,
    )


def _planned(graph: Graph) -> Iterator[str]:
    """How things were to stand and people to look, and what else the scene was to have."""
    for each in graph.relations:
        yield " ".join(part for part in (each.subject, each.predicate, each.object, each.other)
                       if part)  # fmt: skip
    for thing in graph.objects:
        if thing.person is not None and thing.person.expression is not None:
            yield f"{thing.id} expression {thing.person.expression}"
    for name in OF_SCENE:
        value = getattr(graph.setting, name)
        if value is not None and name != "style":
            yield f"{SCENE} {name} {value}"


def guidance(level: ExamLevel) -> str:
    """Return what a level wants of a question, in words."""
    steps = _STEPS[min(level.hops, len(_STEPS) - 1)]
    if not level.near:
        return steps
    some = "one wrong option" if level.near == 1 else f"{level.near} wrong options"
    return f"{steps} Let {some} name something that the picture shows, or that looks like it."
