"""How far judges agree."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.labelling.agreement import alpha
from lvlmbench.stages.judge.exam.agreement import LABELS, agreed, kappa, label_of


def test_kappa_by_hand() -> None:
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    value, low, high = kappa(pairs, [f"s{n % 10}" for n in range(50)], 1)
    assert value == pytest.approx(0.4)
    assert low is not None and high is not None and low < 0.4 < high


def test_one_label_alone_defines_no_kappa() -> None:
    assert kappa([("a", "a")] * 9, ["s"] * 9, 1) == (None, None, None)
    assert kappa([], [], 1) == (None, None, None)


def test_permuted_labels_agree_by_chance_alone() -> None:
    rng = generator(1, "test", "permuted")
    gold = rng.choice(["true", "wrong"], 5000, p=[0.7, 0.3]).tolist()
    mixed = [gold[at] for at in rng.permutation(5000).tolist()]
    scenes = [f"s{n // 10}" for n in range(5000)]
    value, low, high = kappa(list(zip(gold, mixed, strict=True)), scenes, 1)
    assert value is not None and abs(value) <= 0.05
    assert low is not None and high is not None and low < 0 < high


def test_clusters_widen_the_interval_of_alpha() -> None:
    labels, scenes = list[list[str]](), list[str]()
    rng = random.Random(2)
    for scene in range(40):
        agree = rng.random() < 0.6
        for _ in range(20):
            one = rng.choice(LABELS[:2])
            other = one if agree else LABELS[1 - LABELS.index(one)]
            labels.append([one, other])
            scenes.append(f"s{scene}")
    alone, clustered = alpha(labels, 1, LABELS), alpha(labels, 1, LABELS, scenes)
    assert alone.value == clustered.value
    assert None not in (alone.low, alone.high, clustered.low, clustered.high)
    assert (clustered.high or 0) - (clustered.low or 0) > 2 * ((alone.high or 0) - (alone.low or 0))


@pytest.mark.long
def test_judges_that_say_the_same_agree_and_others_less() -> None:
    rng = random.Random(3)
    items: list[Hashable] = list(range(300))
    one = {item: rng.choice(LABELS) for item in items}
    other = {item: rng.choice(LABELS) for item in items[:200]}
    scenes = {item: f"s{item}"[:2] for item in items}
    found = agreed({"x": one, "y": dict(one), "z": other}, scenes, 1)
    by = {(each.measure, each.judges): each for each in found}
    assert by["kappa", ("x", "y")].value == 1.0 and by["kappa", ("x", "y")].n == 300
    chance = by["kappa", ("x", "z")]
    assert chance.n == 200 and chance.value is not None and abs(chance.value) < 0.2
    assert by["alpha", ("x", "y", "z")].n == 300
    turned = dict(reversed(one.items()))
    assert agreed({"z": other, "y": one, "x": turned}, scenes, 1) == found


def test_one_judge_agrees_with_nobody() -> None:
    assert agreed({"x": {1: "true"}}, {1: "s"}, 1) == []


@pytest.mark.parametrize(
    ("verdict", "label"),
    [
        ("matched", "true"), ("broader", "true"), ("hallucinated", "wrong"),
        ("contradicted", "wrong"), ("false_denial", "neither"), ("unverifiable", "neither"),
        (None, "neither"),
    ],
)  # fmt: skip
def test_labels_of_verdicts(verdict: str | None, label: str) -> None:
    assert label_of(verdict) == label
