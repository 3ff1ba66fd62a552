"""An answer as a list of parts, so that sentences that claim nothing may stand between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lvlmbench.stages.judge.exam.outline import Outline
from lvlmbench.stages.judge.exam.wording.words import Words, joined


@dataclass(frozen=True)
class Page:
    """Sentences or lines, and what stands between them."""

    parts: tuple[Words, ...]
    between: str = " "

    def padded(self, sentences: Sequence[str], rng: np.random.Generator) -> Page:
        """Return the page with sentences at drawn places between its parts."""
        parts = list(self.parts)
        for sentence in sentences:
            parts.insert(int(rng.integers(len(parts) + 1)), Words(sentence))
        return Page(tuple(parts), self.between)

    @property
    def words(self) -> Words:
        """Return all of it as one text."""
        return joined(self.parts, self.between)


#: Puts an outline into words.
Wording = Callable[[Outline, np.random.Generator], Page]
