"""All examiners, all but one, one alone: figures by hand, and dropping as computing anew."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata, spearmanr

from lvlmbench.analysis.agreement import rank_figures, self_preference, two_way
from lvlmbench.analysis.examiners import (
    ALL,
    BASELINE,
    SINGLE,
    WITHOUT,
    Answered,
    Finding,
    findings,
)
from lvlmbench.core.seeding import generator

_RANDOM = partial(generator, 3, "agreement", "test")
#: Right of ten, by model and examiner.
_TEN = np.array([[4.0, 6.0, 8.0], [5.0, 5.0, 2.0]])
Found = dict[tuple[str, str, str, str], Finding]


def _found(given: Answered, own: dict[str, list[str]] | None = None) -> Found:
    return {each[:4]: each for each in findings(given, own or {}, _RANDOM)}


def _given(right: np.ndarray, n: float = 10.0) -> Answered:
    models, examiners = right.shape[1:]
    return Answered(
        [f"m{at}" for at in range(models)], [f"e{at}" for at in range(examiners)],
        right, np.full(right.shape, n),
    )  # fmt: skip


@pytest.fixture(scope="module")
def by_hand() -> Found:
    return _found(_given(_TEN[None]), {"m0": ["e2"]})


def test_accuracies_and_influence_by_hand(by_hand: Found) -> None:
    def value(*key: str) -> float | None:
        return by_hand[key].value  # type: ignore[index]

    assert value(BASELINE, ALL, "m0", "accuracy") == pytest.approx(60)
    assert value(BASELINE, ALL, "m1", "accuracy") == pytest.approx(40)
    assert value(WITHOUT, "e2", "m0", "accuracy") == pytest.approx(50)
    assert value(SINGLE, "e2", "m1", "accuracy") == pytest.approx(20)
    # All 50, without the first 52.5: it is strict. The second: 50 and 47.5.
    assert value(WITHOUT, "e0", ALL, "influence") == pytest.approx(-2.5)
    assert value(WITHOUT, "e1", ALL, "influence") == pytest.approx(2.5)
    assert value(WITHOUT, "e2", ALL, "influence") == pytest.approx(0)
    assert by_hand[BASELINE, ALL, "m0", "accuracy"].n == 30
    assert by_hand[SINGLE, "e2", ALL, "shift"].n == 20


def test_rankings_by_hand(by_hand: Found) -> None:
    """By the first alone the two change places; without the third they tie."""
    first = [by_hand[SINGLE, "e0", ALL, name].value for name in ("spearman", "kendall", "shift")]
    assert first == pytest.approx([-1, -1, 1])
    tied = [by_hand[WITHOUT, "e2", ALL, name].value for name in ("spearman", "kendall", "shift")]
    assert tied == [None, None, 0.5]


def test_squares_by_hand(by_hand: Found) -> None:
    """Model means .6, .4; examiner means .45, .55, .5; rests -.15, -.05, .2."""
    squares = {n: by_hand[BASELINE, ALL, ALL, f"squares_{n}"].value for n in ("model", "examiner", "error")}  # fmt: skip  # noqa: E501
    assert squares == pytest.approx({"model": 0.06, "examiner": 0.01, "error": 0.13})
    shares = [by_hand[BASELINE, ALL, ALL, f"share_{n}"].value for n in ("model", "examiner", "error")]  # fmt: skip  # noqa: E501
    assert shares == pytest.approx([30, 5, 65])
    # Mean squares .06, .005, .065: (.06 - .065) / 3 of that + (.005 - .065) / 2 + .065
    between = (0.06 - 0.065) / 3
    icc = by_hand[BASELINE, ALL, ALL, "icc"]
    assert icc.value == pytest.approx(between / (between + (0.005 - 0.065) / 2 + 0.065))
    assert icc.value == two_way(_TEN / 10).icc
    assert icc.low is not None and icc.high is not None


def test_self_preference_by_hand(by_hand: Found) -> None:
    """A model has 80 by its own examiner; 60 + 50 - 50 are expected."""
    assert by_hand[SINGLE, "e2", "m0", "self_preference"].value == pytest.approx(20)
    assert [key for key in by_hand if key[3] == "self_preference"] == [
        (SINGLE, "e2", "m0", "self_preference")
    ]
    stack = np.stack([_TEN, 2 * _TEN])
    assert self_preference(stack, [2, 1]) == pytest.approx(
        np.stack([self_preference(one, [2, 1]) for one in stack])
    )


def test_leaving_one_out_is_computing_without_its_answers() -> None:
    """Values and intervals, to the last digit, where the others' answers are the same."""
    random = generator(1, "agreement", "drop")
    right = random.integers(0, 6, (12, 4, 4)).astype(np.float64)
    scored = right + random.integers(1, 4, right.shape)
    given = Answered([*"abcd"], [*"wxyz"], right, scored)
    whole = _found(given)
    for at, name in enumerate(given.examiners):
        kept = [each for each in range(4) if each != at]
        names = [given.examiners[each] for each in kept]
        less = _found(Answered(given.models, names, right[..., kept], scored[..., kept]))
        for model in given.models:
            ours, anew = whole[WITHOUT, name, model, "accuracy"], less[BASELINE, ALL, model, "accuracy"]  # fmt: skip  # noqa: E501
            assert ours[4:] == anew[4:]
    influences = [whole[WITHOUT, name, ALL, "influence"].value for name in given.examiners]
    assert sum(influences) == pytest.approx(0)  # type: ignore[arg-type]


def test_ranks_are_those_of_scipy_with_ties_and_in_stacks() -> None:
    random = generator(2, "agreement", "ranks")
    first, second = random.integers(0, 4, (2, 200, 6)).astype(np.float64)
    rho, tau, shift = rank_figures(first, second)
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        if np.ptp(a) and np.ptp(b):
            assert rho[at] == pytest.approx(spearmanr(a, b).statistic)
        else:
            assert np.isnan(rho[at])
        assert tau[at] == pytest.approx(kendalltau(a, b).statistic, nan_ok=True)
        assert shift[at] == np.abs(rankdata(a) - rankdata(b)).max()
    # Equal but for rounding is equal.
    assert rank_figures(np.array([0.3, 0.1 + 0.2, 1]), np.array([1.0, 1, 2]))[0] == pytest.approx(1)


def test_intervals_draw_aspects() -> None:
    """A lenient examiner is told from none where there are aspects enough; of one none is known."""
    random = generator(5, "agreement", "simulated")
    chances = np.array([0.4, 0.5, 0.7])[:, None] + np.array([-0.05, -0.05, 0.1])
    right = random.binomial(4, np.broadcast_to(chances, (60, 3, 3))).astype(np.float64)
    lenient = _found(_given(right, 4.0))[WITHOUT, "e2", ALL, "influence"]
    assert lenient.low is not None and lenient.high is not None and lenient.value is not None
    assert 0 < lenient.low < lenient.value < lenient.high < 10
    few = _found(_given(right[:6], 4.0))[WITHOUT, "e2", ALL, "influence"]
    assert few.low is not None and few.high is not None
    assert few.high - few.low > 2 * (lenient.high - lenient.low)
    alone = _found(_given(_TEN[None]))
    assert alone[WITHOUT, "e0", ALL, "influence"].low is None
