"""Agreement of labels: against numbers worked out by hand and by Krippendorff himself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lvlmbench.labelling.agreement import agreement, alpha, majority
from lvlmbench.labelling.given import Given
from lvlmbench.labelling.sheet import Item


def item(n: int, group: str) -> Item:
    return Item.of((f"image {n}", f"sha {n}"), "asks", ["line"], group)


def said(rater: str, labels: dict[Item, str], **others: str) -> Given:
    given = {each.item_id: {"label": label} for each, label in labels.items()}
    given |= {name: {"label": label} for name, label in others.items()}
    return Given.model_validate(
        {
            "format": "lvlmbench-labels-1", "sheet": "removals", "suite": "dysca", "rater": rater,
            "labels": given,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["right"], "right"),
        (["right", "wrong"], "unclear"),
        (["right", "wrong", "wrong"], "wrong"),
        (["unclear", "wrong", "right"], "unclear"),
        (["right", "right", "wrong", "wrong"], "unclear"),
    ],
)
def test_most_raters_decide(labels: list[str], expected: str) -> None:
    assert majority(labels) == expected


def test_groups_are_counted_by_hand() -> None:
    removed, kept = [item(n, "removed") for n in range(5)], [item(n, "kept") for n in range(5, 9)]
    anna = said("anna", {removed[0]: "wrong", removed[1]: "wrong", removed[2]: "right",
                         kept[0]: "right"}, **{"e" * 32: "wrong"})  # fmt: skip
    ben = said(
        "ben", {removed[0]: "wrong", removed[1]: "right", kept[0]: "right", kept[1]: "right"}
    )
    found = agreement([*removed, *kept], [anna, ben], 1)
    assert found.raters == [("anna", 4), ("ben", 4)]
    assert found.elsewhere == 1
    first, second = found.groups
    assert (first.words, first.total, first.labelled) == ("removed", 5, 3)
    assert (first.right, first.wrong, first.unclear) == (1, 1, 1)
    assert first.share == 50
    low, high = first.interval or (0, 0)
    assert low == pytest.approx(9.45, abs=0.01) and high == pytest.approx(90.55, abs=0.01)
    assert (second.right, second.wrong, second.unclear, second.share) == (2, 0, 0, 0)
    assert found.alpha.items == 3


def test_nobody_has_labelled_a_group() -> None:
    found = agreement(
        [item(0, "removed"), item(1, "kept")], [said("anna", {item(1, "kept"): "unclear"})], 1
    )
    assert [(g.labelled, g.share, g.interval) for g in found.groups] == [
        (0, None, None), (1, None, None),
    ]  # fmt: skip
    assert (found.alpha.items, found.alpha.value) == (0, None)


def test_alpha_is_that_of_the_definition() -> None:
    """1 - observed / expected disagreement, from the coincidences of each pair of raters."""
    rng = np.random.default_rng(3)
    names = ["right", "wrong", "unclear"]
    labels = [[names[i] for i in rng.integers(0, 3, size=rng.integers(1, 5))] for _ in range(60)]
    pairs = [
        (a, b, 1 / (len(row) - 1))
        for row in labels if len(row) > 1
        for i, a in enumerate(row) for j, b in enumerate(row) if i != j
    ]  # fmt: skip
    n = math.fsum(w for _, _, w in pairs)
    of = {name: math.fsum(w for a, _, w in pairs if a == name) for name in names}
    observed = math.fsum(w for a, b, w in pairs if a != b) / n
    expected = sum(of[a] * of[b] for a in names for b in names if a != b) / (n * (n - 1))
    found = alpha(labels, 1)
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-6)
    assert found.low is not None and found.high is not None
    assert found.low < 0 < found.high  # these raters guess


def test_full_agreement_and_its_absence() -> None:
    both = [["right", "right"], ["wrong", "wrong"]] * 20
    assert alpha(both, 1).value == 1
    assert alpha([["right", "wrong"]] * 40, 1).value == pytest.approx(-1, abs=0.05)
    alike = alpha([["right", "right"]] * 5, 1)
    assert (alike.items, alike.value) == (5, None)
    assert alpha(both, 1) == alpha(both, 1)
