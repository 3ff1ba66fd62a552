"""Tests of many cases, of which ``make test`` runs some: ``@pytest.mark.sampled(n)``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Protocol


class Mark(Protocol):
    """What marks a test."""

    args: tuple[int, ...]


class Case(Protocol):
    """A test, or one case of it."""

    nodeid: str

    def get_closest_marker(self, name: str) -> Mark | None:
        """Return its mark of this name."""
        ...


def left_out(cases: Iterable[Case]) -> set[str]:
    """Return the cases of sampled tests that are not run, the same ones each time.

    A case is drawn by the hash of its name. Names that pytest makes of places (``case0``) change
    with what is put before them, and with them what is drawn.
    """
    left: set[str] = set()
    found: dict[str, list[str]] = {}
    most: dict[str, int] = {}
    for case in cases:
        mark = case.get_closest_marker("sampled")
        if mark is not None:
            test = case.nodeid.partition("[")[0]
            found.setdefault(test, []).append(case.nodeid)
            most[test] = mark.args[0]
    for test, names in found.items():
        left.update(sorted(names, key=_hash)[most[test] :])
    return left


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
