"""Numbers over all subtasks, by hand."""

from __future__ import annotations

from collections import defaultdict

import pytest

from lvlmbench.analysis.hallucination.saying import headline
from lvlmbench.analysis.hallucination.told import ALL, Part
from lvlmbench.analysis.hallucination.totals import HEADLINE, Number, Numbers, Totals
from lvlmbench.core.seeding import generator
from support.told import Said, things, told

DOG: Said = (("object", "dog"), "matched", "o1")
WRONG = ("ball", "cat", "sun", "tree")


def _totals(answers: int, unjudged: int, *said: Said) -> Totals:
    found = Totals()
    for at in range(answers):
        found.count(at >= unjudged)
    found.add("s", headline(told(things("dog"), said)))
    return found


def _all(**subtasks: Totals) -> dict[str, Number]:
    return {n.measure: n for n in Numbers(subtasks).rows() if (n.subtask, n.stratum) == (ALL, ALL)}


def test_who_claims_nothing_in_a_subset_has_the_mean_of_the_others() -> None:
    """Both are as good in ``x``; in ``y`` the first is right in one of five, the other silent.

    Whoever shows the mean names the subset that is missing.
    """
    wrong: list[Said] = [(("object", word), "hallucinated", None) for word in WRONG]
    speaks = _all(x=_totals(4, 1, DOG), y=_totals(2, 0, DOG, *wrong))
    silent = _all(x=_totals(4, 1, DOG), y=_totals(2, 0))
    assert speaks["faithfulness"].value == 60.0
    assert silent["faithfulness"].value == 100.0
    assert (silent["coverage"].value, silent["claims"].value) == (50.0, 0.5)
    # the harmonic mean of 20 and 100 is 100 / 3; nothing is 0, and counts
    assert speaks["f1"].value == round((100 + 100 / 3) / 2, 9) and silent["f1"].value == 50.0
    for measure in (*HEADLINE, "f1"):
        assert [(each[measure].answers, each[measure].unjudged) for each in (speaks, silent)] == [
            (6, 1), (6, 1),
        ]  # fmt: skip


def test_answers_over_all_are_those_of_all_subtasks() -> None:
    told_of = _totals(4, 1, DOG)
    told_of.add_pair("t", "untypical", True)
    told_of.add_pair("t", "unassociated", False)
    every = {(n.measure, n.subtask): n for n in Numbers({"x": told_of, "y": _totals(2, 0)}).rows()}
    effect = every["associative_effect", "x"], every["associative_effect", ALL]
    assert [(n.value, n.answers, n.unjudged) for n in effect] == [(100.0, 4, 1), (100.0, 6, 1)]


def test_an_effect_is_told_by_the_statistic_that_chose_the_triplets() -> None:
    told_of = _totals(4, 0, DOG)
    for triplet, statistic, says in (("t", "max", True), ("u", "avg", False), ("v", "avg", True)):
        told_of.add_pair(triplet, "untypical", says, statistic)
        told_of.add_pair(triplet, "unassociated", False, statistic)
    made = {
        n.stratum: n for n in Numbers({"x": told_of}).rows() if n.measure == "associative_effect"
    }
    values = {stratum: (round(n.value or 0), n.n) for stratum, n in made.items()}
    assert values == {ALL: (67, 3), "max": (100, 1), "avg": (50, 2)}


def _drawn(run: int, level: float) -> dict[str, Totals]:
    """Three subsets of 30 scenes: a scene's claims hang together, and so do the two sides."""
    found = {}
    for name in "abc":
        rng, totals = generator(7, "f1", f"{run}{name}{level}"), Totals()
        own = rng.beta(12 * level, 12 * (1 - level), 30)
        for at, (share, claims) in enumerate(zip(own, rng.integers(3, 10, 30), strict=True)):
            true, covered = rng.binomial(claims, share), rng.binomial(6, share * 0.8)
            sides = ("faithfulness", true, claims), ("coverage", covered, 6)
            totals.count(True)
            totals.add(f"{name}{at}", [Part(m, ALL, float(k), float(n)) for m, k, n in sides])
        found[name] = totals
    return found


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_intervals_of_f1_hold_the_truth(level: float) -> None:
    truth = 100 * 2 * level * 0.8 * level / (1.8 * level)
    held: dict[str, int] = defaultdict(int)
    runs = 200
    for run in range(runs):
        for number in Numbers(_drawn(run, level)).rows():
            if number.measure == "f1":
                assert number.low is not None and number.high is not None
                held[number.subtask] += number.low <= truth <= number.high
    assert {*held} == {"a", "b", "c", ALL}
    for count in held.values():
        assert 0.9 <= count / runs <= 0.995


def test_f1_by_hand() -> None:
    """Faithfulness 3 of 5, coverage 2 of 5: 2 * 0.6 * 0.4; nothing that is covered is 0."""

    def f1(covered: int) -> Number:
        totals = Totals()
        for at, (true, claims, hits) in enumerate(((3, 4, covered), (0, 1, 0))):
            totals.count(True)
            sides = ("faithfulness", true, claims), ("coverage", hits, 4 - 3 * at)
            totals.add(f"s{at}", [Part(m, ALL, float(k), float(n)) for m, k, n in sides])
        rows = Numbers({"x": totals}).rows()
        return next(n for n in rows if (n.measure, n.subtask) == ("f1", "x"))

    some, none = f1(2), f1(0)
    assert some.value == 48.0 and none.value == 0.0
    for found in (some, none):
        assert found.low is not None and found.high is not None and found.value is not None
        assert 0 <= found.low <= found.value < found.high <= 100


def test_twins_make_numbers_less_sure_and_the_order_of_scenes_changes_no_bit() -> None:
    totals = _drawn(1, 0.6)
    mixed = {}
    for name, of in reversed(totals.items()):
        parts = {key: dict(reversed(scenes.items())) for key, scenes in reversed(of.parts.items())}
        mixed[name] = Totals(of.answers, of.unjudged, parts)
    assert [*Numbers(mixed).rows()] == [*Numbers(totals).rows()]
    again = Totals()
    for key, scenes in totals["a"].parts.items():
        again.parts[key] = scenes | {f"t{scene}": sums for scene, sums in scenes.items()}
    names = {f"{t}a{at}": f"p{at}" for at in range(30) for t in ("", "t")}

    def width(clusters: dict[str, str]) -> float:
        rows = Numbers({"x": again}, clusters).rows()
        row = next(n for n in rows if n.measure == "faithfulness" and n.subtask == "x")
        assert row.low is not None and row.high is not None
        return row.high - row.low

    assert width(names) > 1.25 * width({})
