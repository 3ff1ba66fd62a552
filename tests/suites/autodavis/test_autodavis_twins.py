"""Counterfactual twins: one fact is another, the same is asked, and something else is right."""

from __future__ import annotations

import json
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import holds
from lvlmbench.scene.quoting import QUOTED, quotes, words
from lvlmbench.scene.world import World
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.suites.autodavis.check_plan import check_plan
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.autodavis.twins import Shown, paired, same_but_one
from lvlmbench.suites.suite import suite_of
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary
from support.score_tables import pick, score

Row = dict[str, Any]
REQUESTS = ("basic_understanding", "spatial_understanding")
#: Aspects of which all but the last have twins.
ONLY = ["colors_of_things", "counting", "animals", "facing_direction", "left_and_right",
        "between_two"]  # fmt: skip
PAIRS = 2


def params(**own: Any) -> Params:
    return params_of(requests=REQUESTS, scenes=9 * 2 * PAIRS, only=ONLY, twins=True, **own)


@pytest.fixture(scope="module")
def exam() -> Exam:
    return drawn(params(atomic=True))


@pytest.fixture(scope="module")
def planner(exam: Exam) -> Planner:
    return Planner(exam.params, vocabulary())


@pytest.fixture(scope="module")
def pairs(exam: Exam) -> list[tuple[Row, Row]]:
    """Questions about scenes and the same about their twins, the first's first."""
    scenes = {row["scene_id"]: row["ordinal"] for row in exam.scenes.to_pylist()}
    found: dict[str, list[Row]] = defaultdict(list)
    for row in tables.of_scenario(exam.questions).to_pylist():
        if row["pair"] is not None:
            found[row["pair"]].append(row)
    both = [sorted(each, key=lambda row: scenes[row["scene_id"]]) for each in found.values()]
    assert all(len(each) == 2 for each in both)
    return [(first, second) for first, second in both]


@pytest.fixture(scope="module")
def worlds(exam: Exam, planner: Planner) -> dict[str, World]:
    layouts: dict[str, list[Row]] = defaultdict(list)
    for row in exam.layouts.to_pylist():
        layouts[row["scene_id"]].append(row)
    return {
        scene["scene_id"]: planner.world(Graph.of(scene), layouts[scene["scene_id"]], 512)
        for scene in exam.scenes.to_pylist()
    }


def aspect(row: Row) -> str:
    return str(row["key"].split("/")[-1])


def test_the_first_of_each_pair_is_a_picture_of_an_exam_without_twins(exam: Exam) -> None:
    plain = params_of(requests=REQUESTS, scenes=9 * PAIRS, only=ONLY)
    scenes = suite_of(plain).scenes(plain, vocabulary(), 0, plain.corpus.n_scenes).to_pylist()
    mine = {row["scene_id"]: row for row in exam.scenes.to_pylist()}
    for scene in scenes:
        same = mine[scene["scene_id"]]
        own = {"ordinal", "pair"}
        assert {k: v for k, v in scene.items() if k not in own} == {
            k: v for k, v in same.items() if k not in own
        }
    assert len(mine) == 2 * len(scenes)


def test_one_fact_is_another_in_a_twin(exam: Exam) -> None:
    rows = exam.scenes.to_pylist()
    twins = 0
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first["subtask"], first["level"]) == (second["subtask"], second["level"])
        assert first["scene_id"] != second["scene_id"] and first["pair"] == second["pair"]
        if first["pair"] is None:
            continue
        assert first["pair"] == first["scene_id"]
        a, b = Graph.of(first), Graph.of(second)
        assert a.setting == b.setting and a.relations == b.relations
        changed = [(x, y) for x, y in zip(a.objects, b.objects, strict=True) if x != y]
        facts = {
            name
            for x, y in changed
            for name in ("list", "label", "color", "count", "facing", "span")
            if getattr(x, name) != getattr(y, name)
        }
        assert 1 <= len(changed) <= 2
        assert {*facts} - {"list"} in ({"label"}, {"color"}, {"count"}, {"facing"})
        twins += 1
    assert twins >= 20


