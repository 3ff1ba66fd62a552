"""What the reference models answer about one thing among several, and about how many there are."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.captioning import Described
from lvlmbench.config import SUBTASKS, load_params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.answers import sort_of
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.dialogue import panels_of, turns_of
from lvlmbench.stages.answer.engine import MODELS, Item
from lvlmbench.stages.answer.looking.single import (
    COLOR,
    LOOK,
    NAME,
    NUMBER,
    ODD,
    Single,
    mentions,
    single,
)
from lvlmbench.stages.judge.kinds.lexical.exact import read_value
from lvlmbench.stages.reference.zero_shot import zero_shot
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "data" / "pinned" / "reference_a"
#: Tasks whose questions a look at single things can answer.
TASKS = tuple(
    f"touchstone_{name}" for name in ("attributes", "species", "reasoning", "differences")
)
FORMS = [
    (kind, label, re.compile(rf"(?<!\w){form}(?!\w)", re.I))
    for kind, label, form in (
        ("object", "racing car", "racing cars?"),
        ("animal", "fox", "fox(?:es)?"),
        ("object", "car", "cars?"),
        ("food", "orange", "oranges?"),
    )
]
CAR, FOX, RACER = ("object", "car"), ("animal", "fox"), ("object", "racing car")


@cache
def described() -> Described:
    """A few scenes of each task."""
    params = validate(
        {
            "suite": "touchstone",
            "kind": "touchstone",
            "snapshot": {"seed": 311},
            "corpus": {
                "drawable_by": "pictograph",
                "subtasks": list(TASKS),
                "scenes_per_subtask": 8,
            },
        }
    )
    return Described(params)


def items() -> list[Item]:
    """The questions as a model sees them, with turns and panels."""
    found = []
    for row in described().asked:
        image = described().pictures[row["scene_id"]]
        found.append(
            Item(
                row["question_id"], row["scene_id"], row["subtask"], row["question_type"],
                row["question"], (), row["question"], image, item_id("image", row["scene_id"]),
                hashlib.sha256(image).hexdigest(), turns=turns_of(row["turns"]),
                panels=panels_of(row["panels"]),
            )
        )  # fmt: skip
    return found


def test_names_that_overlap_are_taken_once_and_colors_are_no_things() -> None:
    found = mentions("Two racing cars, a fox and an orange one beside a car", FORMS)
    assert [(each.kind, each.label) for each in found] == [RACER, FOX, CAR]


@pytest.mark.parametrize(
    ("question", "before", "asked"),
    [
        ("What color is the car that is above the fox?", "",
         Single(COLOR, (CAR,), FOX, side=(1, False))),
        ("One of them is to the right of the fox. What color is that one?", "How many cars?",
         Single(COLOR, (CAR,), FOX, side=(0, True))),
        ("Counting from the left, what color is the second one?", "Which of the cars is first?",
         Single(COLOR, (CAR,), nth=1)),
        ("Going through the cars from left to right, what color is the third one?", "",
         Single(COLOR, (CAR,), nth=2)),
        ("What color is the largest of the three cars?", "", Single(COLOR, (CAR,), size=True)),
        ("How many objects in this picture are red?", "", Single(NUMBER, color="red")),
        ("How many more cars than foxes are there?", "", Single(NUMBER, (CAR, FOX))),
        ("Find the fox. How many cars are below it?", "",
         Single(NUMBER, (CAR,), FOX, side=(1, True))),
        ("All red ones are taken away. How many are left?", "",
         Single(NUMBER, color="red", without=True)),
        ("Which animal is farthest to the left?", "",
         Single(NAME, kinds=("animal",), end=(0, False))),
        ("And which one is lowest in the picture?", "Which plant is the largest?",
         Single(NAME, kinds=("plant",), end=(1, True))),
        ("Which other object is the same color as the fox?", "", Single(NAME, (), FOX, same=True)),
        ("Are there more gray cars or more gray foxes?", "",
         Single(NAME, (CAR, FOX), color="gray")),
        ("What kind of object is in all four pictures?", "", Single(NAME, everywhere=True)),
        ("How does the person farthest to the right seem to feel?", "",
         Single(LOOK, end=(0, True))),
        ("One of the four pictures is different from the others. Which one?", "", Single(ODD)),
        ("How many differences are there?", "", Single(NUMBER, changes=True)),
        ("What is written on the car?", "", None),
        ("Which day has the lowest value?", "", None),
        ("Tell a story about the fox.", "", None),
        ("Write a story in which all of them play a part.", "How many animals are there?", None),
        ("What is this?", "", None),
    ],
)  # fmt: skip
def test_words_say_what_is_asked_for(question: str, before: str, asked: Single | None) -> None:
    assert single(question, before, FORMS) == asked


def test_what_is_to_be_described_asks_for_no_single_thing() -> None:
    for name in subtasks_of("valor"):
        for question in SUBTASKS[name].questions:  # type: ignore[attr-defined]
            assert single(question, "", FORMS) is None, question
    for templates in ("default", "paper"):
        params = load_params(ROOT / "params.yaml", "dysca")
        corpus = params.corpus.model_copy(update={"scenes_per_subtask": 12})
        folder = params.templates.model_copy(update={"folder": f"data/templates/{templates}"})
        few = params.model_copy(update={"corpus": corpus, "templates": folder})
        vocabulary = load_vocabulary(vocabulary_dir(few))
        _, questions = build_shard(few, vocabulary, 0, corpus.n_scenes)
        for row in questions.to_pylist():
            if row["question_type"] == "free_form":
                assert single(row["question"], "", FORMS) is None, row["question"]


def test_wordings_of_the_tasks_are_understood() -> None:
    asks: dict[str, Any] = {"number": NUMBER, "color": COLOR}
    forms = zero_shot(FOLDER, ROOT / "data" / "vocabulary").finders((*THINGS, "landmark"))
    for row in described().asked:
        if row["accepted"] and row["subtask"] != "touchstone_differences":
            before = " ".join(turn["question"] for turn in row["turns"] or ())
            found = single(row["question"], before, forms)
            assert found is not None, row["question"]
            assert found.sort == asks.get(sort_of(row["accepted"]), NAME), row["question"]


def test_some_of_each_task_is_answered_right_and_each_answer_depends_on_its_item_alone() -> None:
    spec = ModelParams.model_validate({"name": "reference_a", "engine": "reference_a"})
    model = MODELS.get("reference_a", "test")(described().params, spec, {"reference_a": FOLDER})
    texts = {item.question_id: reply.text for item, reply in model.answer(items())}
    right: Counter[str] = Counter()
    for row in described().asked:
        if row["accepted"]:
            said = texts[row["question_id"]], row["question"], row["accepted"], row["rivals"] or ()
            right[row["subtask"]] += read_value(*said).name == "RIGHT"
    assert set(right) == {*TASKS} and all(right[name] for name in TASKS), right
    blind = [replace(item, image=None, image_sha256=None) for item in items()]
    assert all(reply.text for _, reply in model.answer(blind))
    last = items()[-3:]
    alone = {each.question_id: reply.text for each, reply in model.answer(last[::-1])}
    assert alone == {each.question_id: texts[each.question_id] for each in last}
    one = next(item for item in items() if item.turns)
    assert model.request_sha256(one) != model.request_sha256(replace(one, turns=()))
