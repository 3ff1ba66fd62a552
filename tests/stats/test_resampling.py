"""Bootstrap intervals: the draws, the arithmetic, and how often they hold the truth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.sensitivity import sc, sq
from lvlmbench.stats import resampling
from lvlmbench.stats.resampling import Bootstrap, Spread, fixed_point
from support.pooled import pool
from support.score_tables import FF, MC, TF, Row, pick, score, table


def test_deviations_are_those_of_the_draws() -> None:
    columns = np.random.default_rng(1).normal(size=(7, 3))
    found = Bootstrap(5, "m/clean", 100).deviations(columns)
    random = generator(5, "bootstrap", "m/clean")
    for row in found:
        times = np.bincount(random.integers(0, 7, 7), minlength=7)
        assert row == pytest.approx((times - 1) @ columns, abs=1e-12)
    assert not np.array_equal(Bootstrap(5, "n/clean", 100).deviations(columns), found)
    assert not np.array_equal(Bootstrap(6, "m/clean", 100).deviations(columns), found)


def test_resamples_held_at_a_time_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = np.random.default_rng(1).normal(size=(50, 4))
    whole = Bootstrap(1, "x", 301).deviations(columns)
    for chunk in (1, 50, 333, 5000):
        monkeypatch.setattr(resampling, "_CHUNK", chunk)
        assert np.array_equal(Bootstrap(1, "x", 301).deviations(columns), whole)
    # A column's figures are its own, whatever stands beside it.
    assert np.array_equal(Bootstrap(1, "x", 301).deviations(columns[:, 2:3]), whole[:, 2:3])


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_sums_in_fixed_point_are_exact(values: list[float], shuffler: object) -> None:
    weights = [shuffler.randrange(0, 9) for _ in values]  # type: ignore[attr-defined]
    columns = np.array(values)[:, None]
    bound = np.array([sum(abs(w * v) for w, v in zip(weights, values, strict=True))])
    numbers, scale = fixed_point(columns, np.maximum(bound, np.abs(columns).max()))
    whole = [int(number) for number in numbers[:, 0]]
    assert whole == list(numbers[:, 0])
    exact = sum(w * n for w, n in zip(weights, whole, strict=True))
    assert int((np.array(weights, dtype=float) @ numbers)[0]) == exact
    true = sum(w * Fraction(v) for w, v in zip(weights, values, strict=True))
    # Each is off by half a unit at most.
    assert abs(exact - true * Fraction(scale[0])) <= Fraction(sum(weights), 2)


def test_spread_is_the_papers_equation() -> None:
    rng = np.random.default_rng(3)
    influence = rng.normal(size=(40, 3))
    spread = Spread(np.array([50.0, 60.0, 70.0]), influence)
    assert spread.value == pytest.approx(200 / 3) == pytest.approx(sc([50, 60, 70]))
    # Independent styles: (N - 1)/N of the mean squared standard error.
    apart = np.zeros((6, 3))
    apart[[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2]] = [3, -3, 1, -1, 2, -2]
    assert Spread(np.zeros(3), apart).noise == pytest.approx(2 / 3 * (18 + 2 + 8) / 3)
    # TF 80 % and MC 55 % are 60 and 40 above chance.
    assert Spread(np.array([60.0, 40.0]), np.zeros((1, 2))).value == sq(80, 55) == 100.0


def test_no_spread_of_answers_has_no_interval() -> None:
    assert Spread(np.array([100.0, 100.0]), np.zeros((9, 2))).error(np.zeros((99, 2))) is None
    rows = metric_rows(
        table([score(i, kind, "animal", True) for i, kind in enumerate([MC, TF] * 9)])
    )
    assert [pick(rows, "sq")[k] for k in ("value", "stderr", "low", "high")] == [
        0,
        None,
        None,
        None,
    ]
    assert pick(rows, "total")["low"] is not None


def made(rng: np.random.Generator, true: np.ndarray, scenes: int) -> tuple[Spread, np.ndarray]:
    """Figures of ``scenes`` scenes each, each scene's answer off by 20 points."""
    n = len(true)
    answers = rng.normal(true, 20.0, (scenes, n))
    influence = np.zeros((scenes * n, n))
    off = (answers - answers.mean(axis=0)) * np.sqrt(scenes / (scenes - 1)) / scenes
    for i in range(n):
        influence[i * scenes : (i + 1) * scenes, i] = off[:, i]
    spread = Spread(answers.mean(axis=0), influence)
    moved = Bootstrap(int(rng.integers(1 << 30)), "x", 199).deviations(spread.influence)
    return spread, moved


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("size", "n"), [(0.0, 20), (8.0, 20), (0.0, 2), (20.0, 2)])
def test_intervals_of_spreads_hold_the_truth(size: float, n: int) -> None:
    rng = np.random.default_rng(int(size) + n)
    covered = empty = 0
    for _ in range(200):
        true = rng.normal(size=n)
        true = size * (true - true.mean()) / true.std()
        spread, moved = made(rng, true, 12)
        error = spread.error(moved)
        assert error is not None
        covered += error[1] <= float(true.var()) + 1e-9 <= error[2] + 2e-9
        empty += error[1] > error[2]
    assert 0.9 <= covered / 200 <= 0.99 and empty == 0


