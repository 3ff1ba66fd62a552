"""Paired comparisons: by hand, against exact tests, and whatever order the answers come in."""

from __future__ import annotations

import itertools
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lvlmbench.stages.metrics.intervals import mean_figure
from lvlmbench.stages.metrics.permutation import holm, sign_flips
from scipy.stats import binomtest

from lvlmbench import tables
from lvlmbench.config.project import project_of
from lvlmbench.stages.metrics import permutation
from lvlmbench.stages.metrics.comparisons import comparison_rows
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.panel import panels
from support.answer_tables import params
from support.score_tables import FF, MC, TF, Row, pick, score, table


def compared(rows: Sequence[Row], permutations: int = 999) -> list[Row]:
    return comparison_rows(panels([table(rows)]), 1, permutations)


def one(rows: Sequence[Row], kind: str = "all", **key: str) -> Row:
    (row,) = [
        r
        for r in rows
        if r["question_type"] == kind and all(r[name] == value for name, value in key.items())
    ]
    return row


def of(model: str, values: Sequence[float | bool | None], scenario: str = "clean") -> list[Row]:
    """Four questions about animals, two about food, two captions, each of a scene of its own."""
    kinds = [MC] * 6 + [FF] * 2
    subtasks = ["animal"] * 4 + ["food"] * 4
    return [
        score(i, kind, subtask, value, model=model, scenario=scenario)
        for i, (kind, subtask, value) in enumerate(zip(kinds, subtasks, values, strict=True))
    ]


A = of("a", [True, True, False, True, False, True, 40.0, 80.0])
B = of("b", [False, True, False, False, True, None, 10.0, 80.0])


def test_models_by_hand() -> None:
    rows = compared([*A, *B])
    assert [(r["model"], r["baseline_model"], r["question_type"]) for r in rows] == [
        ("a", "b", "all"), ("a", "b", MC), ("a", "b", FF),
    ]  # fmt: skip
    mc, captions, total = (one(rows, kind) for kind in (MC, FF, "all"))
    # Animals 100, 0, 0, 100 -> 50; food -100, the other without a partner. Captions 30, 0 -> 15.
    assert (mc["difference"], captions["difference"], total["difference"]) == (-25.0, 15.0, -5.0)
    assert [mc[k] for k in ("n", "n_better", "n_worse", "n_unpaired")] == [5, 2, 1, 1]
    assert [total[k] for k in ("n", "n_better", "n_worse", "n_unpaired")] == [7, 3, 1, 1]
    # Contributions 12.5, 12.5 and -50: all 8 signs give 25, 50 or 75.
    assert mc["p"] == 1.0
    # 15 and 0: both signs give 15.
    assert captions["p"] == 1.0
    # Half of each: 6.25, 6.25, -25, 7.5 -> -5; |sums| 45, 30, 5, 20 (twice) and 32.5, 17.5 (twice).
    sums = [
        abs(sum(s * c for s, c in zip(signs, (6.25, 6.25, -25, 7.5), strict=True)))
        for signs in itertools.product((1, -1), repeat=4)
    ]
    assert total["p"] == sum(s >= 5 for s in sums) / 16 == 1.0


def test_p_of_few_scenes_is_exact() -> None:
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(9, 20)).round(1)
    found = sign_flips(columns, 999, 1, "x")
    signs = np.array(list(itertools.product((1, -1), repeat=9)))
    sums = np.abs(signs @ columns)
    expected = (sums >= np.abs(columns.sum(axis=0)) - 1e-9).mean(axis=0)
    assert found == pytest.approx(expected, abs=0)


@pytest.mark.parametrize(("better", "worse"), [(6, 1), (3, 3), (9, 4), (12, 0), (1, 0)])
def test_exact_p_is_mcnemars(better: int, worse: int) -> None:
    """Where each scene has one closed question."""
    a = [True] * better + [False] * worse + [True] * 5 + [False] * 5
    b = [False] * better + [True] * worse + [True] * 5 + [False] * 5
    rows = [score(i, MC, "animal", v, model="a") for i, v in enumerate(a)]
    rows += [score(i, MC, "animal", v, model="b") for i, v in enumerate(b)]
    row = one(compared(rows, permutations=9999), MC)
    assert row["p"] == binomtest(better, better + worse).pvalue
    assert (row["n_better"], row["n_worse"]) == (better, worse)


