"""Checks of the associative effect: a planted one is found, and none where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvlmbench.analysis.hallucination.association import SEEN, UNSEEN, effect
from lvlmbench.core.seeding import generator
from support.judge_checks.asked import Line
from support.valor_checks.asked import Asked

_PAIRS, _BASE, _MORE = 2000, 0.10, 0.30


def drawn(rng: np.random.Generator, more: float, pairs: int) -> dict[str, dict[str, list[bool]]]:
    """Answers to pairs of scenes by a model that claims what is expected so much more often."""
    seen, unseen = rng.random(pairs) < _BASE + more, rng.random(pairs) < _BASE
    return {f"{at}": {SEEN: [bool(seen[at])], UNSEEN: [bool(unseen[at])]} for at in range(pairs)}


def association(asked: Asked) -> Iterator[Line]:
    """Check 11: base rate .10, plus .30 or nothing where the anchor is seen."""
    found = effect(drawn(generator(asked.seed, "association", "planted"), _MORE, _PAIRS))
    if found is None:
        raise AssertionError("no pair was answered")
    value, low, high = found[0].value, found[0].low or 0.0, found[0].high or 0.0
    figure = f"{value:.3f} ({low:.3f} to {high:.3f}), {found[1]:,} pairs"
    yield Line("association, planted", figure, abs(value - _MORE) <= 0.03)
    for pairs in (_PAIRS, 50):
        held = 0
        for run in range(asked.runs):
            rng = generator(asked.seed, "association", f"{pairs}/{run}")
            none = effect(drawn(rng, 0.0, pairs))
            if none is not None:
                held += (none[0].low or 0.0) <= 0 <= (none[0].high or 0.0)
        figure = f"{held / asked.runs:.1%} of {asked.runs:,} intervals hold 0, {pairs:,} pairs"
        yield Line("association, none", figure, held >= 0.92 * asked.runs)


CHECKS = {"association": association}