def test_noise_alone_reaches_zero_and_real_spread_does_not() -> None:
    rng = np.random.default_rng(8)
    alike, apart = made(rng, np.zeros(20), 12), made(rng, np.linspace(-30, 30, 20), 12)
    errors = [spread.error(moved) for spread, moved in (alike, apart)]
    assert errors[0] is not None and errors[0][1] == 0.0
    assert alike[0].value > errors[0][2] / 4  # it holds noise that the interval leaves out
    true = float(np.linspace(-30, 30, 20).var())
    assert errors[1] is not None and 0.5 * true < errors[1][1] < true < errors[1][2] < 2 * true


@pytest.mark.parametrize("right", [2, 3, 5])
def test_two_types_that_come_out_alike_by_luck_are_not_shown_to_be_alike(right: int) -> None:
    """As many of six answers right in each, on other scenes: worlds apart are as likely."""
    answers = np.tile(np.where(np.arange(6) < right, 1.0, 0.0), 2).tolist()
    types = pool(answers, cell=np.repeat([0, 1], 6).tolist(), group=(0, 1))
    moved = np.column_stack([100 * types.influence(weights, 12) for weights in np.eye(2)])
    spread = Spread(100 * types.mean, moved)
    assert spread.value == 0.0
    error = spread.error(Bootstrap(1, "x", 999).deviations(spread.influence))
    assert error is not None and error[1] == 0.0
    assert error[2] > 4 * spread.noise


def test_interval_grows_with_the_unit() -> None:
    spread, moved = made(np.random.default_rng(2), np.linspace(-9, 9, 10), 8)
    double = Spread(2 * spread.offsets, 2 * spread.influence)
    one, two = spread.error(moved), double.error(2 * moved)
    assert one is not None and two == pytest.approx([4 * end for end in one])


def test_figures_that_rounding_alone_moves_have_no_interval() -> None:
    alike = Spread(np.array([50.0, 70.0]), np.array([[1e-15, -1e-15]] * 2))
    assert alike.error(np.zeros((9, 2))) is None


def test_models_that_answer_alike_have_the_same_figures() -> None:
    rng = np.random.default_rng(7)
    rows = [
        score(i, (MC, TF)[i % 2], "animal", bool(rng.integers(2)), ("oil", "ink")[i // 2 % 2])
        for i in range(80)
    ]
    found = metric_rows(table([{**r, "model": m} for m in ("one", "two") for r in rows]))
    one, two = ([r | {"model": ""} for r in found if r["model"] == m] for m in ("one", "two"))
    assert one == two
    bounds = {r["metric"]: (r["low"], r["high"]) for r in one if r["style"] == "all"}
    assert all(None not in bounds[metric] for metric in ("total", "sq", "sc"))


def test_sensitivities_leave_out_what_is_unscored() -> None:
    rng = np.random.default_rng(6)
    rows: list[Row] = []
    for i in range(60):
        kind, style = (MC, TF, FF)[i % 3], ("oil", "ink")[i % 2]
        value = float(rng.integers(99)) if kind == FF else bool(rng.integers(2))
        rows.append(score(i, kind, "animal", value, style, scene=i // 3))
    lost = [score(100 + i, r["question_type"], "animal", None, r["style"], scene=99)  # type: ignore[arg-type]
            for i, r in enumerate(rows[:12])]  # fmt: skip
    plain, more = metric_rows(table(rows)), metric_rows(table([*rows, *lost]))
    for metric in ("sq", "sq_noise", "sc", "sc_noise", "total"):
        assert pick(plain, metric)["value"] == pick(more, metric)["value"] is not None
    assert pick(more, "total_strict")["value"] < pick(more, "total")["value"]  # type: ignore[operator]
    assert pick(more, "sc")["n_unscored"] == 12 and pick(more, "sc")["n"] == 60


@pytest.mark.parametrize(
    ("clean", "published"),
    [
        (41.38, 193.6),
        (58.46, 1512.1),
        (63.64, 2497.9),
        (62.18, 1885.4),
        (79.13, 20.9),
        (82.09, 25.5),
    ],
)
def test_published_values_can_come_about(clean: float, published: float) -> None:
    """Table 3 of the paper has no scores by question type; but some must give its clean score and
    its SQ (MiniGPT-4, MiniGPT-2, Emu2-Chat, Qwen-VL-Chat, XComposer2-VL, GLM-4V)."""
    gap = 2 * published**0.5
    found = []
    for mc in np.linspace(25, 100, 301):
        for side in (-gap, gap):
            tf = 50 + ((mc - 25) / 75 * 100 + side) / 2
            captions = 3 * clean - mc - tf
            if 40 <= tf <= 100 and 20 <= captions <= 100:
                found.append(sq(tf, mc))
    assert found and found == pytest.approx([published] * len(found))
