"""Paired comparisons: by hand, beside exact tests, and whatever order the answers come in."""

from __future__ import annotations

import itertools
import math
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from lvlmbench import tables
from lvlmbench.config.project import project_of
from lvlmbench.stages.metrics.comparisons import comparison_rows
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.panel import panels
from lvlmbench.stats.testing import holm
from support.answer_tables import params
from support.score_tables import FF, MC, TF, Row, pick, score, table


def compared(rows: Sequence[Row], *outside: str) -> list[Row]:
    return comparison_rows(panels([table(rows)]), outside)


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
    # Closed pairs: moments of the type 1/6 and 4/6; of animals 7/18 and 5/9, of food -2/9 and 7/9.
    animals, food = (5 / 9 - (7 / 18) ** 2) * 9 / 8 / 4, (7 / 9 - (2 / 9) ** 2) * 9 / 8
    assert mc["stderr"] == round(100 * math.sqrt((animals + food) / 4), 6)
    for row in rows:
        # Two models, so that one comparison is made and nothing is corrected.
        assert row["p"] == row["p_holm"] and row["p"] > 0.05  # type: ignore[operator]
        assert row["low"] < row["difference"] < row["high"]  # type: ignore[operator]


@pytest.mark.parametrize(("better", "worse"), [(6, 1), (3, 3), (9, 4), (12, 0), (1, 0), (30, 12)])
def test_p_is_near_mcnemars_exact_one(better: int, worse: int) -> None:
    """Where each scene has one closed question; the exact test is the more careful one."""
    a = [True] * better + [False] * worse + [True] * 15 + [False] * 15
    b = [False] * better + [True] * worse + [True] * 15 + [False] * 15
    rows = [score(i, MC, "animal", v, model="a") for i, v in enumerate(a)]
    rows += [score(i, MC, "animal", v, model="b") for i, v in enumerate(b)]
    row, exact = one(compared(rows), MC), binomtest(better, better + worse).pvalue
    assert (row["n_better"], row["n_worse"]) == (better, worse)
    assert 0.2 * exact <= row["p"] <= exact + 0.02  # type: ignore[operator]


def random_rows(seed: int, skills: dict[str, float], scenes: int = 30) -> list[Row]:
    """Two closed questions about each scene, in two scenarios."""
    rng, rows = np.random.default_rng(seed), []
    for scenario, model in itertools.product(("clean", "blind"), skills):
        for i, (j, kind) in itertools.product(range(scenes), enumerate((MC, TF))):
            right = bool(rng.random() < skills[model])
            rows.append(
                score(2 * i + j, kind, "food", right, scene=i, model=model, scenario=scenario)
            )
    return rows


def test_correction_is_over_pairs_of_a_scenario_by_type() -> None:
    found = compared(random_rows(3, {"a": 0.9, "b": 0.5, "c": 0.4}))
    assert [r["family"] for r in found] == ["models"] * 18 + ["scenarios"] * 9
    for (family, scenario), kind in itertools.product(
        (("models", "clean"), ("models", "blind"), ("scenarios", "blind")), ("all", MC, TF)
    ):
        mine = [
            r for r in found
            if (r["family"], r["scenario"], r["question_type"]) == (family, scenario, kind)
        ]  # fmt: skip
        assert len(mine) == 3
        corrected = holm([r["p"] for r in mine])  # type: ignore[misc]
        assert [r["p_holm"] for r in mine] == pytest.approx(corrected, abs=1e-5)


def test_what_is_not_under_test_corrects_nothing() -> None:
    """Guessing and a reference are compared, but make nobody's difference less sure."""
    rows = random_rows(3, {"a": 0.9, "b": 0.6, "chance": 0.4, "reference": 0.9})
    two = [row for row in rows if row["model"] in ("a", "b")]
    alone, among = compared(two), compared(rows, "chance", "reference")
    same = [r for r in among if {r["model"], r["baseline_model"]} <= {"a", "b"}]
    assert same == alone
    for row in among:
        if {row["model"], row["baseline_model"]} & {"chance", "reference"}:
            assert row["p"] == row["p_holm"]
    assert len([r for r in among if r["family"] == "models"]) == 6 * 2 * 3


@pytest.mark.parametrize("scenes", [4, 6, 12, 60])
def test_an_interval_leaves_0_out_exactly_where_the_corrected_p_is_below_5_percent(
    scenes: int,
) -> None:
    """Also where it reaches beyond 100 points before it is corrected."""
    shown = 0
    for seed in range(6):
        skills = {"a": 1.0, "b": 0.95, "c": 0.6, "d": 0.3, "e": 0.0}
        for row in compared(random_rows(seed, skills, scenes), "e"):
            low, high = float(str(row["low"])), float(str(row["high"]))
            assert -100 <= low <= high <= 100
            out = low > 0 or high < 0
            shown += out
            if abs(float(str(row["p_holm"])) - 0.05) > 1e-5:
                assert out == (float(str(row["p_holm"])) < 0.05)
    assert shown or scenes < 6


