"""Sorts of things that families ask about: some lists of the vocabulary, or some labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Setting
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.stock import Kind

T = TypeVar("T")

#: Tries at kinds of a small pool.
_TRIES = 20


class Sort(Section):
    """Which things are asked about."""

    lists: tuple[str, ...] = Field((), description="Lists of the vocabulary; by default all.")
    labels: tuple[str, ...] = Field((), description="Labels; by default all of the lists.")

    def pool(self, kit: ExamKit, setting: Setting) -> Sequence[Kind]:
        """Return the kinds of this sort that can be told at the level, before a setting."""
        found = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
        return [
            kind
            for kind in found
            if (not self.lists or kind.list in self.lists)
            and (not self.labels or kind.label in self.labels)
        ]


def tried(make: Callable[[], T]) -> T | None:
    """Return what can be made of kinds that go together; None where a pool has too few of them.

    Kinds are drawn one after the other: where the last one is missing, others may have it.
    """
    for _ in range(_TRIES):
        try:
            return make()
        except UserError:
            continue
    return None


def neighbor(
    kit: ExamKit, kind: Kind, setting: Setting, there: Sequence[Kind], pool: Sequence[Kind]
) -> Kind | None:
    """Return a kind of a pool that looks like one and like nothing else that is there, if any."""
    known = {each.number for each in pool}
    pairs = kit.stock.pairs(span=kit.level.span[0], barred=kit.barred(setting))
    rest = [each for each in there if each != kind]
    found = [b for a, b in pairs if a == kind and b.number in known and kit.stock.apart(b, rest)]
    return kit.draws.pick(found) if found else None
