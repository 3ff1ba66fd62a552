"""Sentences about sizes, from the largest thing on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvlmbench.stages.judge.exam.outline import Outline
from lvlmbench.stages.judge.exam.wording.phrases import Names, pick
from lvlmbench.stages.judge.exam.wording.words import Words, joined

_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ")


def rank_phrase(value: str, rng: np.random.Generator) -> str:
    """Return "the largest", "the second largest", "the smallest", from a claim's value."""
    number = int(value)
    end = ("largest", "biggest") if number > 0 else ("smallest",)
    return f"the {_ORDINALS[abs(number) - 1]}{pick(rng, end)}"


def ranked(outline: Outline, names: Names, rng: np.random.Generator) -> Iterator[Words]:
    """Yield what is said of the places of things by size, as one sentence."""
    said = [
        (thing, each)
        for thing in outline.things
        for each in thing.by("apart")
        if each.kind == "rank"
    ]
    said.sort(key=lambda pair: (int(pair[1].value or 1) < 0, int(pair[1].value or 1)))
    parts = [
        f"{names.known(thing.key)} {names.verb(thing.key)} "
        + Words(rank_phrase(each.value or "1", rng)).said((thing, each))
        for thing, each in said
    ]
    if parts:
        yield joined(parts, ", ", ", and ")
