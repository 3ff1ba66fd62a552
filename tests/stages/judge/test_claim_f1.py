"""Agreement of claims, by hand-made lists."""

from __future__ import annotations

import pytest

from lvlmbench.scene.claims import Claim
from support.claim_f1 import Agreement, f1_interval, score
from support.labelled_captions import captions

DOG = Claim(0, "object", "dog")
SOFA = Claim(1, "object", "sofa")
BROWN = Claim(2, "attribute", "dog", "color", None, "brown")
LEFT = Claim(3, "relation", "dog", "left_of", "sofa")
RIGHT = Claim(9, "relation", "sofa", "right_of", "dog")
GIRL = Claim(4, "attribute", "girl", "gender", None, "female")
HAT = Claim(5, "garment", "girl", "wears", "hat", "red")
NO_CAT = Claim(6, "object", "cat", negated=True)


def test_the_same_claims_agree_wherever_they_stand() -> None:
    found = score([DOG, SOFA, BROWN, LEFT, GIRL, HAT, NO_CAT], [RIGHT, HAT, GIRL, BROWN, NO_CAT,
                  SOFA, Claim(8, "object", "dog", start=7, hedged=True)])  # fmt: skip
    assert found["objects"] == Agreement(3, 0, 0)
    assert found["attributes"] == Agreement(1, 0, 0)
    assert found["people"] == Agreement(2, 0, 0)
    assert found["relations"] == Agreement(1, 0, 0)


@pytest.mark.parametrize(
    ("wanted", "got", "group"),
    [
        (DOG, SOFA, "objects"),
        (NO_CAT, Claim(0, "object", "cat"), "objects"),
        (BROWN, Claim(0, "attribute", "sofa", "color", None, "brown"), "attributes"),
        (BROWN, Claim(0, "attribute", "dog", "color", None, "red"), "attributes"),
        (HAT, Claim(0, "garment", "girl", "wears", "hat"), "people"),
        (LEFT, Claim(0, "relation", "sofa", "left_of", "dog"), "relations"),
        (LEFT, Claim(0, "relation", "dog", "next_to", "sofa"), "relations"),
    ],
)
def test_another_part_is_another_claim(wanted: Claim, got: Claim, group: str) -> None:
    assert score([wanted], [got])[group] == Agreement(0, 1, 1)


def test_equal_claims_count_as_often_as_they_are_said() -> None:
    assert score([DOG, DOG, DOG], [DOG, DOG])["objects"] == Agreement(2, 0, 1)
    assert score([DOG], [DOG, DOG])["objects"] == Agreement(1, 1, 0)


def test_symmetric_relations_have_no_order() -> None:
    one = Claim(0, "relation", "cup", "between", "fork", "plate")
    other = Claim(0, "relation", "cup", "between", "plate", "fork")
    near = Claim(1, "relation", "cup", "next_to", "fork")
    far = Claim(1, "relation", "fork", "next_to", "cup")
    assert score([one, near], [far, other])["relations"] == Agreement(2, 0, 0)


def test_the_interval_holds_the_share_and_narrows_with_more_texts() -> None:
    texts = [score([DOG, SOFA], [DOG]), score([DOG], [DOG, SOFA]), score([DOG], [DOG])]
    few, many = f1_interval(texts, "objects"), f1_interval(texts * 30, "objects")
    assert few.f1 == many.f1 == pytest.approx(6 / 8)
    for each in (few, many):
        assert each.low is not None and each.high is not None and each.f1 is not None
        assert each.low < each.f1 < each.high
    assert many.high - many.low < (few.high - few.low) / 2  # type: ignore[operator]
    assert f1_interval(texts, "people").f1 is None


def test_labels_agree_with_themselves() -> None:
    for caption in captions("dev"):
        for group, agreement in score(caption.claims, caption.claims).items():
            assert agreement.fp == agreement.fn == 0, (caption.id, group)