def test_sampled_p_is_near_the_exact_one() -> None:
    columns = np.zeros((70, 3))
    wins = (35, 30, 26)
    for j, k in enumerate(wins):
        columns[:50, j] = np.where(np.arange(50) < k, 1.0, -1.0) / 70
    found = sign_flips(columns, 20000, 3, "x")
    for p, k in zip(found, wins, strict=True):
        exact = binomtest(k, 50).pvalue
        assert p == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 20000) ** 0.5)
    # (1 + b) / (1 + flips): never 0.
    assert sign_flips(np.ones((50, 1)), 999, 3, "x")[0] == 1 / 1000


def test_sums_that_differ_by_rounding_are_equal() -> None:
    """0.1 + 0.2 is not 0.3 in floating point, but as far from 0."""
    column = np.array([0.1, 0.2, -0.3])[:, None]
    assert sign_flips(column, 999, 1, "x")[0] == 1.0
    # |sums| 0.6, 0, 0.2, 0.4, each twice: 0.4 = 0.1 - 0.2 + ... is reached by two pairs.
    column = np.array([0.1, -0.2, 0.3])[:, None]
    assert sign_flips(column, 999, 1, "x")[0] == 6 / 8
    many = np.tile(np.array([0.1, 0.2, -0.3]), 10)[:, None]
    assert sign_flips(many, 999, 1, "x")[0] == 1.0


def test_flips_held_at_a_time_and_columns_beside_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = np.random.default_rng(5).normal(0.1, 1, size=(130, 5))
    whole = sign_flips(columns, 500, 7, "clean")
    for chunk in (1, 130, 1000):
        monkeypatch.setattr(permutation, "_CHUNK", chunk)
        assert np.array_equal(sign_flips(columns, 500, 7, "clean"), whole)
    assert np.array_equal(sign_flips(columns[:, 3:], 500, 7, "clean"), whole[3:])
    assert not np.array_equal(sign_flips(columns, 500, 7, "blind"), whole)


def test_p_is_uniform_where_nothing_differs() -> None:
    rng = np.random.default_rng(9)
    p = sign_flips(rng.normal(size=(40, 4000)), 999, 2, "x")
    for level in (0.01, 0.05, 0.5):
        error = (level * (1 - level) / 4000) ** 0.5
        assert np.mean(p <= level) == pytest.approx(level, abs=4 * error + 0.004)


def test_holm_by_hand() -> None:
    # 4 * 0.01, 3 * 0.02, 2 * 0.03 and 0.04, which may not be below the one before.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, None, 0.01]) == pytest.approx([0.5, None, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == [] and holm([None]) == [None]


def test_correction_is_over_a_family_and_type() -> None:
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    for scenario, model in itertools.product(("clean", "blind"), "abc"):
        for i in range(30):
            for j, kind in enumerate((MC, TF)):
                right = bool(rng.random() < {"a": 0.9, "b": 0.5, "c": 0.4}[model])
                number = 2 * i + j
                rows.append(
                    score(number, kind, "food", right, scene=i, model=model, scenario=scenario)
                )
    found = compared(rows)
    assert [r["family"] for r in found] == ["models"] * 18 + ["scenarios"] * 9
    for family, kind in itertools.product(("models", "scenarios"), ("all", MC, TF)):
        mine = [r for r in found if r["family"] == family and r["question_type"] == kind]
        assert len(mine) == {"models": 6, "scenarios": 3}[family]
        assert [r["p_holm"] for r in mine] == holm([r["p"] for r in mine])  # type: ignore[misc]


