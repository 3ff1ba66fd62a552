"""What one answer adds to each measure, by hand."""

from __future__ import annotations

import pytest
from scipy.stats import kendalltau

from lvlmbench.analysis.hallucination.order import longest, order, tau_b
from lvlmbench.analysis.hallucination.released import released
from lvlmbench.analysis.hallucination.saying import at_length, by_kind, counts, headline
from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Feature, Scope
from support.told import Said, ranked, summed, thing, things, told

OBJECTS = Scope(("object",))
DOG: Said = (("object", "dog"), "matched", "o1")
CAT: Said = (("object", "cat"), "matched", "o2")
BALL: Said = (("object", "ball"), "hallucinated", None)
ANIMAL: Said = (("object", "animal"), "broader", "o1")
RED: Said = (("attribute", "dog", "color", None, "red"), "contradicted", "o1.color")
#: A dog, a cat, a tree; a sun that may be said.
TRUTH = (*things("dog", "cat", "tree"), thing("x", "sun", optional=True))


def test_claims_within_the_scope_count_and_words_once() -> None:
    sun: Said = (("object", "sun"), "matched", "x")
    found = summed(headline(told(TRUTH, [DOG, DOG, BALL, ANIMAL, sun, RED], OBJECTS)))
    # dog, animal, sun are true, ball is wrong; of dog, cat, tree the dog is covered
    assert found["faithfulness", "all"] == (3, 4)
    assert found["coverage", "all"] == (1, 3)
    assert found["claims", "all"] == (4, 1)
    assert found["faithfulness_macro", "all"] == (3 / 4, 1)
    assert found["coverage_macro", "all"] == (1 / 3, 1)
    assert found["all_true", "all"] == found["all_covered", "all"] == (0, 1)


def test_who_claims_nothing_has_no_faithfulness_and_covers_nothing() -> None:
    found = summed(headline(told(TRUTH, [], OBJECTS)))
    assert found["faithfulness", "all"] == (0, 0) and found["coverage", "all"] == (0, 3)
    assert ("faithfulness_macro", "all") not in found and ("all_true", "all") not in found
    assert found["coverage_macro", "all"] == (0, 1)


def test_who_says_all_and_nothing_else_is_all_right() -> None:
    tree: Said = (("object", "tree"), "narrower", "o3")
    found = summed(headline(told(TRUTH, [DOG, CAT, tree], OBJECTS)))
    assert found["all_true", "all"] == found["all_covered", "all"] == (1, 1)


def test_wrong_claims_by_kind() -> None:
    found = summed(by_kind(told(TRUTH, [DOG, BALL, BALL, RED])))
    assert found == {("wrong", "object"): (1, 2), ("wrong", "attribute"): (1, 1)}


def test_the_first_claims_are_those_that_are_said_first() -> None:
    found = summed(at_length(told(TRUTH, [BALL, DOG, DOG, CAT, RED])))
    # ball, dog, cat, red, in this order; of red the dog is another color
    assert found["faithfulness_at", "1"] == (0, 1)
    assert found["faithfulness_at", "2"] == (1, 2)
    assert found["faithfulness_at", "3"] == (2, 3)
    assert found["faithfulness_at", "5"] == found["faithfulness_at", "21"] == (2, 4)


def test_counts_are_apart() -> None:
    """Of three dogs in each of two panels either number is right; one tree need not be counted."""

    def counted(of: str, number: str, suffix: str = "") -> Feature:
        name = f"{of}.count{suffix}"
        return Feature(name, "count", of, "count", value=number, about=of, optional=of == "tree")

    truth = (counted("dog", "3"), counted("dog", "6", ".all"), counted("cat", "2"))
    said: list[Said] = [
        (("count", "dog", "count", None, "6"), "matched", "dog.count.all"),
        (("count", "cat", "count", None, "4"), "contradicted", "cat.count"),
        (("count", "tree", "count", None, "1"), "matched", "tree.count"),
    ]
    answer = told((*truth, counted("tree", "1")), said, OBJECTS)
    found = summed(counts(answer))
    assert found == {("count_accuracy", "said"): (2, 3), ("count_accuracy", "owed"): (1, 2)}
    assert summed(headline(answer))["claims", "all"] == (0, 1)


