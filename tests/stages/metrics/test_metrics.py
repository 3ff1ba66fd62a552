"""Metrics by hand-computed numbers and by properties."""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.config.project import project_of
from lvlmbench.stages.metrics.kinds.outcomes import COUNTS
from lvlmbench.stages.metrics.metrics import metric_rows, totals
from lvlmbench.stages.metrics.plots import headlines
from lvlmbench.stages.metrics.sensitivity import sc, sq
from support.answer_tables import params
from support.score_tables import FF, KEY, MC, TF, Row, pick, score, table

BY_HAND = [
    # multiple choice: animal 3 of 4 right, one more refused; food 1 of 2 right.
    score(0, MC, "animal", True), score(1, MC, "animal", True), score(2, MC, "animal", True),
    score(3, MC, "animal", False), score(4, MC, "animal", None, status="refused"),
    score(5, MC, "food", True, "ink"), score(6, MC, "food", False, "ink"),
    # true or false: animal 1 of 2.
    score(7, TF, "animal", True), score(8, TF, "animal", False, "ink"),
    # captions.
    score(9, FF, "food", 40.0), score(10, FF, "food", 80.0, "ink"),
]  # fmt: skip


def test_scores_by_hand() -> None:
    rows = metric_rows(table(BY_HAND))
    animal = pick(rows, "accuracy", MC, "animal")
    assert (animal["value"], animal["n"], animal["n_unscored"]) == (75.0, 4, 1)
    # Multiple choice has 4.5 of 7, half an answer at each end; animals (3 + 9/7)/6 = 5/7, and
    # four answers have 5/7 * 2/7 * 9/8 over 4.
    assert animal["stderr"] == round(100 * math.sqrt(45 / 784), 6)
    strict = pick(rows, "accuracy_strict", MC, "animal")
    assert (strict["value"], strict["n"], strict["n_unscored"]) == (60.0, 5, 1)
    # Mean over subtasks, then over types: (75 + 50)/2 = 62.5, 50, 60.
    assert pick(rows, "score", MC)["value"] == 62.5
    assert pick(rows, "score", TF)["value"] == 50.0
    assert pick(rows, "score", FF)["value"] == 60.0
    total = pick(rows, "total")
    assert total["value"] == round((62.5 + 50 + 60) / 3, 6)
    assert (total["n"], total["n_unscored"]) == (10, 1)
    assert pick(rows, "total_strict")["value"] == round((55 + 50 + 60) / 3, 6)
    assert pick(rows, "score", subtask="food")["value"] == (50 + 60) / 2
    assert pick(rows, "similarity", FF, style="ink")["value"] == 80.0
    assert pick(rows, "n_refused", MC)["value"] == 1
    assert pick(rows, "n_by_letter")["value"] == 8


def test_stderr_of_means_by_hand() -> None:
    rows = metric_rows(table(BY_HAND))
    # Independent scenes: variances add. Of food (1 + 9/7)/4 = 4/7: 4/7 * 3/7 * 8/7 over 2.
    choice = (45 / 784 + 48 / 343) / 4
    assert pick(rows, "score", MC)["stderr"] == round(100 * math.sqrt(choice), 6)
    # Captions of 0.4 and 0.8: first moments 17/30 and 7/12, second ones 13/30 and 5/12.
    caption = (5 / 12 - 49 / 144) * 8 / 7 / 2
    assert pick(rows, "similarity", FF, "food")["stderr"] == round(100 * math.sqrt(caption), 6)
    # True or false: one half, 1/4 * 8/7 over 2.
    total = (choice + 1 / 7 + caption) / 9
    assert pick(rows, "total")["stderr"] == round(100 * math.sqrt(total), 6)


