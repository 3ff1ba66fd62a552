"""Pictures that are not as described are found, drawn anew, and never asked about."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from lvlmbench.scene.graph import Graph
from lvlmbench.suites.autodavis.checks import all_checks, checks_of
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.autodavis.validating import differs
from support.exam.checking import Found, checked
from support.exam.faulty import Faulty
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary

SOME = ("spatial_understanding",)


@pytest.fixture(scope="module")
def exam() -> Exam:
    """Two pictures at each level of aspects with relations, colors, numbers, props and people."""
    only = ["left_and_right", "on_a_surface", "covering_thing", "foremost_thing"]
    return drawn(params_of(requests=SOME, scenes=24, only=only))


@pytest.fixture(scope="module")
def faulty() -> Found:
    only = ["left_and_right", "between_two", "foremost_thing", "largest_thing", "topmost_thing"]
    return checked(params_of(requests=SOME, scenes=30, only=only), 0.5)


def test_each_planted_fault_is_found_and_no_faulty_picture_is_asked_about(faulty: Found) -> None:
    assert faulty.planted >= 8
    assert faulty.missed == 0
    assert faulty.asked_faulty == 0
    assert faulty.false <= 1


def test_pictures_drawn_anew_bring_back_nearly_all_scenes(faulty: Found) -> None:
    assert faulty.asked >= 24


def test_where_a_share_is_enough_no_question_names_what_differs() -> None:
    """Of pictures that pass by their share alone, some differ; nothing of it is asked about, nor
    do atomic checks name it."""
    only = ["left_and_right", "topmost_thing", "whereabouts"]
    levels = {
        name: {**level.model_dump(), "threshold": 0.0}
        for name, level in Examining().levels.items()
        if name != "easy"
    }
    own = {"only": only, "whole": False, "levels": levels, "attempts": 0, "atomic": True}
    params = params_of(requests=SOME, scenes=12, **own)
    renderer = Faulty(params, vocabulary(), 1.0)
    exam = drawn(params, renderer)
    wrong = {row["scene_id"]: row for row in exam.validation.to_pylist() if not row["correct"]}
    asked: dict[str, list[str]] = defaultdict(list)
    for row in exam.questions.to_pylist():
        asked[row["scene_id"]] += [row["question"], *row["options"]]
    assert {*wrong} & {*asked}
    planner = Planner(params, vocabulary())
    for scene in exam.scenes.to_pylist():
        if scene["scene_id"] in asked:
            rows = [r for r in exam.layouts.to_pylist() if r["scene_id"] == scene["scene_id"]]
            graph, item = Graph.of(scene), planner.item(scene["subtask"], scene["ordinal"])
            kit = planner.kit(item.level, "check", scene["scene_id"])
            found = differs(graph, kit, planner.world(graph, rows, params.render.size))
            said = " ".join(asked[scene["scene_id"]])
            assert not [label for check in found for label in check.labels if label in said]


@pytest.mark.long
def test_six_hundred_pictures_with_faults() -> None:
    requests = ("basic_understanding", "spatial_understanding", "reasoning_capacity")
    found = checked(params_of(3, requests, seed=11))
    assert found.pictures.total() >= 600 and found.planted >= 120
    assert found.missed == 0 and found.asked_faulty == 0
    assert found.false <= 0.02 * found.pictures.total()


def test_without_faults_all_checks_hold(exam: Exam) -> None:
    assert exam.validation.num_rows > 100
    assert all(exam.validation["correct"].to_pylist())
    types = {*exam.validation["element_type"].to_pylist()}
    assert {"object", "animal", "counting", "spatial", "color"} <= types


def test_checks_are_six_a_scene_each_of_another_kind_first(exam: Exam) -> None:
    by_scene = Counter(exam.validation["scene_id"].to_pylist())
    drawn_scenes = {*exam.layouts["scene_id"].to_pylist()}
    assert by_scene.keys() == drawn_scenes and max(by_scene.values()) == 6
    planner = Planner(exam.params, vocabulary())
    for scene in exam.scenes.to_pylist():
        item = planner.item(scene["subtask"], scene["ordinal"])
        graph = Graph.of(scene)
        whole = [*all_checks(planner.kit(item.level, "check", scene["scene_id"]), graph)]
        some = checks_of(planner, item, graph)
        assert len(some) == min(6, len(whole))
        kinds = [check.element_type for check in some]
        assert {*kinds[: len({*kinds})]} == {check.element_type for check in whole[:]} & {*kinds}


def test_the_answer_of_a_check_is_what_the_description_says(exam: Exam) -> None:
    for row in exam.validation.to_pylist():
        assert 0 <= row["answer_index"] < len(row["options"]) >= 2
        assert row["answered_index"] == row["answer_index"]
        assert len({*row["options"]}) == len(row["options"])


def test_a_second_run_draws_and_asks_the_same(exam: Exam) -> None:
    again = drawn(exam.params)
    for name in ("images", "attempts", "layouts", "questions", "validation"):
        assert getattr(again, name).equals(getattr(exam, name)), name


def test_letters_of_a_block_differ(exam: Exam) -> None:
    """Of four planned items of a level one after the other, each has another letter."""
    by_scene = {s["scene_id"]: s for s in exam.scenes.to_pylist()}
    blocks: dict[tuple[str, int], list[int]] = {}
    for row in exam.questions.to_pylist():
        at = by_scene[row["scene_id"]]["ordinal"] // 3
        blocks.setdefault((row["level"], at // 4), []).append(row["answer_index"])
    assert len(blocks) >= 6
    assert all(len({*places}) == len(places) for places in blocks.values())
    assert {len(row["options"]) for row in exam.questions.to_pylist()} == {4}
