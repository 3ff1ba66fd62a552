"""Planted answers about drawn scenes come out as they must, in every subset.

``python -m tests.planted valor`` does so at a larger scale, and with the judge that reads text.
"""

from __future__ import annotations

import pytest

from support.valor_checks.asked import Asked, Grounds, measured, value
from support.valor_checks.checks import worse
from support.valor_scenes import SUBSETS

ASKED = Asked(seed=5, scenes=8, answers=16)


def ground(name: str) -> Grounds:
    return next(each for each in ASKED.grounds if each.name == name)


@pytest.mark.parametrize("name", SUBSETS)
def test_the_truth_is_right_and_whole(name: str) -> None:
    of = ground(name)
    found = measured(of.truly(of.planted("perfect")))
    assert value(found, "faithfulness") == value(found, "coverage") == value(found, "f1") == 100
    assert value(found, "all_true") == value(found, "all_covered") == 100


@pytest.mark.parametrize("name", SUBSETS)
def test_what_is_made_up_lowers_faithfulness_alone(name: str) -> None:
    of = ground(name)
    for kind in of.kinds:
        answers = of.planted("hallucinate", kind)
        found = measured(of.truly(answers))
        plants = sum(answer.plants for answer in answers)
        assert answers and value(found, "all_true") == 0
        wrong, said = found["wrong", kind], found["faithfulness", "all"]
        assert wrong.value == pytest.approx(100 * plants / wrong.n)
        assert said.value == pytest.approx(100 * (1 - plants / said.n))


@pytest.mark.parametrize("name", SUBSETS)
def test_what_is_left_out_lowers_coverage_alone(name: str) -> None:
    of = ground(name)
    answers = of.planted("omit")
    found = measured(of.truly(answers))
    left_out = sum(answer.omitted for answer in answers)
    owed = found["coverage", "all"]
    assert answers and owed.value == pytest.approx(100 * (1 - left_out / owed.n))
    assert value(found, "faithfulness") == 100


def test_turned_sizes_have_no_order() -> None:
    of = ground("valor_sizes")
    answers = of.planted("reverse")
    found = measured(of.truly(answers))
    lis = found["order_lis", "all"]
    assert answers and lis.value == pytest.approx(100 * len(answers) / lis.n)
    assert value(found, "order_tau") == pytest.approx(-1)


@pytest.mark.parametrize("name", SUBSETS)
def test_captioners_of_falling_quality_stand_in_their_order(name: str) -> None:
    of = ground(name)
    found = [measured(worse(ASKED, of, of.planted("perfect"), q)) for q in range(8)]
    for measure in ("faithfulness", "coverage", "f1"):
        values = [value(each, measure) for each in found]
        assert values == sorted(values, reverse=True) and values[0] > values[3] > values[7]