def test_sensitivities_by_hand() -> None:
    # TFSQ = (80-50)/50 = 60, MCSQ = (55-25)/75 = 40; average 50; ((10)² + (10)²)/2 = 100.
    assert sq(80, 55) == 100.0
    assert sq(50, 25) == 0.0
    # Mean 60; deviations -10, 0, 10; 200/3.
    assert sc([50, 60, 70]) == pytest.approx(200 / 3)
    rows = metric_rows(table(BY_HAND))
    # MC 62.5 -> 50, TF 50 -> 0: average 25, (625 + 625)/2.
    assert pick(rows, "sq")["value"] == 625.0
    assert (pick(rows, "sq")["n"], pick(rows, "sq")["n_unscored"]) == (8, 1)
    # oil: MC 75, TF 100, captions 40 -> 215/3; ink: MC 50, TF 0, captions 80 -> 130/3.
    oil, ink = 215 / 3, 130 / 3
    assert pick(rows, "score", style="oil")["value"] == round(oil, 6)
    assert pick(rows, "sc")["value"] == round(((oil - ink) / 2) ** 2, 6)
    assert pick(rows, "sc_styles")["value"] == 2
    assert pick(rows, "sc")["n"] == 10


@given(st.floats(0, 100), st.floats(0, 100))
def test_sq_is_a_quarter_of_the_squared_gap(tf: float, mc: float) -> None:
    gap = (tf - 50) * 2 - (mc - 25) * 4 / 3
    assert sq(tf, mc) == pytest.approx(gap * gap / 4, abs=1e-6)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=51), st.floats(-50, 50))
def test_sc_is_a_variance(scores: list[float], shift: float) -> None:
    assert sc(scores) == pytest.approx(float(np.var(scores)), abs=1e-6)
    assert sc([s + shift for s in scores]) == pytest.approx(sc(scores), abs=1e-6)
    assert sc(scores[::-1]) == pytest.approx(sc(scores), abs=1e-9)


def test_questions_about_one_scene_count_as_one() -> None:
    rng = np.random.default_rng(5)
    once = [score(i, MC, "animal", bool(rng.integers(2)), scene=i) for i in range(40)]
    four = [
        {**row, "question_id": f"{i}-{copy}"} for i, row in enumerate(once) for copy in range(4)
    ]
    a = pick(metric_rows(table(once)), "accuracy", MC, "animal")
    b = pick(metric_rows(table(four)), "accuracy", MC, "animal")
    assert a["value"] == b["value"]
    assert b["stderr"] == pytest.approx(a["stderr"], rel=0.03)
    assert (b["low"], b["high"]) == pytest.approx((a["low"], a["high"]), abs=1)


def test_all_right_is_not_certain() -> None:
    rows = metric_rows(table([score(i, MC, "animal", True) for i in range(10)]))
    row = pick(rows, "accuracy", MC, "animal")
    assert (row["value"], row["high"]) == (100.0, 100.0)
    # Wilson at 10 (1 - 10/144) answers and nine degrees of freedom, whose quantile is 2.262157.
    assert row["low"] == pytest.approx(100 / (1 + 2.262157**2 * 36 / 335), abs=1e-3)


def test_one_scene_tells_next_to_nothing() -> None:
    rows = metric_rows(table([score(i, MC, "animal", i > 1, scene=1) for i in range(4)]))
    row = pick(rows, "accuracy", MC, "animal")
    assert row["value"] == 50.0
    assert row["low"] == pytest.approx(0, abs=1) and row["high"] == pytest.approx(100, abs=1)


def test_scenes_that_hang_together_make_a_number_less_sure() -> None:
    rng = np.random.default_rng(5)
    right = np.repeat(rng.integers(2, size=30), 2)
    scores = table([score(i, MC, "animal", bool(each)) for i, each in enumerate(right)])
    pairs = tables.SCENES.of([{"scene_id": f"s{i}", "pair": f"p{i // 2}"} for i in range(60)])
    apart, twins = (pick(metric_rows(scores, scenes=scenes), "total") for scenes in (None, pairs))
    assert apart["value"] == twins["value"] and apart["n"] == twins["n"] == 60
    # A twin that is answered alike says nothing more: as of half as many scenes.
    assert twins["stderr"] == pytest.approx(float(str(apart["stderr"])) * math.sqrt(2), rel=0.05)


