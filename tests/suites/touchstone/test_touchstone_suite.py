"""The suite ``touchstone``: its tasks, its rows, and what they depend on."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.analysis.labels import plain
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables.checks import check_rows
from support.render_scenes import vocabulary
from support.touchstone_scenes import asked, params_of

SOME = ("touchstone_simple", "touchstone_attributes", "touchstone_text", "touchstone_poem")


def _questions(params: Params, scenes: pa.Table, layouts: pa.Table) -> list[dict[str, object]]:
    found = suite_of(params).questions(params, vocabulary(), scenes, layouts).to_pylist()
    return list(found)


def test_the_drawn_tasks_are_its_subtasks_and_the_others_only_those_of_a_users_copy() -> None:
    known = [name for name in TASKS if name in SUBTASKS]
    drawn = tuple(name for name in known if TASKS[name].decided != "not drawn")
    assert subtasks_of("touchstone_bench") == tuple(known)
    assert subtasks_of("touchstone") == drawn
    assert validate({"suite": "t", "kind": "touchstone"}).corpus.subtasks == drawn


def test_each_question_is_free_and_has_a_reference_and_a_description() -> None:
    found = asked(SOME, 6, 2)
    for scene, _, question in found.pairs():
        assert question["question_type"] == "free_form"
        assert question["options"] == [] and question["panels"] is None
        assert question["description"] and question["answer"].endswith((".", "]", '"'))
        assert len(question["answer"].split()) >= 4
        assert question["question"].strip() == question["question"]
        exact = TASKS[scene["subtask"]].decided == "seen" and "simple" not in scene["subtask"]
        assert (question["accepted"] is not None) == exact
        assert question["factors"]["instances"] == len(found.layouts[scene["scene_id"]])


def test_a_model_is_sent_the_question_alone() -> None:
    params = params_of(1)
    prompt = suite_of(params).prompt
    assert prompt(params, "free_form", "What is it?", ()) == "What is it?"
    assert "(A)" in prompt(params, "multiple_choice", "What is it?", ("a", "b"))


def test_every_third_scene_has_turns_unless_they_are_not_wanted() -> None:
    with_turns, without = (asked(SOME, 6, 2, turns=each) for each in (True, False))
    held = [q for q in with_turns.questions.values() if q["turns"]]
    assert len(held) == 6  # two of six scenes of three tasks that allow it
    assert {q["subtask"] for q in held} == {*SOME} - {"touchstone_simple"}
    assert all(turn["question"] and turn["answer"] for q in held for turn in q["turns"])
    assert not [q for q in without.questions.values() if q["turns"]]
    assert with_turns.questions.keys() == without.questions.keys()


def test_a_question_hangs_on_its_scene_alone() -> None:
    found, known = asked(SOME, 6, 2), vocabulary()
    suite, rows = suite_of(found.params), found.layout_table
    for start, stop in ((0, 5), (5, 17), (17, 24)):
        part = suite.scenes(found.params, known, start, stop)
        assert part.equals(found.scenes.slice(start, stop - start))
        own = rows.filter(pc.is_in(rows["scene_id"], value_set=part["scene_id"].combine_chunks()))
        for question in _questions(found.params, part, own):
            assert question == found.questions[str(question["scene_id"])]
    backwards = found.scenes.take(list(range(len(found.scenes)))[::-1])
    assert {q["question_id"]: q for q in _questions(found.params, backwards, rows)} == {
        q["question_id"]: q for q in found.questions.values()
    }


def test_more_scenes_leave_those_that_were_there_as_they_are() -> None:
    few, many = (suite_of(p).scenes(p, vocabulary(), 0, p.corpus.n_scenes).to_pylist()
                 for p in (params_of(2, 2, SOME), params_of(5, 2, SOME)))  # fmt: skip
    known = {row["scene_id"]: row for row in many}
    assert all(known[row["scene_id"]] == row for row in few)


def test_other_seeds_plan_and_ask_otherwise() -> None:
    one, other = asked(SOME, 6, 2), asked(SOME, 6, 3)
    assert not one.questions.keys() & other.questions.keys()
    answers = [{q["answer"] for q in each.questions.values()} for each in (one, other)]
    assert len(answers[0] & answers[1]) <= 1


def test_rows_are_sound() -> None:
    found = asked(SOME, 6, 2)
    rows = suite_of(found.params).questions(
        found.params, vocabulary(), found.scenes, found.layout_table
    )
    check_rows(rows, tables.QUESTIONS, Path("questions.parquet"))
    assert len({*rows["question_id"].to_pylist()}) == len(rows) == 24


def test_only_descriptions_owe_what_they_are_to_say() -> None:
    found = asked(SOME, 6, 2)
    truth = suite_of(found.params).truth(
        found.params, vocabulary(), found.scenes, found.layout_table
    )
    tasks = {row["scene_id"]: row["subtask"] for row in found.scenes.to_pylist()}
    owed = [row for row in truth.to_pylist() if not row["optional"]]
    assert {tasks[row["scene_id"]] for row in owed} == {"touchstone_simple"}
    assert {row["kind"] for row in owed} == {"object"}
    assert set(suite_of(found.params).scopes(found.params)) == {"touchstone_simple"}


def test_answers_about_several_pictures_owe_what_they_are_asked_for() -> None:
    """Where one value decides they owe nothing: else things, and colors that differ."""
    tasks = ("touchstone_products", "touchstone_summary", "touchstone_differences")
    found = asked(tasks, 12, 9)
    rows = suite_of(found.params).truth(
        found.params, vocabulary(), found.scenes, found.layout_table
    )
    owed: dict[str, set[str]] = {}
    for row in rows.to_pylist():
        if not row["optional"]:
            owed.setdefault(row["scene_id"], set()).add(row["feature"])
    listed = 0
    for scene, _, question in found.pairs():
        names = owed.get(scene["scene_id"], set())
        assert bool(names) == (question["accepted"] is None), question
        objects = {each["id"]: each for each in scene["objects"]}
        for name in names:
            thing = objects[name.removesuffix(".color")]
            listed += 1
            assert thing["label"] in question["answer"]
            if name.endswith(".color"):
                said = (f"{thing['color']} {thing['label']}", f"{thing['color']} one")
                assert any(each in question["answer"] for each in said), question
        if question["subtask"] == "touchstone_summary" and names:
            assert names >= {*objects}
    assert listed > 60


def test_each_kind_of_chart_has_a_truth() -> None:
    """A number line, too: whatever is drawn can be held against claims."""
    found = asked(("touchstone_math",), 6, 9)
    rows = suite_of(found.params).truth(
        found.params, vocabulary(), found.scenes, found.layout_table
    )
    assert len({*rows["scene_id"].to_pylist()}) == 6
    assert "number line" in rows["subject"].to_pylist()


def test_scenes_without_layouts_are_not_asked_about() -> None:
    params = params_of(2, 2, SOME)
    scenes = suite_of(params).scenes(params, vocabulary(), 0, 8)
    assert not _questions(params, scenes, tables.LAYOUTS.empty_table())


def test_dialogue_names_the_tasks() -> None:
    params = params_of(1, 2, SOME)
    assert {**suite_of(params).dialogue(params)} == {name: TASKS[name] for name in SOME}
    assert suite_of(params).planned(params) == (4, 4)


def test_what_is_not_drawn_is_one_line() -> None:
    params = params_of(1).model_copy(
        update={"corpus": params_of(1).corpus.model_copy(update={"subtasks": ("color",)})}
    )
    with pytest.raises(UserError, match="'color' is not drawn; use touchstone_simple"):
        suite_of(params).scenes(params, vocabulary(), 0, 1)
    with pytest.raises(UserError, match="touchstone_meme"):
        params_of(1, tasks=("touchstone_meme",))
    assert SUBTASKS["touchstone_meme"].suites == ("touchstone_bench",)


def test_readers_see_the_names_of_tasks() -> None:
    for name, task in TASKS.items():
        assert plain(name) == task.label
