"""Facts that somebody gives as evidence: their form, and whether a picture shows them."""

from __future__ import annotations

from typing import get_args

import pytest

from lvlmbench.scene.evidence import PREDICATES, Fact, holds, mistake
from lvlmbench.scene.graph import Graph, Object, Person, Relation, Setting
from lvlmbench.scene.relations import BINARY
from lvlmbench.scene.world import World
from lvlmbench.stages.examiner.forms import Predicate
from lvlmbench.suites.autodavis.plan import Planner
from support.examined import small_exam
from support.render_scenes import vocabulary

IDS = ("o1", "o2", "o3", "o4")


def row(instance: int, name: str, box: tuple[int, int, int, int], visible: float = 1.0) -> dict:  # type: ignore[type-arg]
    left, top, right, bottom = box
    return {
        "instance": instance, "object": name, "part": None, "panel": 0, "visible": visible,
        "box": {"left": left, "top": top, "right": right, "bottom": bottom},
        "pixels": (right - left) * (bottom - top), "hides": [], "relations": [],
    }  # fmt: skip


def world() -> World:
    """A red car at the top left, two foxes at the right, a girl at the bottom, an owl unclear."""
    graph = Graph(
        (
            Object("o1", "vehicle", "car", color="red", text="EXIT"),
            Object("o2", "animal", "red fox", count=2),
            Object("o3", "person", "person", person=Person(age="child", gender="female")),
            Object("o4", "animal", "barn owl"),
        ),
        (Relation("o1", "left_of", "o2"),),
        Setting(background="farm", weather="snow"),
    )
    rows = [
        row(0, "o1", (20, 30, 200, 200)), row(1, "o2", (700, 100, 850, 250)),
        row(2, "o2", (700, 500, 850, 650)), row(3, "o3", (200, 600, 400, 990)),
        row(4, "o4", (500, 500, 600, 600), 0.3),
    ]  # fmt: skip
    return World(graph, rows, 1000, lambda one, other: one == other)


@pytest.mark.parametrize(
    ("fact", "held"),
    [
        (("o1", "is", "Car"), True), (("o1", "is", "bus"), False), (("o1", "color", "Red"), True),
        (("o1", "color", "blue"), False), (("o2", "color", "red"), None),
        (("o1", "text", "EXIT"), True), (("o1", "text", "exit"), False),
        (("o2", "count", "2"), True), (("o2", "count", "3"), False), (("o4", "count", "1"), None),
        (("o1", "left_of", "o2"), True), (("o1", "right_of", "o2"), False),
        # Of the two foxes one stands higher than the girl, the other level: not each.
        (("o2", "above", "o1"), False), (("o4", "left_of", "o2"), None),
        (("o1", "at", "top left"), True), (("o2", "at", "top right"), False),
        (("o1", "wears", "scarf"), False), (("o2", "above", "o2"), False),
        (("scene", "background", "Farm"), True), (("scene", "weather", "rain"), False),
        (("scene", "light", "none"), True), (("o1", "between", "o3 o2"), False),
    ],
)  # fmt: skip
def test_facts_are_held_against_what_was_measured(
    fact: tuple[str, str, str], held: bool | None
) -> None:
    assert mistake(Fact(*fact), IDS) is None
    assert holds(Fact(*fact), world()) is held


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (("o9", "color", "red"), "no object 'o9'"), (("o1", "left_of", "o9"), "no object 'o9'"),
        (("o1", "count", "two"), "a number"), (("o1", "count", "\u0662"), "a number"),
        (("o1", "at", "left"), "top left"), (("o1", "between", "o2"), "two ids"),
        (("o1", "between", "o2 o9"), "no object 'o9'"), (("o1", "weather", "snow"), "the scene"),
        (("scene", "color", "red"), "said of things"), (("o3", "likes", "o1"), "no predicate"),
    ],
)  # fmt: skip
def test_facts_that_cannot_be_looked_up_are_one_line(fact: tuple[str, str, str], said: str) -> None:
    found = mistake(Fact(*fact), IDS)
    assert found is not None and said in found and "\n" not in found


def test_the_schema_names_all_predicates() -> None:
    assert set(get_args(Predicate)) == set(PREDICATES)
    assert len(PREDICATES) == len({*PREDICATES})


def test_relations_are_those_that_the_renderer_measured() -> None:
    """What was planned and measured while drawing, told as facts, comes out the same."""
    exam = small_exam()
    planner, told = Planner(exam.params, vocabulary()), 0
    scenes = {scene["scene_id"]: scene for scene in exam.scenes.to_pylist()}
    by_scene: dict[str, list[dict]] = {}  # type: ignore[type-arg]
    for each in exam.layouts.to_pylist():
        by_scene.setdefault(each["scene_id"], []).append(each)
    for scene_id, rows in by_scene.items():
        graph = Graph.of(scenes[scene_id])
        shown = planner.world(graph, rows, exam.params.render.size)
        single = {thing.id for thing in graph.objects if thing.instances == 1}
        names = {each["instance"]: each["object"] for each in rows}
        for each in rows:
            for relation in each["relations"]:
                one, other = each["object"], names.get(relation["object"])
                if relation["predicate"] in BINARY and {one, other} <= single:
                    fact = Fact(one, relation["predicate"], str(other))
                    assert holds(fact, shown) is relation["holds"]
                    told += 1
    assert told > 20
