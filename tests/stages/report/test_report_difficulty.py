"""The section on what makes questions hard: whose answers count, and when it is there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis import difficulty
from lvlmbench.core.seeding import generator
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.page import Truth
from support.report_pages import words
from support.simulated_difficulty import WEIGHTS, Questions

_FACTORS = [factor.name for factor in difficulty.FACTORS]
_QUESTION = {
    "subtask": "spatial", "granularity": "fine", "question_type": "multiple_choice",
    "question": "Which one?", "options": ["a", "b", "c", "d"], "answer": "a", "answer_index": 0,
    "chance": 0.25, "key": "k", "level": "hard",
}  # fmt: skip


class Made:
    """A suite with simulated answers, as far as the section reads it."""

    first_scenario = "clean"

    def __init__(self, folder: Path, questions: Questions, factors: bool = True) -> None:
        self.data = folder
        self.answers = questions.draw(generator(8, "difficulty", "section"))
        self.right = {f"model-{at}": row for at, row in enumerate(self.answers.right)}
        self.questions = pa.Table.from_pylist(
            [self._question(at, factors) for at in range(len(self.answers.scene))],
            schema=tables.QUESTIONS.schema,
        )

    def _question(self, at: int, factors: bool) -> dict[str, Any]:
        scene = int(self.answers.scene[at])
        row = self.answers.properties[at]
        whole = {n: v if n in ("smallest", "hidden") else int(v)
                 for n, v in zip(_FACTORS, row.tolist(), strict=True)}  # fmt: skip
        return _QUESTION | {
            "question_id": f"q{at:05}", "scene_id": f"s{scene:05}",
            "subtask": f"subtask {scene % 12}",
            "factors": whole | {"prior": None} if factors else None,
        }  # fmt: skip

    @property
    def asked(self) -> dict[str, pa.Table]:
        return {"clean": self.questions}

    def counted(self, questions: pa.Table, which: str) -> pa.Table:
        return questions

    def folder(self, table: tables.Table) -> Path:
        return table.folder(self.data)

    def shards(self, table: tables.Table, columns: list[str], model: str, scenario: str) -> Any:
        ids = self.questions["question_id"].to_pylist()
        right = [None if np.isnan(value) else bool(value) for value in self.right[model]]
        yield pa.table({"question_id": ids, "correct": pa.array(right, pa.bool_())})

    def board(self, guessers: tuple[str, ...] = ()) -> Any:
        return SimpleNamespace(models=list(self.right), guessers={*guessers}, questions="all")

    def build(self, *guessers: str) -> difficulty.Difficulty | None:
        return difficulty.build(self, self.board(guessers))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"), Questions(scenes=400))


def _shown(found: difficulty.Difficulty) -> str:
    page = environment().get_template("difficulty.html.j2")
    truth = Truth(1, 0, [])
    text = page.render(
        difficulty=found, scenario="clean", counting="all questions", truth=truth, without="",
        views=[],
    )  # fmt: skip
    return words(text)


def test_weights_stand_in_the_units_they_are_told_in(made: Made) -> None:
    found = made.build()
    assert found is not None and found.group == "subtask"
    assert (found.questions, found.scenes) == (800, 400)
    for weight, truth in zip(found.weights, WEIGHTS, strict=True):
        assert weight.weight is not None and weight.weight.low is not None
        middle = truth * weight.factor.unit
        assert weight.weight.value == pytest.approx(middle, abs=1.5 * weight.weight.width)
    assert found.weights[2].factor.unit == 0.1 and found.weights[2].weight.value < 0  # type: ignore[union-attr]
    assert found.held_out is not None and found.held_out.groups == 12


def test_it_is_told(made: Made) -> None:
    found = made.build()
    assert found is not None and found.held_out is not None
    text = _shown(found)
    assert "Size of the smallest thing" in text and "one step more" in text
    assert "model-0, model-1, model-2, model-3" in text
    assert f"log loss {found.held_out.with_properties:.3f} with the factors" in text
    assert "so they help by" in text


def test_who_guesses_does_not_count(made: Made) -> None:
    guesses = generator(1, "difficulty", "guesses").random(len(made.answers.scene)) < 0.25
    made.right["guesses"] = guesses.astype(float)
    made.right["silent"] = np.full(len(guesses), np.nan)
    try:
        found = made.build("model-0")
    finally:
        del made.right["guesses"], made.right["silent"]
    assert found is not None
    assert found.models == ["model-1", "model-2", "model-3"] and found.others == ["guesses"]
    assert "Left out, as not clearly above guessing: guesses." in _shown(found)


def test_nothing_where_all_guess(made: Made) -> None:
    assert made.build(*made.right) is None


def test_nothing_where_questions_have_no_factors(tmp_path: Path) -> None:
    assert Made(tmp_path, Questions(scenes=60), factors=False).build() is None


def test_one_sentence_where_answers_are_too_few(tmp_path: Path) -> None:
    found = Made(tmp_path, Questions(scenes=40, models=8)).build()
    assert found is not None and found.weights == [] and found.held_out is None
    told = f"Too few answers tell what makes questions hard: {found.answers:,} scored answers"
    assert f"{told} about 40 scenes." in _shown(found)


def test_what_does_not_vary_has_no_weight(tmp_path: Path) -> None:
    made = Made(tmp_path, Questions(scenes=200))
    rows = made.questions.to_pylist()
    flat = [row | {"factors": row["factors"] | {"hops": 1}} for row in rows]
    made.questions = pa.Table.from_pylist(flat, schema=tables.QUESTIONS.schema)
    found = made.build()
    assert found is not None and found.weights[4].weight is None
    assert "does not vary on its own" in _shown(found)


def test_aspects_are_held_out_where_scenes_have_some(tmp_path: Path) -> None:
    made = Made(tmp_path, Questions(scenes=200))
    scenes = sorted({*made.questions["scene_id"].to_pylist()})
    rows = [
        {
            "scene_id": scene, "subtask": "spatial", "general_no": 0, "general": "g",
            "fine_no": at % 4, "aspect": f"a{at % 4}", "called": "a", "truth": "construction",
            "level": "hard", "number": at, "examiner": "rules", "status": "made",
        }
        for at, scene in enumerate(scenes)
    ]  # fmt: skip
    place = made.folder(tables.DESCRIPTIONS) / tables.part_name(0)
    tables.write_rows(rows, place, tables.DESCRIPTIONS, "0123456789abcdef")
    found = made.build()
    assert found is not None and found.held_out is not None
    assert (found.group, found.held_out.groups) == ("aspect", 4)


def test_order_changes_nothing(made: Made) -> None:
    first = made.build()
    order = generator(2, "difficulty", "order").permutation(len(made.questions))
    before = made.questions, dict(made.right)
    try:
        made.questions = made.questions.take(pa.array(order))
        made.right = {name: row[order] for name, row in made.right.items()}
        assert made.build() == first
    finally:
        made.questions, made.right = before
