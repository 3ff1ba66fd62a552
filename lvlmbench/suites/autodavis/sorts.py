"""Sorts of things that families ask about: some lists of the vocabulary, or some labels."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Setting
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.stock import Kind


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