def test_nothing_scored_is_null_and_not_zero() -> None:
    rows = metric_rows(table([
        score(0, MC, "animal", None, status="error"), score(1, MC, "animal", None),
        score(2, TF, "animal", True), score(3, TF, "animal", True),
    ]))  # fmt: skip
    row = pick(rows, "accuracy", MC, "animal")
    assert row["value"] is None and (row["n"], row["n_unscored"]) == (0, 2)
    assert pick(rows, "accuracy_strict", MC, "animal")["value"] == 0.0
    # A total without one of its types would be on another scale.
    assert pick(rows, "total")["value"] is None
    assert pick(rows, "sq")["value"] is None
    assert pick(rows, "sc")["value"] is None
    assert pick(rows, "n_error", MC)["value"] == 1 and pick(rows, "n_no_choice", MC)["value"] == 1


def test_a_score_of_zero_is_a_score() -> None:
    rows = metric_rows(table([
        score(0, MC, "animal", False), score(1, MC, "expression", True),
        score(2, FF, "animal", 0.0),
    ]))  # fmt: skip
    assert pick(rows, "score", MC)["value"] == 50.0
    assert pick(rows, "accuracy", MC, "expression")["value"] == 100.0
    assert pick(rows, "score", FF)["value"] == 0.0


def test_consensus_leaves_questions_out() -> None:
    # Without the two wrong answers to multiple choice and the one about True or False.
    rows = metric_rows(table(BY_HAND), {"0003", "0006", "0008"})
    assert pick(rows, "accuracy", MC, "animal")["value"] == 75.0
    kept = pick(rows, "accuracy", MC, "animal", questions="consensus")
    assert (kept["value"], kept["n"], kept["n_unscored"]) == (100.0, 3, 1)
    assert pick(rows, "score", MC, questions="consensus")["value"] == 100.0
    assert pick(rows, "score", FF, questions="consensus")["value"] == 60.0
    assert pick(rows, "total", questions="consensus")["value"] == round(260 / 3, 6)
    # The style has one answer of each type left but True or False: no figure on this scale.
    assert pick(rows, "score", style="ink")["value"] is not None
    assert pick(rows, "score", style="ink", questions="consensus")["value"] is None


def test_dropping_a_whole_type_leaves_no_total() -> None:
    rows = metric_rows(table(BY_HAND), {"0007", "0008"})
    assert pick(rows, "score", TF, questions="consensus")["value"] is None
    assert pick(rows, "score", TF, questions="consensus")["n"] == 0
    assert pick(rows, "total", questions="consensus")["value"] is None
    assert pick(rows, "sq", questions="consensus")["value"] is None
    assert pick(rows, "score", MC, questions="consensus")["value"] == 62.5


def test_a_dropped_question_is_dropped_in_every_scenario() -> None:
    both = [*BY_HAND, *({**row, "scenario": "corruption"} for row in BY_HAND)]
    rows = [r for r in metric_rows(table(both), {"0003"}) if r["questions"] == "consensus"]
    named = {str(r["scenario"]): r for r in rows if tuple(r[k] for k in KEY[3:]) == FOUR_ANIMALS}
    assert {k: (r["value"], r["n"]) for k, r in named.items()} == {
        "clean": (100.0, 3),
        "corruption": (100.0, 3),
    }


FOUR_ANIMALS = (MC, "animal", "all", "all", "all", "all", "accuracy")


def test_totals_are_those_of_the_table() -> None:
    both = [*BY_HAND, *({**row, "scenario": "corruption"} for row in BY_HAND[3:])]
    both.append(score(50, MC, "animal", None, model="mute"))
    rows = metric_rows(table(both))
    found = totals(table(both))
    assert found == {
        (str(r["model"]), str(r["scenario"])): r["value"]
        for r in rows
        if (r["metric"], r["questions"], r["severity"]) == ("total", "all", "all")
    }
    assert found["mute", "clean"] is None and found["m", "clean"] is not None


def test_saying_that_none_fits_is_counted() -> None:
    said = {**score(0, MC, "animal", None), "parse_method": "none_of_options"}
    rows = metric_rows(table([said, score(1, MC, "animal", None), score(2, MC, "animal", True)]))
    assert pick(rows, "n_none_of_options")["value"] == 1
    assert pick(rows, "n_no_choice")["value"] == 2
    assert pick(rows, "accuracy", MC, "animal")["n_unscored"] == 2