def test_a_large_family_gets_more_flips() -> None:
    """66 pairs and 99 flips: the least p after correction would be 0.66."""
    rng = np.random.default_rng(1)
    rows = [
        score(
            i, MC, "food", bool(rng.random() < (0.95 if model == 0 else 0.3)), model=f"{model:02d}"
        )
        for model in range(12)
        for i in range(60)
    ]
    found = [r for r in compared(rows, permutations=99) if r["question_type"] == "all"]
    assert len(found) == 66 and min(r["p"] for r in found) == 1 / (66 * 40)  # type: ignore[type-var]
    best = [r for r in found if r["model"] == "00"]
    assert all(r["p_holm"] < 0.05 and r["low"] > 0 for r in best)  # type: ignore[operator]


def test_scenarios_are_the_differences_of_the_metrics() -> None:
    noisy = of("a", [False, True, None, False, True, True, 10.0, 60.0], "corruption")
    clean = of("a", [True, True, False, True, False, None, 40.0, 80.0])
    found = compared([*clean, *noisy])
    metrics = metric_rows(table([*clean, *noisy]))
    assert {r["family"] for r in found} == {"scenarios"} and len(found) == 3
    for kind in ("all", MC, FF):
        row, metric = one(found, kind), _difference(metrics, kind)
        names = ("stderr", "low", "high", "n")
        assert row["difference"] == metric["value"] and row["n_unpaired"] == metric["n_unscored"]
        assert [row[k] for k in names] == [metric[k] for k in names]
    assert one(found, MC)["n_unpaired"] == 2
    assert (row["baseline_model"], row["baseline_scenario"]) == ("a", "clean")


def _difference(metrics: Sequence[Row], kind: str) -> Row:
    return pick(metrics, "difference", kind, model="a", scenario="corruption")


def test_images_and_questions_of_a_scene_flip_together() -> None:
    """A curve: the same answers on six images of a scene say no more than one."""
    clean = [score(i, MC, "food", True) for i in range(8)]
    wrong = [i < 5 for i in range(8)]
    done = {
        "single": [("blur", 1)],
        "curve": [(k, s) for k in ("blur", "noise") for s in (1, 2, 3)],
    }
    single, curve = (
        [
            score(i, MC, "food", not w, scenario="corruption_curve", done=kind, severity=severity)
            for i, w in enumerate(wrong)
            for kind, severity in shown
        ]
        for shown in done.values()
    )
    few, many = (one(compared([*clean, *part])) for part in (single, curve))
    assert few["p"] == many["p"] == binomtest(0, 5).pvalue
    assert (few["n"], many["n"], many["n_worse"]) == (8, 48, 30)
    assert few["low"] == many["low"] and few["stderr"] == many["stderr"]


def test_what_is_not_there_is_null_or_left_out() -> None:
    assert compared([]) == []
    assert compared(A) == []  # one model, one scenario
    mute = of("mute", [None] * 8)
    rows = compared([*A, *mute])
    assert len(rows) == 3
    for row in rows:
        numbers = ("difference", "stderr", "low", "high", "p", "p_holm")
        assert [row[k] for k in numbers] == [None] * 6
        assert (row["n"], row["n_better"]) == (0, 0) and row["n_unpaired"] in (8, 6, 2)
    # No clean: models are compared, scenarios are not. A model that is not in a scenario is not.
    blind = [*of("a", [True] * 8, "blind"), *of("b", [False] * 8, "blind"), *of("c", [True] * 8)]
    assert {(r["model"], r["baseline_model"]) for r in compared(blind)} == {("a", "b")}
    # Captions without a partner leave no total.
    half = compared([*A, *of("b", [True] * 6 + [None] * 2)])
    assert one(half)["difference"] is None and one(half, MC)["difference"] is not None
    assert one(half)["p"] is None and one(half, MC)["p_holm"] == one(half, MC)["p"]


def test_a_single_scene_tells_nothing() -> None:
    row = one(compared([score(i, MC, "food", m == "a", scene=1, model=m)
                        for i in range(4) for m in "ab"]))  # fmt: skip
    assert (row["difference"], row["stderr"], row["low"], row["p"]) == (100.0, None, None, 1.0)