SIZES = Scope(("rank", "relation"), ("rank", "larger", "smaller", "same_size"))
LARGEST_FIRST = ranked("house", "car", "dog", "cup")


def named(*labels: str) -> list[Said]:
    """Objects, in this order."""
    at = {each.subject: each.feature for each in LARGEST_FIRST if each.kind == "object"}
    return [(("object", label), "matched", at[label]) for label in labels]


@pytest.mark.parametrize(
    ("labels", "run", "tau"),
    [
        (("house", "car", "dog", "cup"), 4, 1.0),
        (("cup", "dog", "car", "house"), 1, -1.0),
        (("car", "house", "dog", "cup"), 3, 4 / 6),
        (("dog", "house", "cup"), 2, 1 / 3),
        (("cup",), 1, None),
        ((), 0, None),
    ],
)
def test_order_of_mention(labels: tuple[str, ...], run: int, tau: float | None) -> None:
    found = summed(order(told(LARGEST_FIRST, named(*labels), SIZES)))
    assert found["order_lis", "all"] == (run, 4)
    assert found.get(("order_tau", "all")) == (None if tau is None else (pytest.approx(tau), 1))


def test_stated_places_go_before_the_order_of_mention() -> None:
    ranks: list[Said] = [
        (("rank", "cup", "rank", None, "-1"), "matched", "o4.rank"),
        (("rank", "house", "rank", None, "2"), "contradicted", "o1.rank"),
        (("rank", "car", "rank", None, "1"), "contradicted", "o2.rank"),
    ]
    found = summed(order(told(LARGEST_FIRST, [*named("cup", "car", "house"), *ranks], SIZES)))
    # said: car, house, ..., cup; in truth: house, car, cup: two of three pairs are right
    assert found["order_lis", "all"] == (2, 4)
    assert found["order_tau", "all"] == (pytest.approx(1 / 3), 1)


def test_one_stated_place_is_no_order() -> None:
    first: Said = (("rank", "cup", "rank", None, "1"), "contradicted", "o4.rank")
    said = [*named("house", "car", "dog", "cup"), first]
    assert summed(order(told(LARGEST_FIRST, said, SIZES)))["order_lis", "all"] == (4, 4)


def test_things_that_are_said_to_be_as_large_make_ties() -> None:
    assert longest([(1, 1), (1, 2), (2, 3)]) == 2
    assert longest([]) == 0
    # pairs: one tie, two in order: tau-b = 2 / sqrt(3 * 2)
    assert tau_b([(1, 1), (1, 2), (2, 3)]) == pytest.approx(2 / 6**0.5)
    assert tau_b([(1, 1), (1, 2)]) is tau_b([(1, 1)]) is tau_b([]) is None
    assert tau_b([(3, 1), (4, 2)]) == 1 and tau_b([(1, 2), (2, 1)]) == -1


def test_tau_b_is_scipys() -> None:
    rng = generator(3, "tau", "scipy")
    for n in range(2, 9):
        said = rng.integers(1, n + 1, n).tolist()
        true = rng.permutation(n).tolist()
        known = float(kendalltau(said, true).statistic)
        found = tau_b([*zip(said, true, strict=True)])
        assert found == pytest.approx(known) if len({*said}) > 1 else found is None


def test_nobody_is_asked_for_an_order_elsewhere() -> None:
    assert not [*order(told(LARGEST_FIRST, named("house", "car"), OBJECTS))]
    assert not [*order(told(things("house", "car"), named("house", "car"), SIZES))]


# What the published code does.

PEOPLE = Scope(("attribute", "garment", "action"))


def dressed(worn: list[list[str]]) -> tuple[Feature, ...]:
    """What people wear, from the left."""
    return tuple(
        Feature(f"p{at}.{on}", "garment", "person", "wears", what, "red", about=f"p{at}")
        for at, garments in enumerate(worn)
        for on, what in enumerate(garments)
    )


