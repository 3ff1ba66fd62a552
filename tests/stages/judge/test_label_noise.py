"""A second reading of captions agrees with the first: one by the same hand, one by others."""

from __future__ import annotations

import pytest

from support.label_noise import noise
from support.labelled_captions import SUBSETS, captions, labelled_again


def test_forty_captions_of_all_subsets_were_read_again() -> None:
    again = labelled_again()
    assert len({caption.id for caption, _ in again}) == len(again) == 40
    assert {caption.subset for caption, _ in again} == set(SUBSETS)


def test_others_read_the_whole_test_half() -> None:
    assert {c.id for c, _ in labelled_again("others")} == {c.id for c in captions("test")}


@pytest.mark.parametrize("name", ["again", "others"])
def test_the_readings_agree(name: str) -> None:
    measured = noise(name)
    assert 0.9 < measured.equal < 1
    assert 0.9 < measured.alpha < 1
    for group, agreement in measured.groups.items():
        least = 0.85 if (name, group) == ("others", "scene") else 0.9
        assert agreement.f1 and agreement.f1 > least
