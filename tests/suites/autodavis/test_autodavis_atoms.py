"""Atomic checks of questions: about the facts that the answer rests on, sure, and nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import filled, holds
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.atoms import Among, Has, Number, Present, Stands, facts_of
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.suite import suite_of
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary

Row = dict[str, Any]
ONLY = ["left_and_right", "colors_of_things", "counting", "sums", "activities", "missing_things"]


REQUESTS = (
    "basic_understanding", "spatial_understanding", "semantic_understanding", "reasoning_capacity",
)  # fmt: skip


@pytest.fixture(scope="module")
def exam() -> Exam:
    return drawn(params_of(requests=REQUESTS, scenes=9, only=ONLY, atomic=True))


@pytest.fixture(scope="module")
def checks(exam: Exam) -> list[tuple[Row, Row]]:
    """Each check with the question that it belongs to."""
    rows = tables.of_scenario(exam.questions).to_pylist()
    by_id = {row["question_id"]: row for row in rows}
    found = []
    for row in tables.of_scenario(exam.questions, checks=True).to_pylist():
        key, _ = tables.checked_by(row["key"])
        found.append((by_id[Key.read(key).question_id(row["scene_id"])], row))
    return found


@pytest.fixture(scope="module")
def worlds(exam: Exam) -> dict[str, World]:
    planner = Planner(exam.params, vocabulary())
    layouts = exam.layouts.to_pylist()
    return {
        scene["scene_id"]: planner.world(
            Graph.of(scene), [r for r in layouts if r["scene_id"] == scene["scene_id"]], 512
        )
        for scene in exam.scenes.to_pylist()
    }


def test_without_the_setting_there_are_the_same_questions_and_no_checks(exam: Exam) -> None:
    plain = params_of(requests=REQUESTS, scenes=9, only=ONLY)
    asked = suite_of(plain).questions(plain, vocabulary(), exam.scenes, exam.layouts)
    assert asked.equals(tables.of_scenario(exam.questions))
    assert len(asked) < len(exam.questions)


def test_each_question_has_checks_with_ids_of_their_own(
    exam: Exam, checks: list[tuple[Row, Row]]
) -> None:
    ids = exam.questions["question_id"].to_pylist()
    assert len({*ids}) == len(ids)
    asked = tables.of_scenario(exam.questions)["question_id"].to_pylist()
    assert {question["question_id"] for question, _ in checks} == {*asked}
    for question, check in checks:
        shared = ("scene_id", "subtask", "level", "examiner", "question_type")
        assert [question[name] for name in shared] == [check[name] for name in shared]
        assert check["question_id"] == Key.read(check["key"]).question_id(check["scene_id"])
        assert check["options"][check["answer_index"]] == check["answer"]
        assert check["chance"] == 1 / len(check["options"]) <= 0.5
        assert len({*check["options"]}) == len(check["options"])


def test_right_options_stand_at_all_places(checks: list[tuple[Row, Row]]) -> None:
    four = [check["answer_index"] for _, check in checks if len(check["options"]) == 4]
    times = Counter(four)
    assert len(times) == 4 and max(times.values()) < 0.4 * len(four)


def test_what_is_said_to_be_there_is_and_the_others_are_not(
    exam: Exam, checks: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    seen = 0
    for _, check in checks:
        if check["question"] == "Which of these is shown in the picture?":
            labels = {one.object.label for one in worlds[check["scene_id"]].instances}
            said = [re.sub("^an? ", "", option) for option in check["options"]]
            assert {label for label in said if label in labels} == {said[check["answer_index"]]}
            seen += 1
    assert seen > 20


def test_counts_and_sides_are_as_the_layout_has_them(
    checks: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    counted = sides = 0
    for _, check in checks:
        world = worlds[check["scene_id"]]
        program = json.loads(check["program"])
        if program[0] == "count" and program[1][:2] == ["with", "label"]:
            label = program[1][2]
            n = sum(one.object.label == label for one in world.instances)
            assert check["answer"] == str(n)
            counted += label != "person"
        if check["answer"].startswith("to the left of the ") and program[0] == "direction":
            one, to = (part[2] for part in program[1:3])
            x = {each.object.label: each.seen for each in world.instances}
            a, b = x[one], x[to]
            assert a and b and a.box.center[0] < b.box.center[0]
            sides += 1
    assert counted > 5 and sides > 1


def test_a_color_of_a_thing_named_by_its_place_rests_on_finding_it(
    exam: Exam, worlds: dict[str, World]
) -> None:
    found = 0
    for row in tables.of_scenario(exam.questions).to_pylist():
        program = json.loads(row["program"])
        if program[:2] != ["is", "color"] or program[2][0] != "standing":
            continue
        world = worlds[row["scene_id"]]
        facts = facts_of(filled(program, row["answer"]), world)
        (has,) = [fact for fact in facts if isinstance(fact, Has)]
        one = world.instances[has.one].object
        relation, to = program[2][1], program[2][2][2]
        other = next(i.number for i in world.instances if i.object.label == to)
        assert has.value == one.color == row["answer"]
        assert Among(relation, has.one, other) in facts
        assert {Present(one.label), Present(to)} <= {f for f in facts if isinstance(f, Present)}
        found += 1
    assert found


def test_facts_of_sums_and_of_what_is_not_there(worlds: dict[str, World]) -> None:
    world = next(w for w in worlds.values() if len({o.object.label for o in w.things}) > 1)
    a, b = sorted({one.object.label for one in world.things})[:2]
    either = ["either", labelled(a), labelled(b)]
    assert facts_of(["count", either, 3], world) == [Number(labelled(a)), Number(labelled(b))]
    assert facts_of(["not", ["exists", labelled("no such thing")]], world) == []
    said = facts_of(["not", ["stands", "left_of", labelled(a), labelled(b)]], world)
    if said and isinstance(said[-1], Stands):
        assert said[-1].relation == "left_of"


def test_no_check_is_asked_whose_right_option_is_not_the_only_one(
    exam: Exam, checks: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    """Colors, numbers and words are options as programs hold them."""
    tried = 0
    for _, check in checks:
        program = json.loads(check["program"])
        if program[0] == "count" or program[:2] == ["is", "color"]:
            world = worlds[check["scene_id"]]
            right = [o for o in check["options"] if holds(program, world, _value(program, o))]
            wrong = [
                o for o in check["options"] if holds(program, world, _value(program, o)) is False
            ]
            assert right == [check["answer"]] and len(wrong) == len(check["options"]) - 1
            tried += 1
    assert tried > 20


def _value(program: list[Any], option: str) -> str | int:
    return int(option) if program[0] == "count" else option


def test_checks_are_the_same_whatever_else_is_asked(exam: Exam) -> None:
    half = exam.scenes.slice(5, 9)
    asked = suite_of(exam.params).questions(exam.params, vocabulary(), half, exam.layouts)
    wanted = exam.questions.filter(pc.is_in(exam.questions["scene_id"], value_set=half["scene_id"]))
    assert asked.equals(wanted)
