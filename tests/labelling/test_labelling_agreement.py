"""Agreement of labels: against numbers worked out by hand and by Krippendorff himself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lvlmbench.labelling.agreement import agreement, alpha, kappa, majority
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
        (["right", "right", "wrong", "unclear"], "unclear"),
        (["a", "a", "b", "b", "a"], "a"),
        (["a", "a", "b", "c", "d"], "unclear"),
    ],
)
def test_more_than_half_decide(labels: list[str], expected: str) -> None:
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
    (asked,) = found.asked
    assert (asked.words, asked.alpha.items, asked.kappa.items) == ("asks", 3, 3)


def test_nobody_has_labelled_a_group() -> None:
    found = agreement(
        [item(0, "removed"), item(1, "kept")], [said("anna", {item(1, "kept"): "unclear"})], 1
    )
    assert [(g.labelled, g.share, g.interval) for g in found.groups] == [
        (0, None, None), (1, None, None),
    ]  # fmt: skip
    assert [(a.alpha.items, a.alpha.value, a.kappa.value) for a in found.asked] == [(0, None, None)]


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


#: Fleiss' own form: rows are items, columns labels; 14 raters, worked out by hand in many a text.
RATED = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip


def test_kappa_is_that_of_fleiss() -> None:
    labels = [[word for word, n in zip("abcde", row, strict=True) for _ in range(n)]
              for row in RATED]  # fmt: skip
    found = kappa(labels, "abcde")
    assert (found.items, found.raters) == (10, 14)
    assert found.value == pytest.approx(0.2099, abs=5e-5)
    # Items that somebody left out do not count.
    assert kappa([*labels, ["a", "b"], ["a"]], "abcde") == found
    assert kappa([["right", "right"]] * 4).value is None
    assert kappa([["right"], ["wrong"]]) == kappa([])


def test_answers_of_five_people_are_held_against_the_key() -> None:
    items = [
        Item.to_answer((f"image {n}", f"sha {n}"), "What?", ["x", "y", "z"], 0, "group")
        for n in range(6)
    ]
    said_by = ["aaaaa", "aaabb", "aabbU", "bbbaU"]
    given = [
        said(name, {
            item: "unclear" if row[n] == "U" else row[n]
            for item, row in zip(items[:4], said_by, strict=True)
        })
        for n, name in enumerate(["anna", "ben", "carl", "dora", "eva"])
    ]  # fmt: skip
    found = agreement(items, given, 1)
    (group,) = found.groups
    assert (group.total, group.labelled, group.answered) == (6, 4, True)
    assert (group.right, group.wrong, group.unclear) == (2, 1, 1)
    assert group.accuracy is not None and group.accuracy.value == pytest.approx(55)
    assert group.cannot_tell is not None and group.cannot_tell.value == pytest.approx(10)
    assert group.aligned is not None
    ends = group.aligned.value, group.aligned.low, group.aligned.high
    assert ends == pytest.approx((50, 15.00, 85.00), abs=0.01)
    # 0.475 of the pairs agree; a, b and unclear are said 11, 7 and 2 times.
    assert found.asked[0].kappa.value == pytest.approx((0.475 - 0.435) / (1 - 0.435), abs=1e-6)


def test_a_label_that_its_item_cannot_have_does_not_count() -> None:
    asked = item(0, "group")
    found = agreement([asked], [said("anna", {asked: "b"})], 1)
    assert (found.elsewhere, found.groups[0].labelled, found.asked) == (1, 0, [])
