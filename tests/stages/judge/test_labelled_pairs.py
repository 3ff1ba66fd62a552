"""Every labelled pair of answers reads and lies in its half; wrong ones are refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from support.labelled_captions import half
from support.labelled_pairs import BETTER, DIFFERENCES, pairs, read_pairs


@pytest.mark.parametrize("which", ["dev", "test"])
def test_pairs_lie_in_their_half_and_hold_every_difference(which: str) -> None:
    found = pairs(which)
    assert {half(pair.id) for pair in found} == {which}
    assert {pair.difference for pair in found} == set(DIFFERENCES)


def test_there_are_a_hundred_and_neither_side_is_preferred() -> None:
    found = pairs("dev") + pairs("test")
    assert len({pair.id for pair in found}) == len(found) == 100
    better = Counter(pair.better for pair in found)
    assert set(better) == set(BETTER)
    assert abs(better["a"] - better["b"]) <= 4


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("| a", "| c", "heading"),
        ("wrong_count", "odd", "heading"),
        ("-- b\nSix.", "-- b", "b is empty"),
        ("o1.count 4", "o2.count 4", "o2"),
        ("-- a\nFour.\n", "", "-- a"),
    ],
)
def test_a_wrong_pair_is_refused(tmp_path: Path, old: str, new: str, word: str) -> None:
    good = (
        "== p | wrong_count | a\nHow many?\n-- features\no1 apple; o1.count 4\n"
        "-- a\nFour.\n-- b\nSix.\n"
    )
    path = tmp_path / "dev.txt"
    path.write_text(good)
    assert read_pairs(path)[0].b == "Six."
    path.write_text(good.replace(old, new, 1))
    with pytest.raises(UserError, match=word) as error:
        read_pairs(path)
    assert str(error.value).startswith("dev.txt:")
