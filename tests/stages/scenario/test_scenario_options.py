"""Scenarios that offer options in another order, or others: what is asked, and what is right."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis.robustness import conditions
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.answer.answering import make_items
from lvlmbench.stages.answer.engine import Item
from lvlmbench.stages.scenario.kinds.reordered import moved
from lvlmbench.stages.scenario.scenario import Row, Shard, first_of
from lvlmbench.stages.score.rows import IMAGES, QUESTIONS, SCENES, Asked, score_rows
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.suite import build_shard, suite_of
from support.exam.made import params_of
from support.render_scenes import vocabulary
from support.scenario_shards import applied, clean_shard, parameters

POSITIONS: dict[str, Any] = {"name": "moved", "kind": "reordered"}
UNADJUSTED: dict[str, Any] = {"name": "first", "kind": "unadjusted"}
UNSEEN: dict[str, Any] = {"name": "unseen", "kind": "blind", "blind": {"adjusted": False}}


def shard_of(spec: dict[str, Any]) -> Shard:
    """Nine scenes: six with four options, one with two, one that asks freely, one unadjusted."""
    shard = clean_shard(parameters(spec))
    rows = shard.questions.to_pylist()
    for at, row in enumerate(rows):
        row |= {"question_type": "multiple_choice", "question": "Which?", "answer_index": at % 4}
        row["options"] = [f"option {at} {place}" for place in range(4)]
        row["replaced"] = [None if place == at % 4 else f"old {at} {place}" for place in range(4)]
    rows[6] |= {"question_type": "true_false", "options": ["True", "False"], "answer_index": 1}
    rows[7] |= {"question_type": "free_form", "options": [], "answer_index": None}
    rows[6]["replaced"] = rows[7]["replaced"] = rows[8]["replaced"] = None
    for row in rows:
        index = row["answer_index"]
        row["answer"] = "a caption" if index is None else row["options"][index]
    return Shard(shard.images, shard.scenes, tables.QUESTIONS.of(rows), shard.around)


def rows_of(spec: dict[str, Any], **own: Any) -> tuple[Shard, list[Row]]:
    spec = spec | ({spec["kind"]: own} if own else {})
    shard = shard_of(spec)
    return shard, applied(parameters(spec), spec["name"], shard)


def asked(shard: Shard, rows: list[Row]) -> list[Item]:
    """What models are asked, each with its options in its prompt."""

    def prompt(question_type: str, question: str, options: Any) -> str:
        return "/".join([question, *options])

    return make_items(
        tables.IMAGES.of(rows), tables.VERDICTS.empty_table(), shard.questions, (), prompt
    )


def scored(shard: Shard, rows: list[Row], said: dict[str, str]) -> list[Row]:
    """Scores of what is said of each image."""
    given = [
        {"model": "m", "scenario": "s", "question_id": row["question_id"], "status": "answered",
         "image_id": row["image_id"], "text": said[row["image_id"]]}
        for row in rows
    ]  # fmt: skip
    images = tables.IMAGES.of(rows).select(IMAGES)
    about = Asked(shard.questions.select(QUESTIONS), shard.scenes.select(SCENES), images)
    found: list[Row] = score_rows(tables.ANSWERS.of(given), about, list, "lvlmbench").to_pylist()
    return found


def test_the_right_option_stands_at_each_place_in_turn() -> None:
    shard, rows = rows_of(POSITIONS)
    items = {item.image_id: item for item in asked(shard, rows)}
    right = dict(
        zip(*(shard.questions[n].to_pylist() for n in ("question_id", "answer")), strict=True)
    )
    assert Counter(row["perturbation"]["severity"] for row in rows) == {1: 8, 2: 8, 3: 7, 4: 7}
    for row in rows:
        options = items[row["image_id"]].options
        own = next(q for q in shard.questions.to_pylist() if q["question_id"] == row["question_id"])
        assert options.index(right[row["question_id"]]) == row["perturbation"]["severity"] - 1
        assert Counter(options) == Counter(own["options"])
        assert items[row["image_id"]].prompt == "/".join(["Which?", *options])
        assert row["sha256"] and json.loads(row["perturbation"]["parameters"]) == {"rotate": False}
    assert len({row["image_id"] for row in rows}) == len(rows)


def test_wrong_options_keep_their_order_or_move_in_a_circle() -> None:
    assert [moved(4, 2, place, False) for place in range(4)] == [
        [2, 0, 1, 3], [0, 2, 1, 3], [0, 1, 2, 3], [0, 1, 3, 2],
    ]  # fmt: skip
    assert [moved(4, 2, place, True) for place in range(4)] == [
        [2, 3, 0, 1], [1, 2, 3, 0], [0, 1, 2, 3], [3, 0, 1, 2],
    ]  # fmt: skip


@pytest.mark.parametrize("letter", "ABCD")
def test_who_always_says_one_letter_is_right_where_the_right_option_stands(letter: str) -> None:
    """AutoBench-V, section 4.3: a letter-A model has all of all-A right and a quarter in all."""
    shard, rows = rows_of(POSITIONS)
    found = scored(shard, rows, {row["image_id"]: letter for row in rows})
    place = "ABCD".index(letter) + 1
    for row, score in zip(rows, found, strict=True):
        if score["scored"]:  # C and D are no answers to a question with two options
            assert score["correct"] is (row["perturbation"]["severity"] == place)
            assert score["severity"] == row["perturbation"]["severity"]


def test_an_option_is_read_by_its_words_wherever_it_stands() -> None:
    shard, rows = rows_of(POSITIONS, at=[4, 1], rotate=True)
    texts = {q["question_id"]: q for q in shard.questions.to_pylist()}
    said = {row["image_id"]: texts[row["question_id"]]["options"][1] for row in rows}
    for row, score in zip(rows, scored(shard, rows, said), strict=True):
        assert score["parsed_index"] == 1
        assert score["correct"] is (texts[row["question_id"]]["answer_index"] == 1)


@pytest.mark.parametrize("spec", [UNADJUSTED, UNSEEN], ids=lambda spec: spec["kind"])
def test_options_are_as_before_they_were_adjusted(spec: dict[str, Any]) -> None:
    shard, rows = rows_of(spec)
    assert len(rows) == 8  # all but the one that offers none
    pictured = {row["image"] is not None for row in rows}
    assert pictured == {spec is UNADJUSTED}
    by_id = {q["question_id"]: q for q in shard.questions.to_pylist()}
    for item in asked(shard, rows):
        own = by_id[item.question_id]
        old = own["replaced"] or [None] * len(own["options"])
        assert item.options == tuple(a or b for a, b in zip(old, own["options"], strict=True))
    old = {row["image_id"]: (row["order"] or [0, 1, 2, 3]) for row in rows}
    wrong = {
        row["image_id"]: "ABCD"[(by_id[row["question_id"]]["answer_index"] + 1) % 4] for row in rows
    }
    for row, score in zip(rows, scored(shard, rows, wrong), strict=True):
        if score["scored"]:
            assert score["correct"] is False
            assert (
                score["parsed_index"] == old[row["image_id"]]["ABCD".index(wrong[row["image_id"]])]
            )


def test_nothing_depends_on_the_shard_and_limits_hold() -> None:
    shard, rows = rows_of(POSITIONS, scenes_per_subtask=1)
    assert len({row["scene_id"] for row in rows}) == 3
    spec = POSITIONS | {"reordered": {"scenes_per_subtask": 1}}
    last = Shard(shard.images.slice(6), shard.scenes, shard.questions, shard.around)
    assert applied(parameters(spec), "moved", last) == [r for r in rows if r["scene_id"] in {
        *last.images["scene_id"].to_pylist()}]  # fmt: skip


def test_few_scenes_of_an_exam_are_of_all_its_aspects() -> None:
    params = params_of()
    scenes = suite_of(params).scenes(params, vocabulary(), 0, params.corpus.n_scenes)
    planner = Planner(params, vocabulary())
    few, more = (first_of(params, scenes, limit) for limit in (24, 30))
    assert few < more and (len(few), len(more)) == (24 * 5, 30 * 5)
    assert first_of(params, scenes, None) == {*scenes["scene_id"].to_pylist()}
    found = [
        planner.item(scene["subtask"], scene["ordinal"])
        for scene in scenes.to_pylist()
        if scene["scene_id"] in few
    ]
    assert len({item.aspect.fine.name for item in found}) == 24 * 5
    assert {*Counter(item.level for item in found).values()} == {8 * 5}


@pytest.mark.parametrize(
    ("own", "what"),
    [
        ({"at": [0]}, r"at\.0"),
        ({"at": [-1]}, r"at\.0"),
        ({"at": [27]}, r"at\.0"),
        ({"at": []}, "at"),
        ({"at": [1, 1]}, "place"),
        ({"at": [True]}, r"at\.0"),
        ({"att": [1]}, "did you mean .at."),
    ],
)  # fmt: skip
def test_mistakes_end_in_a_line(own: dict[str, Any], what: str) -> None:
    with pytest.raises(UserError, match=what):
        parameters(POSITIONS | {"reordered": own})


def test_a_place_that_no_question_has_is_told_before_a_run() -> None:
    params = parameters(POSITIONS | {"reordered": {"at": [1, 9]}})
    check_names(parameters(POSITIONS), "my.yaml")
    line = r"my\.yaml.*moved: reordered: at: 9 is no place .* 4 at most; write .* 1 to 4"
    with pytest.raises(UserError, match=line):
        check_names(params, "my.yaml")
    most = suite_of(params).most_options
    asked = build_shard(params, vocabulary(), 0, params.corpus.n_scenes)[1]["options"].to_pylist()
    assert max(map(len, asked)) == most


def test_images_of_older_tables_offer_what_the_question_has() -> None:
    assert tables.offered(["a", "b"], None, None) == ["a", "b"]
    assert tables.offered(["a", "b"], ["c", None], [2, 1]) == ["c", "b"]
    assert tables.before_adjusting(["a", "b"], ["c", None]) == [2, 1]
    assert tables.before_adjusting(["a", "b"], [None, None]) is None
    assert tables.before_adjusting(["a", "b"], None) is None
    assert pa.types.is_list(tables.IMAGES.field("order").type)


def test_other_options_are_no_condition_of_the_image() -> None:
    params = parameters(POSITIONS, UNADJUSTED, UNSEEN)
    assert params.scenarios.conditions == ("clean",)
    names = [condition.name for condition in conditions(params, params.scenarios.names)]
    assert names == ["unseen"]  # a control; the section on options tells of the others
