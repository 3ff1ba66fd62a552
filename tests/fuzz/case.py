"""One mutated input: which door it goes through, and what may come of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

Rng = random.Random


@dataclass(frozen=True)
class Case:
    """An input that was made bad, more or less.

    Attributes
    ----------
    said
        What was done to the input, for whoever reads the report.
    action
        Puts the input through its door; runs in a forked child, in the case's folder.
    makes
        Files that the door makes; none of them may be there after a rejection, all must be there
        after a success. A folder stands for whatever lies in it.
    names
        Any of these has to stand in the line that rejects the input: where to look.
    bad
        Whether the mutation cannot be anything but bad, so that taking it is a defect. Many
        mutations happen to be fine: another number, another label.
    """

    said: str
    action: Callable[[], object]
    makes: Sequence[Path] = ()
    names: Sequence[str] = ()
    bad: bool = False
    notes: dict[str, str] = field(default_factory=dict)


class Kind(Protocol):
    """A kind of input: makes cases of it."""

    name: str

    def sound(self, folder: Path) -> Case:
        """A case without any mutation, which must be taken: else all are rejected for nothing."""
        ...

    def case(self, rng: Rng, folder: Path) -> Case:
        """A case, its files written below ``folder``; the same for the same ``rng``."""
        ...


def generator(seed: int, number: int) -> Rng:
    """Where all choices of a case come from: a failure is repeated by its seed and number."""
    return random.Random(f"{seed}/{number}")
