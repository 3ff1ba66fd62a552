"""Adaptive tests on the answers of a snapshot, and the section of the report that tells of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lvlmbench import tables
from lvlmbench.analysis import replay
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.page import Truth
from support.adaptive_snapshot import OTHERS, build, said, simulated, write_scores
from support.report_pages import words

GUESSERS = {"chance"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), scenes=150)


def _stored(root: Path) -> replay.Stored:
    return replay.stored_of(Snapshot.open(root), ["chance", *OTHERS], GUESSERS)


def _replayed(root: Path) -> replay.Replayed | None:
    board: Any = SimpleNamespace(models=["chance", *OTHERS], guessers=GUESSERS)
    return replay.build(Snapshot.open(root), board)


def test_each_model_is_held_against_the_next(made: Path) -> None:
    found = _replayed(made)
    assert found is not None and (found.questions, found.scenes) == (300, 150)
    lines = found.lines
    assert [line.model for line in lines][-1] == "weak"
    assert [line.rival for line in lines] == [*(line.model for line in lines[1:]), None]
    stored = _stored(made)
    for line in lines:
        assert line.accuracy == pytest.approx(np.mean(stored.right[line.model]))
        assert line.known is None or line.known_random is None or line.known < line.known_random
        if line.rival:
            away = stored.right[line.model].mean() - stored.right[line.rival].mean()
            assert line.gap == pytest.approx(away)
    last = lines[-2].by_accuracy  # the usual one and the weak one are far apart
    assert last is not None and last.better and last.agrees and last.questions < 150


def test_it_is_told(made: Path) -> None:
    found = _replayed(made)
    assert found is not None
    truth = Truth(1, 0, [])
    page = environment().get_template("adaptive.html.j2").render(
        adaptive=found, scenario="clean", counting="all questions", truth=truth, without="",
        views=[],
    )  # fmt: skip
    text = words(page)
    assert "How few of the 300 questions about 150 scenes" in text
    for line in found.lines:
        assert f"{line.model}{100 * line.accuracy:.1f}" in text.replace(" ", "")
    told, verdict = found.lines[-2], found.lines[-2].by_accuracy
    assert verdict is not None and told.gap is not None
    assert f"usual{100 * told.accuracy:.1f}{told.known}" in text.replace(" ", "")
    assert f"weak{100 * told.gap:+.1f}{verdict.questions}better" in text.replace(" ", "")


def test_rows_and_shards_in_another_order_change_nothing(made: Path, tmp_path: Path) -> None:
    other = build(tmp_path, scenes=150, shards=7)
    folder = other / "data/dysca/scores/good/clean"
    place = folder / tables.part_name(0)
    rows = tables.read([place], tables.SCORES)
    order = np.random.default_rng(1).permutation(len(rows))
    tables.write(rows.take(order), place, tables.SCORES, "x")
    assert _replayed(other) == _replayed(made)


def test_no_answer_of_a_tested_model_says_how_hard_questions_are(
    made: Path, tmp_path: Path
) -> None:
    """Another model's answers in its place leave difficulties as they are, to the last bit."""
    other = build(tmp_path, scenes=150)
    _, hard = simulated(150)
    questions = tables.read(
        sorted((other / "data/dysca/questions").iterdir()), tables.QUESTIONS
    ).to_pylist()
    write_scores(other / "data/dysca", questions, "good", said(hard, 1.0, "somebody else"))
    one, two = _stored(made), _stored(other)
    assert not np.array_equal(one.right["good"], two.right["good"])
    for tested in (("good",), ("able", "good")):
        before, after = one.bank(*tested), two.bank(*tested)
        assert before is not None and after is not None
        assert before.difficulty.tobytes() == after.difficulty.tobytes()
        assert before.steep.tobytes() == after.steep.tobytes()
    with_it = [stored.bank("fair") for stored in (one, two)]
    assert with_it[0] is not None and with_it[1] is not None
    assert not np.array_equal(with_it[0].difficulty, with_it[1].difficulty)


def test_nothing_where_models_or_scenes_are_too_few(tmp_path: Path) -> None:
    assert _replayed(build(tmp_path / "models", scenes=150, others=OTHERS[:3])) is None
    assert _replayed(build(tmp_path / "scenes", scenes=45)) is None


def test_questions_count_as_in_the_total() -> None:
    import pyarrow as pa

    kinds = ["multiple_choice"] * 4 + ["true_false"] * 2
    subtasks = ["animal", "animal", "animal", "color", "animal", "animal"]
    weights = replay._weights(pa.table({"question_type": kinds, "subtask": subtasks}))
    assert weights == pytest.approx([0.5, 0.5, 0.5, 1.5, 1.5, 1.5])
