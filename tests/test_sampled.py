"""Of tests with many cases some are run by default, the same ones each time."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from support.sampled import left_out


@dataclass(frozen=True)
class Case:
    """A case of a test that is sampled, or not."""

    nodeid: str
    most: int | None = None

    def get_closest_marker(self, name: str) -> Any:
        """Its mark."""
        assert name == "sampled"
        return None if self.most is None else SimpleNamespace(args=(self.most,))


def test_as_many_are_run_as_the_mark_says_of_each_test() -> None:
    cases = [Case(f"a.py::one[{n}]", 3) for n in range(20)]
    cases += [Case(f"a.py::two[{n}]", 5) for n in range(4)]
    cases += [Case(f"a.py::three[{n}]") for n in range(9)]
    left = left_out(cases)
    assert len(left) == 17 and all(name.startswith("a.py::one[") for name in left)


def test_neither_order_nor_others_change_which() -> None:
    cases = [Case(f"a.py::one[{n}]", 3) for n in range(20)]
    first = left_out(cases)
    random.Random(1).shuffle(cases)
    assert left_out([*cases, Case("b.py::one[7]", 1)]) == first
    fewer = [case for case in cases if case.nodeid in first]
    assert left_out(fewer) < first, "others take the places of those that are gone"