def test_refusals_and_failures_stand_beside_every_number() -> None:
    said = {**score(0, MC, "animal", None), "parse_method": "refusal"}
    lost = [score(i, kind, "animal", None, status=status) for i, (kind, status) in enumerate(
        [(MC, "refused"), (MC, "error"), (TF, "timeout"), (MC, "answered")], start=1)]  # fmt: skip
    caption = {**score(5, FF, "animal", None), "parse_method": "refusal"}
    right = [score(i, kind, "animal", True) for i, kind in enumerate([MC, TF], start=6)]
    read = {**score(8, MC, "animal", True), "parse_method": "logprobs"}
    rows = metric_rows(table([said, *lost, caption, *right, read, score(9, FF, "animal", 40.0)]))

    def beside(row: Row) -> tuple[object, ...]:
        return tuple(row[k] for k in ("n", "n_unscored", "n_refused", "n_failed"))

    assert beside(pick(rows, "total")) == (4, 6, 3, 2)
    assert beside(pick(rows, "total_strict")) == (10, 6, 3, 2)
    assert beside(pick(rows, "accuracy", MC, "animal")) == (2, 4, 2, 1)
    assert beside(pick(rows, "accuracy", TF, "animal")) == (1, 1, 0, 1)
    assert beside(pick(rows, "similarity", FF, "animal")) == (1, 1, 1, 0)
    assert beside(pick(rows, "sq")) == (3, 5, 2, 2)
    assert beside(pick(rows, "score", style="oil")) == (4, 6, 3, 2)
    # The counts: a refusal in words was answered, and chose nothing, but counts once.
    counts = {m: pick(rows, m)["value"] for m in COUNTS}
    assert counts == {
        "n_refused": 3, "n_truncated": 0, "n_error": 1, "n_timeout": 1, "n_no_choice": 1,
        "n_none_of_options": 0, "n_by_letter": 2, "n_by_edit_distance": 0, "n_by_logprobs": 1,
    }  # fmt: skip
    parts = ("n_refused", "n_error", "n_timeout", "n_no_choice")
    assert sum(float(str(counts[m])) for m in parts) == pick(rows, "total")["n_unscored"]


def test_unscored_is_wrong_in_the_second_number_alone() -> None:
    """Both stand in the table, for every number that has two."""
    right = [score(i, kind, "animal", 100.0 if kind == FF else True) for i, kind in
             enumerate([MC, TF, FF] * 4)]  # fmt: skip
    lost = [score(20 + i, kind, "animal", None, status="timeout") for i, kind in
            enumerate([MC, TF, FF] * 4)]  # fmt: skip
    rows = metric_rows(table([*right, *lost]))
    found = {tuple(r[k] for k in KEY): r["value"] for r in rows}
    twins = [key for key in found if str(key[-1]).endswith("_strict")]
    assert len(twins) > 20
    for key in twins:
        assert (found[key], found[(*key[:-1], str(key[-1]).removesuffix("_strict"))]) == (50, 100)


def test_no_scores_no_rows() -> None:
    assert metric_rows(table([])) == []


_SCORE = st.tuples(
    st.sampled_from([MC, TF, FF]), st.sampled_from(["animal", "style", "text"]),
    st.none() | st.booleans(), st.sampled_from(["oil", "ink"]), st.integers(0, 5),
    st.sampled_from(["m", "k"]),
)  # fmt: skip


def _rows_of(drawn: list[tuple[str, str, bool | None, str, int, str]]) -> list[Row]:
    return [
        score(
            i,
            kind,
            subtask,
            value if value is None or kind != FF else 61.5 * value,
            style,
            scene,
            model,
        )
        for i, (kind, subtask, value, style, scene, model) in enumerate(drawn)
    ]


