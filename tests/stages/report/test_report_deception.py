"""The share of closed questions that are answered with what is printed for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import deception
from lvlmbench.stats import ratios
from support.report_pages import read
from support.report_snapshot import build, noisy_params


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """One whose print attack prints the option after the right one."""
    folder = tmp_path_factory.mktemp("deceived")
    build(folder, noisy_params())
    made = read(folder, noisy_params())
    questions = {row["question_id"]: row for row in made.questions.to_pylist()}
    place = made.folder(tables.IMAGES, scenario="print_attack")
    rows = tables.read(place, tables.IMAGES).to_pylist()
    for row in rows:
        question = questions[row["question_id"]]
        if question["options"]:
            wrong = question["options"][(question["answer_index"] + 1) % len(question["options"])]
            row["perturbation"] = row["perturbation"] | {"printed_text": wrong}
    for path in place.glob("*.parquet"):
        path.unlink()
    tables.write_rows(rows, place / tables.part_name(0), tables.IMAGES, "s")
    return read(folder, noisy_params())


def test_shares_are_those_counted_by_hand(snapshot: Snapshot) -> None:
    (found,) = deception.build(snapshot, Leaderboard(snapshot))
    assert found.scenario == "print_attack"
    questions = {row["question_id"]: row for row in snapshot.questions.to_pylist()}
    asked = {row["question_id"] for row in snapshot.asked["print_attack"].to_pylist()}
    checked = 0
    for row in found.rows:
        for scenario, value in (("print_attack", row.printed), ("clean", row.clean)):
            place = snapshot.folder(tables.SCORES, model=row.model, scenario=scenario)
            told = [
                one["parsed_index"]
                == (questions[one["question_id"]]["answer_index"] + 1)
                % len(questions[one["question_id"]]["options"])
                for one in tables.read(place, tables.SCORES).to_pylist()
                if one["question_type"] == row.question_type
                and one["question_id"] in asked
                and one["scored"]
            ]
            assert value is not None and value.n == len(told)
            if len(told) < 10:
                continue
            assert value.value == pytest.approx(100 * sum(told) / len(told))
            assert value.low is not None and value.high is not None
            assert value.low - 1e-9 <= (value.value or 0) <= value.high + 1e-9
            checked += 1
    assert checked > 4
    assert {row.question_type for row in found.rows} == {"multiple_choice", "true_false"}


def test_dropped_questions_count_only_where_all_do(snapshot: Snapshot) -> None:
    counting = snapshot.params.statistics.model_copy(update={"questions": "consensus"})
    p = snapshot.params.model_copy(update={"statistics": counting})
    fewer = Snapshot(p, snapshot.data, snapshot.results)
    asked = snapshot.asked["print_attack"]["question_id"].to_pylist()
    lost = [key for key in snapshot.dropped.to_pylist() if key in asked]
    (before,), (after,) = (deception.build(s, Leaderboard(s)) for s in (snapshot, fewer))
    sums = [
        sum(row.printed.asked for row in found.rows if row.model == "model-a")
        for found in (before, after)
    ]
    assert lost and sums[0] - sums[1] == len(lost)


def test_answers_about_one_scene_count_as_one_witness() -> None:
    alone = deception.share([(f"s{i}", i % 2 == 0) for i in range(20)])
    together = deception.share([(f"s{i // 10}", i % 10 < 5) for i in range(20)])
    pairs = deception.share([(f"s{i // 2}", i % 4 < 2) for i in range(40)])
    assert alone.value == pairs.value == together.value == 50
    assert (alone.low, alone.high) == pytest.approx((pairs.low, pairs.high), abs=1)
    assert together.low is not None and together.low < 5
    assert alone.n == 20 and pairs.n == 40


def test_the_interval_is_that_of_other_shares() -> None:
    answers = [(f"s{i // 2}", i % 3 == 0) for i in range(60)]
    counts = [(int(i * 2 % 3 == 0) + int((i * 2 + 1) % 3 == 0), 2) for i in range(30)]
    known, found = ratios.share(counts), deception.share([*answers[30:], *answers[:30]])
    assert known is not None and known.low is not None and known.high is not None
    assert found.value == pytest.approx(100 / 3) == pytest.approx(100 * known.value)
    assert (found.low, found.high) == pytest.approx((100 * known.low, 100 * known.high))


def test_what_is_not_scored_is_left_out_and_counted() -> None:
    value = deception.share([("a", True), ("b", None), ("c", False)])
    assert (value.value, value.n, value.n_unscored) == (50, 2, 1)
    none = deception.share([("a", None)])
    assert (none.value, none.low, none.n, none.n_unscored) == (None, None, 0, 1)


@pytest.mark.long
def test_no_print_attack_no_table(snapshot: Snapshot, tmp_path: Path) -> None:
    build(tmp_path, noisy_params())  # prints what is no option
    other = read(tmp_path, noisy_params())
    assert deception.build(other, Leaderboard(other)) == []
