"""What a treatment is: what is done to an answer that says all that is owed, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lvlmbench.stages.judge.exam.outline import Outline
from lvlmbench.stages.judge.exam.planting.ground import Ground

#: Kind of plants where a treatment has no kinds.
ALL = "all"


@dataclass(frozen=True)
class Made:
    """What a treatment made of a scene.

    Attributes
    ----------
    plants, omitted
        How many claims it planted, and how many features it left out.
    base
        What it should be judged like, where it should move nothing.
    before, behind
        Text around the answer that is none of it.
    times
        How often the answer is repeated.
    """

    outline: Outline
    plants: int = 0
    omitted: int = 0
    base: Outline | None = None
    before: str = ""
    behind: str = ""
    times: int = 1


@dataclass(frozen=True)
class Draw:
    """What a treatment may draw from.

    Attributes
    ----------
    kind, number
        Of its plants; which answer of its treatment and scene it is, from 0.
    others
        Other scenes, in an order of the seed's.
    """

    ground: Ground
    rng: np.random.Generator
    kind: str
    number: int
    others: Sequence[Ground] = ()


@dataclass(frozen=True)
class Treatment:
    """A treatment.

    Attributes
    ----------
    make
        Makes an answer; None where the scene does not let it.
    kinds
        Of plants.
    most
        Answers that are enough, however many are wanted; None for no bound.
    """

    name: str
    make: Callable[[Draw], Made | None]
    kinds: tuple[str, ...] = (ALL,)
    most: int | None = None
