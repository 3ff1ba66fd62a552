"""No question of the rules has six words in a row of the description of its picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lvlmbench.scene.figures.phrases import ACTIONS
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.quoting import QUOTED, quotes, words
from lvlmbench.suites.autodavis.asked import about
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.telling import OTHERWISE, otherwise
from support.exam.made import Exam, exam
from support.render_scenes import vocabulary


def described(one: Exam) -> dict[str, dict[str, Any]]:
    return {scene["scene_id"]: scene for scene in one.scenes.to_pylist()}


def test_no_question_quotes_the_description_of_its_picture() -> None:
    one = exam()
    scenes, asked = described(one), one.questions.to_pylist()
    found = [
        (text, scenes[row["scene_id"]]["prompt"])
        for row in asked
        for text in (row["question"], *row["options"], *filter(None, row["replaced"] or ()))
        if quotes(text, scenes[row["scene_id"]]["prompt"])
    ]
    assert found == [] and len(asked) > 240
    # Descriptions do say long things otherwise.
    told = " ".join(scene["prompt"] for scene in scenes.values())
    assert sum(other in told for other in OTHERWISE.values()) > 10


def test_all_that_is_said_at_length_is_said_otherwise_in_descriptions() -> None:
    planner = Planner(exam().params, vocabulary())
    phrases = [planner.stock.phrase(each.label) for each in planner.stock.backgrounds]
    long = [said for said in (*phrases, *ACTIONS.values()) if len(words(said)) >= QUOTED]
    assert {*long} == {*OTHERWISE} and len(long) > 20
    for said in long:
        sentence = f"A fox, a red car, and an owl {said}."
        assert quotes(said, sentence) and not quotes(said, otherwise(sentence))


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("in a narrow street of old timber houses",
         "in a narrow street, here of old timber houses"),
        ("beside a wooden jetty on a misty lake", "beside a wooden jetty, here on a misty lake"),
        ("at dawn on a quay with nets and ropes in rows",
         "at dawn on a quay, here with nets and ropes, here in rows"),
        ("on a farm with a yellow barn", "on a farm, here with a yellow barn"),
        ("in front of a large grey stone wall", "before a large grey stone wall"),
        ("on a wide square in front of a church", "on a wide square, here before a church"),
    ],
)  # fmt: skip
def test_a_place_of_ones_own_vocabulary_is_said_otherwise(
    phrase: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planner = Planner(exam().params, vocabulary())
    first, *others = planner.stock.backgrounds
    own = replace(first, extra={**first.extra, "phrase": phrase})
    monkeypatch.setattr(planner.stock, "backgrounds", (own, *others))  # all tests share it
    things = next(Graph.of(row) for row in exam().scenes.to_pylist() if row["objects"])
    graph = replace(things, setting=replace(things.setting, background=own.label))
    assert planner.description(graph).endswith(f" {told}.")
    assert not quotes(phrase, planner.description(graph))


def test_what_would_quote_the_description_is_not_asked() -> None:
    one = exam()
    planner, scenes = Planner(one.params, vocabulary()), described(one)
    layouts: dict[str, list[Any]] = {}
    for each in one.layouts.to_pylist():
        layouts.setdefault(each["scene_id"], []).append(each)
    rows = [row for row in one.questions.to_pylist() if len(words(row["question"])) >= QUOTED]
    for row in rows[::20]:
        scene = scenes[row["scene_id"]]
        item = planner.item(scene["subtask"], scene["ordinal"])
        world = planner.world(Graph.of(scene), layouts[row["scene_id"]], one.params.render.size)
        same = next(about(planner, scene, item, world, []))
        assert same.row["question"] == row["question"]
        others = about(planner, {**scene, "prompt": row["question"]}, item, world, [])
        assert all(other.row["question"] != row["question"] for other in others)
    assert len(rows) > 100