def test_a_pair_is_asked_the_same_and_something_else_is_right(
    pairs: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    assert {aspect(first) for first, _ in pairs} >= {*ONLY[:4]}
    for first, second in pairs:
        for name in ("question", "program", "key", "level", "examiner", "chance"):
            assert first[name] == second[name], name
        assert sorted(first["options"]) == sorted(second["options"])
        assert first["answer"] != second["answer"] and first["answer"] in second["options"]
        assert first["question_id"] == first["pair"] != second["question_id"]
        assert same_but_one(*(worlds[row["scene_id"]] for row in (first, second)))


def test_each_option_is_right_in_one_picture_at_most(
    pairs: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    tried = 0
    for row in (row for both in pairs for row in both):
        program, world = json.loads(row["program"]), worlds[row["scene_id"]]
        if program[0] == "count" or program[:2] == ["is", "color"]:
            values = [int(o) if program[0] == "count" else o for o in row["options"]]
            truth = [holds(program, world, value) for value in values]
            assert truth == [at == row["answer_index"] for at in range(4)]
            tried += 1
    assert tried >= 12


def test_a_twins_answer_stands_in_the_place_of_what_else_is_there() -> None:
    """Of things that are there one is right of the first picture, another of its twin."""
    one = drawn(params_of(
        requests=REQUESTS[1:], scenes=16, seed=7, only=["left_and_right"], at=["hard"], twins=True,
        size=256,
    ))  # fmt: skip
    scenes = {row["scene_id"]: row["objects"] for row in one.scenes.to_pylist()}
    asked = [row for row in one.questions.to_pylist() if row["pair"] is not None]
    assert len(asked) > 1
    for row in asked:
        there = {f"the {each['label']}" for each in scenes[row["scene_id"]]}
        answers = [each["answer"] for each in asked if each["pair"] == row["pair"]]
        assert row["factors"]["near"] > 0 and len(answers) == 2
        assert {*answers} <= there & {*row["options"]}


def test_what_would_quote_the_description_of_either_is_not_asked_of_both(
    exam: Exam, planner: Planner, pairs: list[tuple[Row, Row]], worlds: dict[str, World]
) -> None:
    scenes = {row["scene_id"]: row for row in exam.scenes.to_pylist()}
    tried = 0
    for rows in pairs:
        if len(words(rows[0]["question"])) < QUOTED:
            continue
        own = [scenes[row["scene_id"]] for row in rows]
        both = [
            Shown(scene, planner.item(scene["subtask"], scene["ordinal"]),
                  worlds[scene["scene_id"]], frozenset())
            for scene in own
        ]  # fmt: skip
        assert [each.row["question"] for each in next(paired(planner, both), ())] == [
            row["question"] for row in rows
        ]
        for at in range(2):
            told = [*both]
            told[at] = both[at]._replace(scene={**own[at], "prompt": rows[0]["question"]})
            for each in next(paired(planner, told), ()):
                assert not quotes(each.row["question"], rows[0]["question"])
        tried += 1
    assert tried > 5


def test_right_options_stand_at_each_letter_once_in_a_block(planner: Planner) -> None:
    own = planner.aspects[REQUESTS[0]]
    for twin in (False, True):
        items = [Item(a, "easy", number, twin) for number in range(4) for a in own]
        places = [planner.place(item, 4) for item in items]
        for block in range(0, len(places), 4):
            assert sorted(places[block : block + 4]) == [0, 1, 2, 3]


def test_where_no_twin_is_known_of_there_is_another_picture(exam: Exam, planner: Planner) -> None:
    other = [
        row
        for row in exam.scenes.to_pylist()
        if planner.item(row["subtask"], row["ordinal"]).aspect.fine.name == ONLY[-1]
    ]
    assert len(other) == 3 * 2 * PAIRS and not any(row["pair"] for row in other)
    assert len({json.dumps(row["objects"]) for row in other}) == len(other)
    asked = {row["scene_id"]: row for row in tables.of_scenario(exam.questions).to_pylist()}
    assert sum(row["scene_id"] in asked for row in other) > len(other) // 2
    assert all(asked[r["scene_id"]]["pair"] is None for r in other if r["scene_id"] in asked)


def test_items_have_numbers_of_their_own_and_checks_of_their_own(exam: Exam) -> None:
    rows = exam.descriptions.to_pylist()
    keys = [tuple(row[n] for n in ("subtask", "aspect", "level", "number")) for row in rows]
    assert len({*keys}) == len(keys) and {key[-1] for key in keys} == {*range(2 * PAIRS)}
    checks = tables.of_scenario(exam.questions, checks=True)
    asked = tables.of_scenario(exam.questions)
    assert {*checks["scene_id"].to_pylist()} == {*asked["scene_id"].to_pylist()}
    assert checks["pair"].null_count == len(checks)


def test_parts_of_an_exam_are_as_the_whole(exam: Exam) -> None:
    some = exam.scenes.slice(4, 6)
    asked = suite_of(exam.params).questions(exam.params, vocabulary(), some, exam.layouts)
    wanted = pc.is_in(exam.questions["scene_id"], value_set=some["scene_id"])
    assert asked.equals(exam.questions.filter(wanted))


def test_twins_are_not_shown_again_in_other_styles(exam: Exam) -> None:
    again = params(restyled={"pictures": 100, "styles": ["comic book"]})
    found = suite_of(again).restyled(again, vocabulary(), exam.scenes)
    planner = Planner(again, vocabulary())
    bases = {*found["base"].to_pylist()}
    rows = [row for row in exam.scenes.to_pylist() if row["scene_id"] in bases]
    assert rows and not any(planner.item(r["subtask"], r["ordinal"]).twin for r in rows)


def test_who_knows_what_is_likely_is_right_about_no_pair(pairs: list[tuple[Row, Row]]) -> None:
    """The first is always right of one model, as it never looks; another one looks."""
    rows, asked = [], []
    for at, (first, second) in enumerate(pairs):
        for part, row in enumerate((first, second)):
            number = 2 * at + part
            for model, right in (("likely", part == 0), ("looks", True)):
                rows.append(score(number, "multiple_choice", "animal", right, model=model))
            asked.append({**row, "question_id": f"{number:04d}"})
    questions = tables.QUESTIONS.of(asked)
    found = metric_rows(tables.SCORES.of(rows), questions=questions)
    for model, value in (("likely", 0.0), ("looks", 100.0)):
        row = pick(found, "pair_accuracy", "multiple_choice", model=model)
        assert (row["value"], row["n"]) == (value, len(pairs))
    assert pick(found, "score", "multiple_choice", model="likely")["value"] == 50.0


def test_mistakes_are_one_line() -> None:
    right = params()
    check_plan(right, "here")
    odd = params_of(requests=REQUESTS, scenes=27, only=ONLY, twins=True)
    with pytest.raises(UserError, match="with twins, take 18 scenes"):
        check_plan(odd, "here")
    corpus = right.corpus.model_copy(update={"shard_scenes": 7})
    with pytest.raises(UserError, match="is 7, but each scene has a twin"):
        check_plan(right.model_copy(update={"corpus": corpus}), "here")
    served = right.examiner.model_copy(update={"examiners": (SimpleNamespace(name="mine"),)})
    with pytest.raises(UserError, match="are not told of a picture's twin"):
        check_plan(right.model_copy(update={"examiner": served}), "here")
