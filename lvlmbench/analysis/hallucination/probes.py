"""Yes-or-no probes of objects (POPE: Li et al., "Evaluating object hallucination in large
vision-language models", 2023).

A probe asks whether a thing is there. To each of three sets belong things that are not there, found
in the set's own way, and as many that are, so that half of its answers are yes. A model that says
yes to all has a recall of 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lvlmbench.analysis.hallucination.told import Part

#: What tells a probe in the key of its question, behind aspect and type; then which probe it is.
_PROBE = "probe"
#: Sets, by how what is not there is found.
NEGATIVES = ("random", "popular", "adversarial")
_THERE = {"yes": True, "no": False}


class Probe(NamedTuple):
    """Which set a probe belongs to, and whether its thing is there."""

    negatives: str
    there: bool

    def about(self, number: int) -> tuple[str, ...]:
        """Return what the key of its question says of one of so many like it."""
        return _PROBE, self.negatives, "yes" if self.there else "no", str(number)


def probe_of(key: str | None) -> Probe | None:
    """Return which probe the key of a question names; None where it is none."""
    parts = (key or "").split("/")[2:]
    if len(parts) != 4 or parts[0] != _PROBE:
        return None
    _, negatives, there, _ = parts
    known = negatives in NEGATIVES and there in _THERE
    return Probe(negatives, _THERE[there]) if known else None


def probed(probe: Probe, correct: bool) -> Iterator[Part]:
    """Yield what a scored answer to a probe adds to the numbers of its set."""
    negatives, there = probe
    yes = there == correct
    yield Part("pope_accuracy", negatives, correct, 1)
    yield Part("pope_yes", negatives, yes, 1)
    yield Part("pope_precision", negatives, yes and there, yes)
    yield Part("pope_recall", negatives, yes and there, there)
    yield Part("pope_f1", negatives, 2 * (yes and there), yes + there, 1)
