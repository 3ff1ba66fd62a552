"""The section on levels of pictures and of questions: effects as they were planted."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis.crossing import Crossing, build, effects
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.core.seeding import generator
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.page import Truth
from support.report_pages import words

LEVELS = ["easy", "medium", "hard"]
PAIRS = {(p if p == q else f"{p}_{q}"): (p, q) for p in LEVELS for q in LEVELS}
#: Points by which each level of a picture, each of a question, and both hard lower accuracy.
PICTURE, QUESTION, BOTH = (0, 10, 20), (0, 5, 30), -8
_MADE = {
    "granularity": "fine", "question_type": "multiple_choice", "question": "Which one?",
    "options": ["a", "b", "c", "d"], "answer": "a", "answer_index": 0, "chance": 0.25, "key": "k",
}  # fmt: skip


def cells(aspect: float) -> dict[tuple[str, str], float]:
    """Of one aspect, which is so much easier than another."""
    return {
        (p, q): aspect - PICTURE[i] - QUESTION[j] + (BOTH if i == j == 2 else 0)
        for i, p in enumerate(LEVELS)
        for j, q in enumerate(LEVELS)
    }


def test_effects_are_those_that_were_planted() -> None:
    picture, question, both = effects([*map(cells, (80, 85, 90, 92, 95))], LEVELS, 1)
    for effect, planted in ((picture, -20 + BOTH / 3), (question, -30 + BOTH / 3), (both, BOTH)):
        assert effect.points is not None and effect.aspects == 5
        ends = (effect.points.value, effect.points.low, effect.points.high)
        assert ends == pytest.approx((planted,) * 3)  # each aspect has the same


def test_an_aspect_counts_where_it_has_both_ends() -> None:
    part = {pair: v for pair, v in cells(70).items() if pair not in (("easy", "hard"),)}
    none = {("hard", "hard"): 10.0}
    picture, question, both = effects([cells(80), part, none], LEVELS, 1)
    assert (picture.aspects, question.aspects, both.aspects) == (2, 2, 1)
    assert both.points is not None and both.points.low is None  # few aspects have no interval
    assert effects([none], LEVELS, 1)[0].points is None


def test_intervals_hold_what_is_true_as_often_as_they_say() -> None:
    random_, held, runs = generator(3, "crossing", "coverage"), 0, 300
    for run in range(runs):
        aspects = []
        for _ in range(20):
            own = cells(80 + 10 * float(random_.standard_normal()))
            aspects.append({k: v + 12 * float(random_.standard_normal()) for k, v in own.items()})
        points = effects(aspects, LEVELS, run)[2].points
        assert points is not None and points.low is not None and points.high is not None
        held += points.low <= BOTH <= points.high
    assert 0.91 <= held / runs <= 0.98


class Made:
    """A suite with planted accuracies, as far as the section reads it."""

    first_scenario = "clean"
    params = SimpleNamespace(snapshot=SimpleNamespace(seed=3))

    def __init__(self, folder: Path, shuffle: int | None = None) -> None:
        self.data, rows = folder, []
        self.right: dict[str, bool | None] = {}
        described = []
        for aspect in range(12):
            for level, pair in PAIRS.items():
                for number in range(20):
                    scene = f"{aspect:02}-{level}-{number}"
                    described.append({"scene_id": scene, "subtask": "s", "aspect": f"a{aspect}"})
                    if level == "easy_hard" and aspect > 8:
                        continue
                    self.right[f"q-{scene}"] = number < round(cells(90)[pair] / 5)
                    factors = {"kinds": 2, "instances": 2, "smallest": 0.3, "hidden": 0.0,
                               "hops": LEVELS.index(pair[1]), "near": 1, "prior": None}  # fmt: skip
                    own = {"question_id": f"q-{scene}", "scene_id": scene, "subtask": "s"}
                    rows.append(_MADE | own | {"level": level, "factors": factors})
        if shuffle is not None:
            random.Random(shuffle).shuffle(rows)
        self.questions = pa.Table.from_pylist(rows, tables.QUESTIONS.schema)
        place = self.folder(tables.DESCRIPTIONS)
        if not place.exists():
            full = {"general_no": 0, "general": "g", "fine_no": 0, "called": "c", "level": "easy",
                    "number": 0, "examiner": "rules", "status": "made"}  # fmt: skip
            full |= {"truth": "construction"}
            one = place / tables.part_name(0)
            tables.write_rows([full | d for d in described], one, tables.DESCRIPTIONS, "0" * 16)

    @property
    def asked(self) -> dict[str, pa.Table]:
        return {"clean": self.questions}

    def counted(self, questions: pa.Table, which: str) -> pa.Table:
        return questions

    def folder(self, table: tables.Table) -> Path:
        return table.folder(self.data)

    def shards(self, table: tables.Table, columns: list[str], model: str, scenario: str) -> Any:
        yield pa.table({"question_id": [*self.right], "correct": [*self.right.values()]})

    def value(self, *key: str, level: str) -> Value:
        found = [self.right[q] for q, of in zip(
            self.questions["question_id"].to_pylist(), self.questions["level"].to_pylist(),
            strict=True) if of == level]  # fmt: skip
        return Value(100 * float(np.mean(found)), None, None, len(found), 0)  # type: ignore[arg-type]

    def build(self, pairs: Any = PAIRS) -> Crossing | None:
        board = SimpleNamespace(models=["model-a"], questions="all", value=self.value)
        return build(self, board, pairs)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crossed")


def test_cells_stand_by_picture_and_then_by_question(folder: Path) -> None:
    found = Made(folder).build()
    assert found is not None and found.levels == LEVELS
    line = found.lines[0]
    assert [v.value for v in line.cells[2] if v] == [70.0, 65.0, 30.0]
    assert [v.n for v in line.cells[0] if v] == [240, 240, 180]
    assert found.asked[0] == [240, 240, 180]
    assert [m["hops"] for m in found.measured[1] if m] == [0, 1, 2]
    assert line.picture.points is not None and line.picture.aspects == 12
    # 20 and 20, and 30 where easy pictures have hard questions; rounded to answers of 5 points
    assert line.picture.points.value == pytest.approx((9 * -70 / 3 + 3 * -20) / 12)
    assert line.both.points is not None and line.both.aspects == 9
    assert line.both.points.value == pytest.approx(-10)


def test_order_changes_nothing(folder: Path) -> None:
    assert Made(folder).build() == Made(folder, shuffle=4).build()


def test_nothing_where_nothing_is_crossed(folder: Path) -> None:
    assert Made(folder).build({}) is None
    assert Made(folder).build({level: (level, level) for level in LEVELS}) is None


def test_it_is_told(folder: Path) -> None:
    truth = Truth(1, 0, [])
    page = environment().get_template("crossed.html.j2")
    text = words(
        page.render(crossing=Made(folder).build(), scenario="clean", counting="all questions",
                    truth=truth, without="", views=[], crossing_tells=True)
    )  # fmt: skip
    assert "Hard question" in text and "Picture, easy to hard" in text
    assert "12 aspects" in text and "9 aspects" in text and "n 180" in text
    assert "\N{MINUS SIGN}10.0" in text