_ANSWER = st.tuples(
    st.sampled_from([MC, TF, FF]), st.sampled_from(["animal", "food"]), st.integers(0, 20),
    st.sampled_from(["a", "b", "c"]), st.sampled_from(["clean", "blind"]),
    st.none() | st.booleans(),
)  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(st.lists(_ANSWER, min_size=1, max_size=60), st.integers(0, 2**32))
def test_order_and_shards_change_nothing(drawn: list[tuple], seed: int) -> None:
    rows: dict[tuple, Row] = {}
    for kind, subtask, scene, model, scenario, value in drawn:
        number = scene * 6 + (MC, TF, FF).index(kind) * 2 + ("animal", "food").index(subtask)
        given_value = 61.5 * value if kind == FF and value is not None else value
        row = score(number, kind, subtask, given_value, scene=scene, model=model, scenario=scenario)
        rows[number, model, scenario] = row
    whole = compared(list(rows.values()), 99)
    mixed = list(rows.values())
    random.Random(seed).shuffle(mixed)
    parts = [table(mixed[i::3]) for i in range(3)]
    assert comparison_rows(panels(parts), 1, 99) == whole
    for row in whole:
        if row["p"] is not None:
            assert 0 < row["p"] <= row["p_holm"] <= 1  # type: ignore[operator]
        assert row["n_better"] + row["n_worse"] <= row["n"]  # type: ignore[operator]


def test_script_writes_the_table(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]], root: Path
) -> None:
    rows = [*A, *B, *of("a", [True] * 8, "blind")]
    (tmp_path / "config.json").write_text(
        project_of(params([{"name": "chance", "engine": "chance"}])).model_dump_json()
    )
    outs = []
    for name, parts in {"one": [rows], "two": [rows[9:], rows[:9]]}.items():
        files = [tmp_path / f"{name}-{i}.parquet" for i in range(len(parts))]
        for path, part in zip(files, parts, strict=True):
            tables.write_rows(part, path, tables.SCORES, "x")
        out = tmp_path / f"{name}.comparisons.parquet"
        tables.write_rows([], tmp_path / "consensus.parquet", tables.CONSENSUS, "x")
        arguments = ["--config", tmp_path / "config.json", "--scores", *files, "--out", out]
        arguments += ["--consensus", tmp_path / "consensus.parquet"]
        result = run_python(root / "scripts/comparisons.py", *arguments)
        assert result.returncode == 0, result.stderr
        outs.append(out.read_bytes())
    assert outs[0] == outs[1]
    stored = tables.read([tmp_path / "one.comparisons.parquet"], tables.COMPARISONS).to_pylist()
    assert [r["family"] for r in stored] == ["models"] * 3 + ["scenarios"] * 3


@pytest.mark.parametrize("scenes", [2, 7, 40, 3600])
def test_where_no_pair_differs_some_may_after_all(scenes: int) -> None:
    alike = mean_figure(np.zeros(scenes), np.arange(scenes), scenes, 0.0)
    assert alike is not None and alike.stderr == 0.0
    low, high = alike.student()
    # Tango's interval of no discordant pair: z² / (n + z²), z² = 3.8415
    assert high == pytest.approx(384.1459 / (scenes + 3.841459))
    assert low == -high


def test_pairs_that_seldom_differ_are_no_point() -> None:
    """One of ten scenes is lost on average; in a third of the samples none is."""
    rng, covered = np.random.default_rng(12), 0
    for _ in range(500):
        d = np.where(rng.random(10) < 0.1, -100.0, 0.0)
        figure = mean_figure(d, np.arange(10), 10, 0.0)
        assert figure is not None
        low, high = figure.student()
        assert low is not None and high is not None and low < high
        covered += low <= -10 <= high
    assert covered / 500 >= 0.95


def test_pairs_that_cancel_within_each_scene_are_no_wider_whatever_rounding_leaves() -> None:
    scenes = np.repeat(np.arange(5), 3)
    ends = []
    for d in ((0.0, 0.0, 0.0), (33.3, 33.3, -66.6), (0.1, 0.2, -0.3), (16.7, 33.4, -50.1)):
        figure = mean_figure(np.array(d * 5), scenes, 5, 0.0)
        assert figure is not None and figure.stderr == 0.0
        ends.append(figure.student())
    assert len({*ends}) == 1
