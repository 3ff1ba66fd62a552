"""Numbers over all subtasks, by hand."""

from __future__ import annotations

from lvlmbench.analysis.hallucination.saying import headline
from lvlmbench.analysis.hallucination.told import ALL
from lvlmbench.analysis.hallucination.totals import HEADLINE, Number, Numbers, Totals
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


def test_who_claims_nothing_in_a_subset_has_no_mean_faithfulness() -> None:
    """Both are as good in ``x``; in ``y`` the first is right in one of five, the other silent."""
    wrong: list[Said] = [(("object", word), "hallucinated", None) for word in WRONG]
    speaks = _all(x=_totals(4, 1, DOG), y=_totals(2, 0, DOG, *wrong))
    silent = _all(x=_totals(4, 1, DOG), y=_totals(2, 0))
    assert speaks["faithfulness"].value == 60.0
    found = silent["faithfulness"]
    assert (found.value, found.low, found.high) == (None, None, None)
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
