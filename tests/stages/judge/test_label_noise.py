"""A second reading of forty captions agrees with the first."""

from __future__ import annotations

from support.label_noise import noise
from support.labelled_captions import SUBSETS, labelled_again


def test_forty_captions_of_all_subsets_were_read_again() -> None:
    again = labelled_again()
    assert len({caption.id for caption, _ in again}) == len(again) == 40
    assert {caption.subset for caption, _ in again} == set(SUBSETS)


def test_the_readings_agree() -> None:
    measured = noise()
    assert 0.9 < measured.equal < 1
    assert 0.9 < measured.alpha < 1
    assert all(agreement.f1 and agreement.f1 > 0.9 for agreement in measured.groups.values())