def oracle(truth: tuple[Feature, ...]) -> list[Said]:
    """All that is so, said."""
    return [
        ((f.kind, f.subject, f.relation, f.object, f.value), "matched", f.feature) for f in truth
    ]


def test_released_people_lose_their_last_garments_and_count_once() -> None:
    truth = dressed([["hat", "coat", "boots"], ["shirt"], ["cap", "dress"]])
    found = summed(released(told(truth, oracle(truth), PEOPLE)))
    # hat, coat and cap are left of six; one match for the first person, none for the second
    assert found["released_faithfulness", "all"] == (2, 6)
    assert found["released_coverage", "all"] == (2, 3)
    terse = summed(released(told(truth, oracle(truth[:1]), PEOPLE)))
    assert terse["released_faithfulness", "all"] == (1, 1)
    assert summed(headline(told(truth, oracle(truth), PEOPLE)))["faithfulness", "all"] == (6, 6)


def test_an_oracle_gets_what_running_the_published_code_gave() -> None:
    """165 people with 433 garments: faithfulness 29.8, coverage 48.1."""
    several = [["a"] * 3] * 128 + [["a"] * 13]
    worn = [*several, *[["a"]] * 36]
    assert len(worn) == 165 and sum(map(len, worn)) == 433
    truth = dressed(worn)
    found = summed(released(told(truth, oracle(truth), PEOPLE)))
    true, said = found["released_faithfulness", "all"]
    covered, owed = found["released_coverage", "all"]
    assert (round(100 * true / said, 1), round(100 * covered / owed, 1)) == (29.8, 48.1)


def test_released_positions_count_both_ways_to_say_it() -> None:
    truth = (Feature("r", "relation", "dog", "left_of", "cat"), *things("dog", "cat"))
    both: list[Said] = [
        (("relation", "dog", "left_of", "cat"), "matched", "r"),
        (("relation", "cat", "right_of", "dog"), "matched", "r"),
        (("relation", "dog", "next_to", "cat"), "broader", "r"),
        (("relation", "dog", "above", "cat"), "hallucinated", None),
    ]
    scope = Scope(("relation", "place"))
    found = summed(released(told(truth, both, scope)))
    assert found["released_coverage", "all"] == (2, 1)
    assert found["released_faithfulness", "all"] == (3, 4)
    assert summed(headline(told(truth, both, scope)))["coverage", "all"] == (1, 1)
    # annotation that has both ways owes them once
    twice = (*truth, Feature("r.1", "relation", "dog", "left_of", "cat"))
    said: list[Said] = [both[0], (("relation", "a dog", "left_of", "cat"), "matched", "r.1")]
    found = summed(released(told(twice, said, scope)))
    assert found["released_coverage", "all"] == (2, 1)


def test_released_sizes_take_away_twice_what_is_out_of_order() -> None:
    said = [*named("house", "dog", "car", "cup"), BALL]
    found = summed(released(told(LARGEST_FIRST, said, SIZES)))
    # house, dog, cup stand in order; the car does not
    assert found["released_faithfulness", "all"] == (3, 5)
    assert found["released_coverage", "all"] == (2, 4)


def test_released_objects_are_as_the_paper_has_them() -> None:
    found = summed(released(told(TRUTH, [DOG, BALL], OBJECTS)))
    assert found["released_faithfulness", "all"] == (1, 2)
    assert found["released_coverage", "all"] == (1, 3)
    assert not [*released(told(TRUTH, [DOG]))]  # no suite says which subset it is of


def test_a_number_of_thousands_of_digits_is_no_place() -> None:
    said: list[Said] = [
        (("rank", "dog", "rank", None, value), "hallucinated", "o1.rank")
        for value in ("9" * 5000, "-" + "9" * 5000, "--1", "")
    ]
    found = summed(order(told(ranked("dog", "cat"), said)))
    assert found["order_lis", "all"] == (0, 2)
