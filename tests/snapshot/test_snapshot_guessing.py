"""What guesses and constant answers get, from the questions alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench.snapshot.guessing import best_constants, constants, with_chance
from lvlmbench.tables import QUESTIONS

Row = dict[str, Any]


def table(rows: list[Row]) -> pa.Table:
    own = [
        {"question_id": f"{n}", "scene_id": f"{n}", "subtask": "s", "chance": 0.0, **row}
        for n, row in enumerate(rows)
    ]
    return pa.Table.from_pylist(own, QUESTIONS.schema)


def short(answer: str, **more: Any) -> Row:
    return {"question_type": "short_answer", "answer": answer, "options": [], **more}


def choice(at: int, options: int = 4, **more: Any) -> Row:
    offered = [f"{at}-{n}" for n in range(options)]
    return {
        "question_type": "multiple_choice", "options": offered, "answer": offered[at],
        "answer_index": at, "chance": 1 / options, **more,
    }  # fmt: skip


def chance(rows: list[Row]) -> list[float | None]:
    found: list[float | None] = with_chance(table(rows))["chance"].to_pylist()
    return found


def test_the_chance_of_a_short_answer_is_how_many_others_have_it() -> None:
    rows = [short(a) for a in ("2", "2", "2", "3", "red", "blue", "archery")]
    # Among three other numbers two are 2; a color is never compared with a number.
    assert chance(rows) == pytest.approx([2 / 3, 2 / 3, 2 / 3, 0, 0, 0, 0])
    closed = [choice(1), {"question_type": "free_form", "answer": "A fox.", "chance": None}]
    assert chance([*closed, *rows])[:2] == [0.25, None]
    assert with_chance(table(closed)).equals(table(closed))


def test_twins_and_copies_do_not_count_for_each_other() -> None:
    twins = [short(a, pair=p) for p, a in (("p", "1"), ("p", "2"), ("q", "1"), ("q", "2"))]
    assert chance(twins) == [0.5] * 4
    copies = [short("1", base="b"), short("1", base="b"), short("1", scene_id="b"), short("2")]
    assert chance(copies) == [0, 0, 0, 0]


def test_chance_is_the_sum_of_squared_shares_without_bias() -> None:
    shares = {"1": 0.5, "2": 0.3, "3": 0.2}
    rng = np.random.default_rng(7)
    draws = rng.choice([*shares], (600, 8), p=[*shares.values()]).tolist()
    means = [np.mean(np.array(chance([*map(short, each)]), float)) for each in draws]
    assert np.mean(means) == pytest.approx(sum(s * s for s in shares.values()), abs=0.015)


def test_what_constant_answers_get() -> None:
    rows = [choice(0), choice(1), choice(1, subtask="t"), choice(1, 2, subtask="t"), choice(3)]
    words = [("True", 0), ("True", 1), ("True", 1), ("False", 1)]
    rows += [
        {
            "question_type": "true_false", "answer": a, "answer_index": at,
            "options": ["True", "False"] if (a == "True") == (at == 0) else ["False", "True"],
        }
        for a, at in words
    ]  # fmt: skip
    rows += [short("2"), short("2"), short("1"), short("red")]
    found = {
        (c.question_type[:2], c.answer): (c.right, c.n, c.value) for c in constants(table(rows))
    }
    assert found == {
        ("mu", "always (A)"): (1, 5, pytest.approx(100 / 6)),  # a third of s, none of t
        ("mu", "always (B)"): (3, 5, pytest.approx(100 * (1 / 3 + 1) / 2)),
        ("mu", "always (C)"): (0, 5, 0),
        ("mu", "always (D)"): (1, 5, pytest.approx(100 / 6)),
        ("tr", "always (A)"): (1, 4, 25),
        ("tr", "always (B)"): (3, 4, 75),
        ("tr", "always True"): (3, 4, 75),
        ("tr", "always False"): (1, 4, 25),
        ("sh", "always 2, red"): (3, 4, 75),
    }
    best = best_constants(table(rows))
    assert [each.answer for each in best.values()] == ["always (B)", "always (B)", "always 2, red"]
    assert constants(table([])) == []
