"""Comparators, probes, gold claims and the associative effect, by hand and simulated."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.analysis.hallucination.association import Design, associated, claims_it, effect
from lvlmbench.analysis.hallucination.comparators import Closed, comparators
from lvlmbench.analysis.hallucination.gold import against
from lvlmbench.analysis.hallucination.probes import NEGATIVES, Probe, probe_of, probed
from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Scope
from support.planted_truth import vocabulary
from support.told import Said, summed, things, told

CLOSED = Closed({word: {word} for word in ("dog", "cat", "ball", "tree")} | {"puppy": {"dog"}})
TRUTH = things("dog", "cat", "gizmo")
DOG: Said = (("object", "dog"), "matched", "o1")
CAT: Said = (("object", "cat"), "matched", "o2")
BALL: Said = (("object", "ball"), "hallucinated", None)
GADGET: Said = (("object", "gadget"), "hallucinated", None)


def test_chair_sees_what_is_on_its_list() -> None:
    found = summed(comparators(told(TRUTH, [DOG, BALL, GADGET, BALL]), CLOSED, None))
    assert found["chair_i", "all"] == (1, 2)  # dog and ball; nobody knows gadgets
    assert found["chair_s", "all"] == found["amber_hal", "all"] == (1, 1)
    assert found["amber_chair", "all"] == (1 / 2, 1)
    assert found["amber_cover", "all"] == (1 / 2, 1)  # the dog, of dog and cat
    assert ("amber_cog", "all") not in found
    unseen = summed(comparators(told(TRUTH, [DOG, GADGET]), CLOSED, None))
    assert unseen["chair_s", "all"] == (0, 1)


def test_cog_is_the_share_of_what_people_expect() -> None:
    said = [DOG, CAT, BALL, (("object", "tree"), "hallucinated", None)]
    found = summed(comparators(told(TRUTH, said), CLOSED, "Ball"))
    assert found["amber_cog", "all"] == (1 / 4, 1)
    assert ("amber_cog", "all") not in summed(comparators(told(TRUTH, [GADGET]), CLOSED, "ball"))


def test_who_names_nothing_has_no_share_of_it() -> None:
    found = summed(comparators(told(TRUTH, []), CLOSED, None))
    assert ("amber_chair", "all") not in found
    assert found["chair_i", "all"] == (0, 0) and found["amber_hal", "all"] == (0, 1)
    assert not [*comparators(told(TRUTH, [DOG], Scope(("attribute",))), CLOSED, None)]


def test_the_list_is_the_vocabularys_with_all_that_its_things_are_called() -> None:
    closed = Closed.of(vocabulary(), "pictograph")
    assert closed.knows("dog") and closed.knows("woman") and not closed.knows("freedom")
    assert closed.names("woman", "Person") and closed.names("dog", "Dog")
    assert not closed.names("cat", "dog")


def test_what_a_probe_is_stands_in_its_key() -> None:
    assert probe_of("valor_objects/true_false/probe/popular/no/3") == Probe("popular", False)
    for probe in (Probe(negatives, there) for negatives in NEGATIVES for there in (True, False)):
        assert probe_of("/".join(("a", "true_false", *probe.about(1)))) == probe
    others = ("probe", "probe/popular/1", "probe/other/yes/1", "probe/popular/maybe/1", "x/y/yes/1")
    for other in (None, "a", "a/true_false", *(f"a/true_false/{each}" for each in others)):
        assert probe_of(other) is None


def test_probes_by_hand() -> None:
    """Four things that are there, two of them seen; of two popular negatives one is claimed."""
    answers = [(True, True)] * 2 + [(True, False)] * 2 + [(False, True), (False, False)]
    parts = [part for there, right in answers for part in probed(Probe("popular", there), right)]
    found = summed(parts)
    assert found["pope_accuracy", "popular"] == (3, 6)
    assert found["pope_precision", "popular"] == (2, 3)
    assert found["pope_recall", "popular"] == (2, 4)
    assert found["pope_yes", "popular"] == (3, 6)
    over, under = found["pope_f1", "popular"]
    assert over / under == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))
    assert sum(p.n or 0 for p in parts if p[:2] == ("pope_f1", "popular")) == 6


def test_gold_claims_by_hand() -> None:
    """Said: dog, cat, ball, gadget, car, of which ball, gadget and car are not there. The judge
    finds ball and gadget, calls the cat one, too, and misses the car."""
    wrong_cat: Said = (("object", "cat"), "hallucinated", None)
    gold = {"dog": True, "cat": True, "ball": False, "gadget": False, "car": False}
    found = summed(against(told(TRUTH, [DOG, wrong_cat, BALL, GADGET]), gold, CLOSED))
    assert found["acc_f", "judge"] == (2 - 1, 3)
    assert found["acc_c", "judge"] == (4, 5)
    assert found["acc_f", "chair"] == (1 - 1, 3)
    assert found["acc_c", "chair"] == (3, 5)


def test_of_a_word_with_two_verdicts_order_does_not_matter() -> None:
    wrong: Said = (("object", "dog"), "hallucinated", None)
    for said in ([DOG, wrong], [wrong, DOG]):
        found = summed(against(told(TRUTH, said), {"dog": False}, CLOSED))
        assert found["acc_f", "judge"] == found["acc_f", "chair"] == (1, 1)


def test_who_claims_the_associated_thing() -> None:
    design = Design("untypical", "t", "dog")
    puppy: Said = (("object", "puppy"), "hallucinated", None)
    assert claims_it(told((), [puppy]), design, CLOSED)
    assert not claims_it(told((), [CAT]), design, CLOSED)
    denied: Said = (("object", "dog"), "true_denial", None)
    assert not claims_it(told((), [denied]), design, CLOSED)
    assert summed(associated(told((), [puppy]), design, CLOSED)) == {
        ("associated_claims", "untypical"): (1, 1)
    }
    assert not [*associated(told((), [puppy]), Design("random", None, None), CLOSED)]
    assert design.absent == "dog" and Design("typical", "t", "dog").absent is None


def pairs(seen: list[bool], unseen: list[bool]) -> dict[str, dict[str, list[bool]]]:
    return {
        f"t{at}": {"untypical": [a], "unassociated": [b], "typical": [True]}
        for at, (a, b) in enumerate(zip(seen, unseen, strict=True))
    }


def test_the_effect_by_hand() -> None:
    found = effect(pairs([True, True, True, False], [False, False, True, False]))
    assert found is not None
    interval, n = found
    assert (interval.value, n) == (0.5, 4)
    # a pair's difference is 1, 1, 0, 0: moments 2/5 and 3/5 of the group, 7/15 and 8/15 of the
    # cell, so that four pairs are 32/9, and half a one on each side; three degrees of freedom
    middle = 0.5 * 32 / 41
    sure = ((0.5 * 32 / 9 + 1) * 9 / 41 - middle**2) * 9 / 41
    assert interval.low == pytest.approx(middle - 3.182446305 * sure**0.5)
    assert interval.high == 1.0
    alone = {"t0": {"untypical": [True]}, "t1": {"unassociated": [False], "typical": [True]}}
    assert effect(alone) is None


def test_where_all_pairs_are_alike_the_effect_is_not_certain() -> None:
    none = effect(pairs([False] * 10, [False] * 10))
    always = effect(pairs([True] * 10, [False] * 10))
    never = effect(pairs([False] * 10, [True] * 10))
    assert none is not None and always is not None and never is not None
    # 335/36 pairs and half a one on each side; nine degrees of freedom
    far = 2.262157163 * 36 / 371
    middle, half = 335 / 371, 2.262157163 * ((1 - (335 / 371) ** 2) * 36 / 371) ** 0.5
    assert (none[0].low, none[0].high) == pytest.approx((-far, far))
    assert (always[0].low, always[0].high) == pytest.approx((middle - half, 1))
    assert (never[0].low, never[0].high) == pytest.approx((-1, half - middle))


def drawn(
    rng: np.random.Generator, seen: float, base: float, n: int
) -> dict[str, dict[str, list[bool]]]:
    return pairs((rng.random(n) < seen).tolist(), (rng.random(n) < base).tolist())


def test_a_planted_effect_is_found() -> None:
    found = effect(drawn(generator(5, "effect", "planted"), 0.4, 0.1, 2000))
    assert found is not None and found[0].value == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("n", [20, 200])
def test_without_an_effect_the_interval_holds_zero(n: int) -> None:
    held = 0
    for run in range(1000):
        found = effect(drawn(generator(5, "effect", f"none{n}/{run}"), 0.1, 0.1, n))
        assert found is not None and found[0].low is not None and found[0].high is not None
        held += found[0].low <= 0 <= found[0].high
    assert held >= 920
