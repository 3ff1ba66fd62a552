"""How far two readings of the same labelled captions agree: the noise of the labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.scene.claims import Claim
from support.claim_f1 import GROUPS, Agreement, score
from support.labelled_captions import labelled_again


@dataclass(frozen=True)
class Noise:
    """Agreement of two readings.

    Attributes
    ----------
    groups
        Claims that both, only the second, only the first reading has.
    equal
        Share of all claims that both readings have.
    alpha
        Krippendorff's alpha (nominal) over the words of the texts: the kinds of the claims that
        each reading finds said at a word, if any.
    """

    groups: dict[str, Agreement]
    equal: float
    alpha: float


def noise(name: str = "again") -> Noise:
    """Return how far the second reading of a name agrees with the first."""
    import krippendorff

    groups = dict.fromkeys(GROUPS, Agreement())
    words: list[tuple[str, str]] = []
    for caption, again in labelled_again(name):
        for group, more in score(caption.claims, again).items():
            groups[group] += more
        first, second = _kinds(caption.text, caption.claims), _kinds(caption.text, again)
        words += zip(first, second, strict=True)
    names = sorted({kinds for word in words for kinds in word})
    table = [[names.index(word[rater]) for word in words] for rater in (0, 1)]
    both = sum(groups.values(), Agreement())
    alpha = float(krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"))
    return Noise(groups, both.tp / (both.tp + both.fp + both.fn), alpha)


def _kinds(text: str, claims: Sequence[Claim]) -> list[str]:
    """The kinds of the claims that begin at each word of a text."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    return [
        " ".join(sorted({claim.kind for claim in claims if start <= claim.start < end}))
        for start, end in spans
    ]
