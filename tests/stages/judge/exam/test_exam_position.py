"""Position bias, consistency and failures of scripted judges."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.exam.position import Contest, Judgement, judge_pairs, position
from lvlmbench.stages.judge.judge import Comparison, Pair
from support.judge_checks.compared import contests, quality
from support.scripted_judges import Favoring


class Shuffled(Favoring):
    """Compares all pairs, and answers in another order."""

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        found = list(super().compare(pairs))
        random.Random(3).shuffle(found)
        yield from found


def test_what_the_first_place_is_worth_is_found_and_taken_away() -> None:
    found = position(list(judge_pairs(Favoring(quality, 1.0, noise=0.5), contests(1500, 4))))
    assert found.bias is not None and found.bias.low is not None and found.bias.high is not None
    assert found.bias.value == pytest.approx(1.0, abs=0.05)
    assert found.bias.low < 1.0 < found.bias.high
    true = [quality(c.texts[0]) - quality(c.texts[1]) for c in contests(1500, 4)]
    assert found.ahead is not None
    assert found.ahead.value == pytest.approx(sum(true) / len(true), abs=0.05)


def test_without_noise_they_are_exact() -> None:
    found = position(list(judge_pairs(Favoring(quality, 0.7), contests(50, 4))))
    assert found.bias is not None and found.preferred is not None
    assert found.bias.value == pytest.approx(0.7, abs=1e-12)
    assert found.preferred.value == 1.0 and found.moved is None


def test_answers_that_are_as_good_have_no_better_one() -> None:
    alike = [replace(each, better=False) for each in contests(50, 4)]
    found = position(list(judge_pairs(Favoring(quality, 0.7), [*contests(50, 4), *alike])))
    assert found.preferred is not None and found.preferred.n == 50
    assert found.moved is not None and (found.moved.value, found.moved.n) == (1.0, 50)


def test_a_failed_round_drops_the_pair() -> None:
    judge = Favoring(quality, 1.0, fails=0.2, seed=8)
    shown = contests(400, 4)
    judged = list(judge_pairs(judge, shown))
    found = position(judged)
    failed = {key.rpartition("/")[0] for key in judge.failed}
    assert len(judged) == 400 and found.dropped == len(failed) > 50
    assert found.pairs == 400 - found.dropped
    assert {each.contest.key for each in judged if not each.kept} == failed
    assert found.statuses.total() == 800
    assert found.statuses.total() - found.statuses["judged"] == len(judge.failed)
    assert found.bias is not None and found.bias.value == pytest.approx(1.0, abs=1e-9)


def test_a_score_that_is_missing_drops_the_pair() -> None:
    contest = Contest("s", "half", 0, ("a", "b"), Truth(()))
    scores = {"back": Comparison("judged", 4.0, None)}
    rounds = {"forward": Comparison("judged", 5.0, 4.0)} | scores
    found = position([Judgement(contest, rounds)])
    assert (found.pairs, found.dropped, found.bias) == (0, 1, None)


def test_who_always_takes_the_first_flips() -> None:
    found = position(list(judge_pairs(Favoring(quality, 9.0), contests(40, 4))))
    assert found.flipped is not None and found.consistent is not None
    assert found.flipped.value == 1.0 and found.consistent.value == 0.0


def test_ties_in_both_orders_are_consistent() -> None:
    found = position(list(judge_pairs(Favoring(lambda _: 5.0, 0.0), contests(10, 4))))
    assert found.consistent is not None and found.flipped is not None
    assert found.preferred is not None
    assert (found.consistent.value, found.flipped.value, found.preferred.value) == (1.0, 0.0, 0.0)


def test_the_order_of_results_changes_nothing() -> None:
    one = position(list(judge_pairs(Favoring(quality, 1.0, 0.2, 0.5), contests(200, 4))))
    other = position(list(judge_pairs(Shuffled(quality, 1.0, 0.2, 0.5), contests(200, 4))))
    assert one == other


def test_nothing_judged_is_no_number() -> None:
    found = position(list(judge_pairs(Favoring(quality, fails=1.0), contests(5, 4))))
    assert found.bias is None and found.preferred is None and found.dropped == 5