def test_many_comparisons_still_show_what_is_clear() -> None:
    """66 pairs of 60 scenes."""
    rng = np.random.default_rng(1)
    rows = [
        score(
            i, MC, "food", bool(rng.random() < (0.95 if model == 0 else 0.3)), model=f"{model:02d}"
        )
        for model in range(12)
        for i in range(60)
    ]
    found = [r for r in compared(rows) if r["question_type"] == "all"]
    best = [r for r in found if r["model"] == "00"]
    assert len(found) == 66 and len(best) == 11
    assert all(r["p_holm"] < 0.05 and r["low"] > 0 for r in best)  # type: ignore[operator]


def test_twins_that_fall_alike_count_as_one() -> None:
    rows = random_rows(5, {"a": 0.8, "b": 0.6}, 40)
    rows = [row for row in rows if row["scenario"] == "clean"]
    again = [
        row | {"question_id": f"t{row['question_id']}", "scene_id": f"t{row['scene_id']}"}
        for row in rows
    ]
    scenes = [
        {"scene_id": row["scene_id"], "pair": str(row["scene_id"]).removeprefix("t")}
        for row in [*rows, *again]
    ]
    once = one(compared(rows))
    apart = one(comparison_rows(panels([table([*rows, *again])])))
    twins = one(comparison_rows(panels([table([*rows, *again])], tables.SCENES.of(scenes))))
    assert once["difference"] == apart["difference"] == twins["difference"]
    assert twins["p"] == pytest.approx(once["p"], rel=0.2) and twins["p"] > apart["p"]
    assert twins["stderr"] == pytest.approx(once["stderr"], rel=0.05)
    assert apart["stderr"] == pytest.approx(float(str(once["stderr"])) / math.sqrt(2), rel=0.05)


def test_scenarios_are_the_differences_of_the_metrics() -> None:
    noisy = of("a", [False, True, None, False, True, True, 10.0, 60.0], "corruption")
    clean = of("a", [True, True, False, True, False, None, 40.0, 80.0])
    found = compared([*clean, *noisy])
    metrics = metric_rows(table([*clean, *noisy]))
    assert {r["family"] for r in found} == {"scenarios"} and len(found) == 3
    for kind in ("all", MC, FF):
        row, metric = one(found, kind), _difference(metrics, kind)
        names = ("stderr", "low", "high", "n")  # one comparison is corrected by nothing
        assert row["difference"] == metric["value"] and row["n_unpaired"] == metric["n_unscored"]
        assert [row[k] for k in names] == [metric[k] for k in names]
    assert one(found, MC)["n_unpaired"] == 2
    assert (row["baseline_model"], row["baseline_scenario"]) == ("a", "clean")


def _difference(metrics: Sequence[Row], kind: str) -> Row:
    return pick(metrics, "difference", kind, model="a", scenario="corruption")


def test_images_of_a_scene_hang_together() -> None:
    """A curve: the same answers on six images of a scene say no more than one."""
    clean = [score(i, MC, "food", True) for i in range(24)]
    wrong = [i < 15 for i in range(24)]
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
    assert (few["n"], many["n"], many["n_worse"]) == (24, 144, 90)
    assert many["p"] == pytest.approx(few["p"], rel=0.3)
    assert many["stderr"] == pytest.approx(few["stderr"], rel=0.03)
    assert many["low"] == pytest.approx(few["low"], rel=0.1)


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


def test_a_single_scene_shows_nothing() -> None:
    row = one(compared([score(i, MC, "food", m == "a", scene=1, model=m)
                        for i in range(4) for m in "ab"]))  # fmt: skip
    assert (row["difference"], row["low"], row["high"]) == (100.0, -100.0, 100.0)
    assert row["p"] > 0.05  # type: ignore[operator]


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
    whole = compared(list(rows.values()))
    mixed = list(rows.values())
    random.Random(seed).shuffle(mixed)
    parts = [table(mixed[i::3]) for i in range(3)]
    assert comparison_rows(panels(parts)) == whole
    for row in whole:
        if row["p"] is not None:
            assert 0 <= row["p"] <= row["p_holm"] <= 1  # type: ignore[operator]
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
        tables.write_rows([], tmp_path / "scenes.parquet", tables.SCENES, "x")
        tables.write_rows(A, tmp_path / "questions.parquet", tables.QUESTIONS, "x")
        arguments += ["--scenes", tmp_path / "scenes.parquet"]
        arguments += ["--questions", tmp_path / "questions.parquet"]
        result = run_python(root / "scripts/comparisons.py", *arguments)
        assert result.returncode == 0, result.stderr
        outs.append(out.read_bytes())
    assert outs[0] == outs[1]
    stored = tables.read([tmp_path / "one.comparisons.parquet"], tables.COMPARISONS).to_pylist()
    assert [r["family"] for r in stored] == ["models"] * 3 + ["scenarios"] * 3