@settings(deadline=None, max_examples=60)
@given(st.lists(_SCORE, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_order_changes_nothing(drawn: list[tuple], shuffler: object) -> None:
    rows = _rows_of(drawn)
    mixed = rows.copy()
    shuffler.shuffle(mixed)  # type: ignore[attr-defined]
    assert metric_rows(table(rows), resamples=100) == metric_rows(table(mixed), resamples=100)


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(st.lists(_SCORE, min_size=1, max_size=40), st.sets(st.integers(0, 39)))
def test_rows_are_sound(drawn: list[tuple], dropped: set[int]) -> None:
    given_rows, gone = _rows_of(drawn), {f"{i:04d}" for i in dropped}
    rows = metric_rows(table(given_rows), gone, resamples=100)
    sets = {q: [r for r in rows if r["questions"] == q] for q in ("all", "consensus")}
    one, other = ([tuple(r[k] for k in KEY[1:]) for r in part] for part in sets.values())
    assert one == other
    assert sets["all"] == [
        r for r in metric_rows(table(given_rows), resamples=100) if r["questions"] == "all"
    ]
    keys = [tuple(r[k] for k in KEY) for r in rows]
    assert len(set(keys)) == len(keys)
    for row in rows:
        counted = str(row["metric"]).startswith(("n_", "sc", "sq"))
        if row["value"] is not None and not counted:
            assert 0 <= row["value"] <= 100  # type: ignore[operator]
        if row["low"] is not None:
            assert row["low"] <= row["high"]  # type: ignore[operator]
            # SQ and SC hold sampling noise beside what their intervals are about.
            assert counted or row["low"] <= row["value"] <= row["high"]  # type: ignore[operator]
        for number in ("value", "stderr", "low", "high"):
            assert row[number] is None or math.isfinite(row[number])  # type: ignore[arg-type]
    for model in {str(r["model"]) for r in rows}:
        total, strict = (pick(rows, metric, model=model) for metric in ("total", "total_strict"))
        assert strict["n"] == total["n"] + total["n_unscored"]  # type: ignore[operator]


def test_script_writes_both_forms(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]], root: Path
) -> None:
    rows = [*BY_HAND, *({**r, "model": "chance"} for r in BY_HAND)]
    outs = []
    dropped = [{"question_id": "0003", "keep": False}, {"question_id": "0004", "keep": True}]
    tables.write_rows(dropped, tmp_path / "consensus.parquet", tables.CONSENSUS, "x")
    scenes = [{"scene_id": row["scene_id"]} for row in BY_HAND]
    tables.write_rows(scenes, tmp_path / "scenes.parquet", tables.SCENES, "x")
    levels = {MC: 0.25, TF: 0.5, FF: None}
    asked = [{**r, "chance": levels[str(r["question_type"])], "answer": "x"} for r in BY_HAND]
    tables.write_rows(asked, tmp_path / "questions.parquet", tables.QUESTIONS, "x")
    for name, parts in {"one": [rows], "two": [rows[11:], rows[:11]]}.items():
        files = [tmp_path / f"{name}-{i}.parquet" for i in range(len(parts))]
        for path, part in zip(files, parts, strict=True):
            tables.write_rows(part, path, tables.SCORES, "x")
        (tmp_path / "config.json").write_text(
            project_of(params([{"name": "chance", "engine": "chance"}])).model_dump_json()
        )
        arguments = ["--config", tmp_path / "config.json", "--scores", *files]
        arguments += ["--consensus", tmp_path / "consensus.parquet"]
        arguments += ["--questions", tmp_path / "questions.parquet"]
        arguments += ["--scenes", tmp_path / "scenes.parquet"]
        out = [tmp_path / f"{name}.metrics.parquet", tmp_path / f"{name}.json"]
        arguments += ["--out-parquet", out[0], "--out-json", out[1]]
        result = run_python(root / "scripts/metrics.py", *arguments)
        assert result.returncode == 0, result.stderr
        outs.append([path.read_bytes() for path in out])
    assert outs[0] == outs[1]  # neither shards nor their order change a byte
    tree = json.loads(outs[0][1])
    stored = tables.read([tmp_path / "one.metrics.parquet"], tables.METRICS).to_pylist()
    assert headlines(stored) == tree
    (total,) = (
        row
        for row in stored
        if row["model"] == "m" and row["questions"] == "all" and row["metric"] == "headline"
    )
    assert tree["m"] == {"clean": {"headline": round(total["value"], 2)}}
    promised = re.split(r"metrics.json` holds\s", (root / "docs/metrics.md").read_text())[1]
    assert re.findall(r"`(\w+)`", promised.split(".")[0]) == list(tree["m"]["clean"])
    order = [(r["questions"], r["model"]) for r in stored]
    assert order == sorted(order) and {q for q, _ in order} == {"all", "consensus"}
