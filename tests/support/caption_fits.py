"""Which feature says what a labelled claim says, and which speaks of the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lvlmbench.scene.claims import Claim, Feature, Match

CONVERSE = {
    "left_of": "right_of", "above": "below", "in_front_of": "behind", "larger": "smaller",
    "nearer": "farther",
}  # fmt: skip
CONVERSE |= {there: here for here, there in CONVERSE.items()}
CONVERSE |= {"next_to": "next_to", "same_size": "same_size"}


@dataclass(frozen=True)
class Fits:
    """The feature that says the same as a claim; the only one that speaks of the same."""

    equal: str | None
    alike: str | None


def fitting(
    claim: Claim,
    features: Mapping[str, Feature],
    feature_of: Callable[[int | None], str | None],
    matches: Sequence[Match],
) -> Fits:
    """Return the features that a claim may be held against, by its words alone."""
    if claim.kind == "object":
        taken = {m.feature for m in matches if m.verdict in ("matched", "narrower")}
        same = [f.feature for f in features.values()
                if f.kind == "object" and claim.subject in f.forms]  # fmt: skip
        free = [name for name in same if name not in taken]
        return Fits(free[0] if free else None, None)
    if claim.kind == "scene":
        like = [f for f in features.values()
                if f.kind == "scene" and f.relation == claim.relation]  # fmt: skip
        return _fits(like, [f for f in like if claim.value in f.forms])
    about = feature_of(claim.about)
    if about is None:
        return Fits(None, None)
    if claim.kind == "relation":
        return _relation(claim, about, feature_of(claim.other), features)
    like = [f for f in features.values() if f.about == about and f.relation == claim.relation]
    if claim.kind == "garment":
        like = [f for f in like if claim.object in f.forms]
        unsaid = claim.negated and claim.value is None
        return _fits(like, [f for f in like if unsaid or f.value == claim.value])
    return _fits(like, [f for f in like if claim.value in f.forms])


def _fits(like: list[Feature], equal: list[Feature]) -> Fits:
    return Fits(equal[0].feature if equal else None, like[0].feature if len(like) == 1 else None)


def _relation(claim: Claim, about: str, other: str | None, features: Mapping[str, Feature]) -> Fits:
    """Relations of the two things of a claim, whichever of the two is named first."""
    both = [
        f for f in features.values()
        if f.kind == "relation" and other is not None and {f.about, f.other} == {about, other}
    ]  # fmt: skip
    if claim.relation == "between":
        both = [
            f for f in features.values()
            if f.kind == "relation" and f.about == about and f.relation == "between"
        ]  # fmt: skip
        equal = [f for f in both if {f.object, f.value} == {claim.object, claim.value}]
        equal += [f for f in both if other in f.feature.split(".")[2:] and f not in equal]
        return _fits(both, equal)
    equal = [
        f for f in both
        if (f.about == about and f.relation == claim.relation)
        or (f.about == other and f.relation == CONVERSE.get(str(claim.relation)))
    ]  # fmt: skip
    return _fits(both, equal)
