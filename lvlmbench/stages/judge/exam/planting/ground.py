"""A scene that answers are planted about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.stages.judge.exam.outline import Outline
from lvlmbench.stages.judge.exam.planting.absent import Absent
from lvlmbench.stages.judge.exam.planting.nouns import Lexis
from lvlmbench.stages.judge.exam.planting.stating import perfect


@dataclass(frozen=True)
class Ground:
    """A scene to plant answers about."""

    scene: str
    truth: Truth
    lexis: Lexis

    @cached_property
    def perfect(self) -> Outline:
        """An answer that says all that is owed."""
        return perfect(self.truth, self.lexis)

    @cached_property
    def absent(self) -> Absent:
        """What is surely not there."""
        return Absent(self.truth, self.lexis)

    def said(self, kind: str) -> list[Feature]:
        """Return features of a kind, optional ones too, of things that the perfect answer names."""
        keys = {thing.key for thing in self.perfect.things}
        return [
            each
            for each in self.truth.features
            if each.kind == kind
            and each.about in keys
            and (each.other is None or each.other in keys)
        ]
