"""Yes-or-no probes of objects (POPE: Li et al., "Evaluating object hallucination in large
vision-language models", 2023).

A probe asks whether a thing is there. Each set of negatives (random, popular, adversarial) stands
beside the same positives, as many of each. A model that says yes to all has a recall of 100.
"""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.analysis.hallucination.told import Part

#: What tells a probe in the key of its question, behind aspect and type; then which probe it is.
PROBE = "probe"
#: The probes of what is there.
POSITIVE = "yes"
#: Sets of negatives.
NEGATIVES = ("random", "popular", "adversarial")


def probe_of(key: str | None) -> str | None:
    """Return which probe the key of a question names; None where it is none."""
    parts = (key or "").split("/")[2:4]
    known = len(parts) == 2 and parts[0] == PROBE and parts[1] in (POSITIVE, *NEGATIVES)
    return parts[1] if known else None


def probed(negatives: str, probe: str, correct: bool) -> Iterator[Part]:
    """Yield what a scored answer to a probe adds to the numbers of a set of negatives."""
    there = probe == POSITIVE
    yes = there == correct
    yield Part("pope_accuracy", negatives, correct, 1)
    yield Part("pope_yes", negatives, yes, 1)
    yield Part("pope_precision", negatives, yes and there, yes)
    yield Part("pope_recall", negatives, yes and there, there)
    yield Part("pope_f1", negatives, 2 * (yes and there), yes + there, 1)
