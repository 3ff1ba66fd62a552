"""Judged answers in shorthand: what is there, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lvlmbench.analysis.hallucination.told import Part, Told
from lvlmbench.scene.claims import ANYTHING, Claim, Feature, Match, Scope, Truth, Verdict

#: What a claim is: the parts behind its number, what became of it, the feature it was held against.
Said = tuple[Sequence[str | None], Verdict, str | None]


def thing(name: str, label: str, optional: bool = False) -> Feature:
    """An object."""
    return Feature(name, "object", label, forms=(label,), optional=optional)


def things(*labels: str) -> tuple[Feature, ...]:
    """Objects o1, o2 and so on."""
    return tuple(thing(f"o{at}", label) for at, label in enumerate(labels, 1))


def ranked(*labels: str) -> tuple[Feature, ...]:
    """Objects o1, o2 and so on, the largest first, with their ranks."""
    ranks = (
        Feature(f"o{at}.rank", "rank", label, "rank", value=str(at), about=f"o{at}")
        for at, label in enumerate(labels, 1)
    )
    return (*things(*labels), *ranks)


def told(
    truth: Iterable[Feature], said: Iterable[Said], scope: Scope = ANYTHING, scene: str = "s"
) -> Told:
    """An answer that says these claims in this order."""
    found = [
        (Claim(at, *parts, start=10 * at, end=10 * at + 5), Match(at, feature, verdict, "word"))
        for at, (parts, verdict, feature) in enumerate(said)
    ]
    claims, matches = zip(*found, strict=True) if found else ((), ())
    return Told(scene, claims, matches, Truth(tuple(truth)), scope)


def summed(parts: Iterable[Part]) -> Mapping[tuple[str, str], tuple[float, float]]:
    """Both sides by measure and stratum."""
    sums: dict[tuple[str, str], tuple[float, float]] = {}
    for part in parts:
        over, under = sums.get(part[:2], (0.0, 0.0))
        sums[part[:2]] = over + part.over, under + part.under
    return sums
