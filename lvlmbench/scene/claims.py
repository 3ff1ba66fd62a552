"""What an answer says, what a scene holds, and how the two meet (docs/claims.md).

A claim is one thing that an answer says of a picture, a feature one thing that is so in it, a
match what became of a claim. A judge reads claims out of an answer and holds them against the
features by their numbers; it can name nothing that was not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from lvlmbench.tables import claims as _claims
from lvlmbench.tables import matches as _matches

#: What a claim or a feature is about.
KINDS = _claims.KINDS
#: What may become of a claim.
VERDICTS = _matches.VERDICTS
#: Verdicts of claims that are true; of those that are wrong. The others count neither way.
TRUE = ("matched", "broader", "narrower")
WRONG = ("hallucinated", "contradicted")
#: Verdicts of claims that state the feature that they were held against, and so cover it.
STATES = ("matched", "narrower")

Verdict = Literal[
    "matched", "broader", "narrower", "hallucinated", "contradicted", "false_denial",
    "true_denial", "unverifiable",
]  # fmt: skip

#: How one thing stands to another, in canonical form; ``next_to`` is broader than the first six.
RELATIONS = (
    "left_of", "right_of", "above", "below", "in_front_of", "behind", "next_to", "on", "inside",
    "between", "larger", "smaller", "same_size", "nearer", "farther", "holds",
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """One thing that an answer says.

    Attributes
    ----------
    number
        Of the claim in its answer, from 0.
    kind
        One of :data:`KINDS`; it says what the parts mean (docs/claims.md).
    subject
        What it is about: a lemma or a few, without attributes.
    relation, object, value
        The other parts, None where the kind has none.
    about, other
        Numbers of the claims of kind ``object`` that ``subject`` and ``object`` stand for; None
        where the answer does not say which.
    start, end
        Characters of the answer that say it.
    negated, hedged
        Whether the answer denies it; whether it leaves it open.
    """

    number: int
    kind: str
    subject: str
    relation: str | None = None
    object: str | None = None
    value: str | None = None
    about: int | None = None
    other: int | None = None
    start: int = 0
    end: int = 0
    negated: bool = False
    hedged: bool = False


@dataclass(frozen=True)
class Feature:
    """One thing that is so in a picture.

    Attributes
    ----------
    feature
        Names it within its scene, e.g. ``o1`` or ``o1.color``.
    kind, subject, relation, object, value
        As of a claim.
    about, other
        Features of kind ``object`` that ``subject`` and ``object`` stand for.
    forms
        Words that name what the feature adds (the thing, the color, the garment), its own first.
    group
        What its vocabulary entry shares with those that people would take for it; of annotated
        relations and places, what those share that say the same.
    optional
        Whether it may be said and need not be: it owes no coverage and charges no hallucination.
    source
        Where it is known from: ``layout`` (measured), ``graph`` (drawn so), ``listed`` (the
        vocabulary says that what is drawn shows it), ``given`` (annotation by others).
    """

    feature: str
    kind: str
    subject: str
    relation: str | None = None
    object: str | None = None
    value: str | None = None
    about: str | None = None
    other: str | None = None
    forms: tuple[str, ...] = ()
    group: str | None = None
    optional: bool = False
    source: str = "given"


@dataclass(frozen=True)
class Match:
    """What became of a claim.

    Attributes
    ----------
    claim
        Its number.
    feature
        The feature that it was held against: the one that it states, or that shows it to be wrong.
    verdict
        One of :data:`VERDICTS`.
    how
        How that was found, in a word: ``word``, ``synonym``, ``ancestor``, ``encoder``,
        ``geometry``, ``closed_world``, ``request``.
    score
        Similarity where an encoder decided, else None.
    """

    claim: int
    feature: str | None
    verdict: Verdict
    how: str
    score: float | None = None


class Geometry(Protocol):
    """How the things of a picture stand to each other, as measured."""

    def holds(self, relation: str, a: str, b: str, c: str | None = None) -> bool | None:
        """Return whether object features stand so to each other; None where that is not clear."""
        ...


@dataclass(frozen=True)
class Truth:
    """All that is known of a picture.

    Attributes
    ----------
    features
        What is so.
    closed
        Whether nothing else is there, so that what is not listed is a hallucination.
    geometry
        What was measured; None for pictures that nobody measured.
    annotated
        Whether people have listed what they saw in a photograph: a word that says more than theirs
        may be right, and what an answer is to speak of and they have not listed is made up.
    """

    features: tuple[Feature, ...]
    closed: bool = True
    geometry: Geometry | None = field(default=None, compare=False)
    annotated: bool = False

    def of_kind(self, *kinds: str) -> list[Feature]:
        """Return the features of some kinds, in order."""
        return [feature for feature in self.features if feature.kind in kinds]


@dataclass(frozen=True)
class Tally:
    """How the claims of one answer, or of many, add up.

    Attributes
    ----------
    true, wrong
        Claims that count: stated, neither denied nor unverifiable.
    covered, owed
        Features that a claim states, of those that are owed.
    denied
        False denials.
    unverifiable
        Claims that nobody can check.
    unsure
        Features that are owed and of which the judge cannot tell whether a claim states them; they
        are not in ``owed``.
    """

    true: int = 0
    wrong: int = 0
    covered: int = 0
    owed: int = 0
    denied: int = 0
    unverifiable: int = 0
    unsure: int = 0

    def __add__(self, more: Tally) -> Tally:
        """Return the sums."""
        return Tally(*(a + b for a, b in zip(self.parts, more.parts, strict=True)))

    @property
    def parts(self) -> tuple[int, ...]:
        """The counts, in the order of the attributes."""
        return (
            self.true, self.wrong, self.covered, self.owed, self.denied, self.unverifiable,
            self.unsure,
        )  # fmt: skip

    @property
    def faithfulness(self) -> float | None:
        """Share of the claims that are true; None where nothing is claimed."""
        said = self.true + self.wrong
        return self.true / said if said else None

    @property
    def coverage(self) -> float | None:
        """Share of the owed features that are stated; None where none is owed."""
        return self.covered / self.owed if self.owed else None


@dataclass(frozen=True)
class Scope:
    """What of a picture an answer is to speak of: claims and features of all else count nowhere.

    Attributes
    ----------
    kinds
        Kinds that count.
    relations
        Of claims and features that have one, the relations that count; None where all do.
    """

    kinds: Sequence[str] = KINDS
    relations: Sequence[str] | None = None

    def holds(self, one: Claim | Feature) -> bool:
        """Return whether a claim or a feature counts."""
        return self.names(one.kind, one.relation)

    def names(self, kind: str, relation: str | None) -> bool:
        """Return whether what has this kind and relation counts."""
        known = self.relations is None or relation is None or relation in self.relations
        return kind in self.kinds and known


#: All that can be said of a picture.
ANYTHING = Scope()

#: Kinds that count each word once: two dogs that are spoken of twice are one ``dog``.
ONCE = ("object", "relation")
#: Kinds of which annotation may say one thing in several ways.
_STANDING = ("relation", "place")


def counting(
    claims: Sequence[Claim], matches: Iterable[Match], scope: Scope = ANYTHING
) -> list[tuple[Claim, Match]]:
    """Return the claims within a scope that count, each with its match, in the matches' order.

    Objects and relations that say the same count once.
    """
    by_number = {claim.number: claim for claim in claims}
    seen: set[tuple[object, ...]] = set()
    found = []
    for match in matches:
        claim = by_number[match.claim]
        same = _same(claim, match)
        if scope.holds(claim) and same not in seen:
            seen.add(same)
            found.append((claim, match))
    return found


def tally(
    claims: Sequence[Claim],
    matches: Iterable[Match],
    truth: Truth,
    scope: Scope = ANYTHING,
    unsure: Collection[str] = (),
) -> Tally:
    """Return how one answer's claims within a scope count (VALOR-Eval, section 4.2).

    Objects and relations that say the same count once; what was matched broadly counts as true
    and covers nothing, as it does not say which of them is there. Features that are ``unsure`` and
    that no claim states are counted apart.
    """
    matches = [*matches]
    covered, owed = _stated(claims, matches, truth, scope), _owed(truth, scope)
    open_ = {key for key in owed.keys() - covered if owed[key].feature in unsure}
    counts = {"true": 0, "wrong": 0, "denied": 0, "unverifiable": 0}
    for _, match in counting(claims, matches, scope):
        name = _COUNTED.get(match.verdict)
        if name is not None:
            counts[name] += 1
    return Tally(
        **counts, covered=len(covered & owed.keys()), owed=len(owed) - len(open_),
        unsure=len(open_),
    )  # fmt: skip


_COUNTED: Mapping[str, str] = {
    **dict.fromkeys(TRUE, "true"),
    **dict.fromkeys(WRONG, "wrong"),
    "false_denial": "denied",
    "unverifiable": "unverifiable",
}


def missed(
    claims: Sequence[Claim],
    matches: Iterable[Match],
    truth: Truth,
    scope: Scope = ANYTHING,
    unsure: Collection[str] = (),
) -> list[Feature]:
    """Return the owed features within a scope that no claim states, in order; of those that are
    owed once, the first. There are as many as :func:`tally` has owed and not covered."""
    covered = _stated(claims, matches, truth, scope)
    owed = _owed(truth, scope)
    return [f for key, f in owed.items() if key not in covered and f.feature not in unsure]


def _stated(
    claims: Sequence[Claim], matches: Iterable[Match], truth: Truth, scope: Scope
) -> set[tuple[object, ...]]:
    """What claims within a scope state, as :func:`_as_one` has it."""
    inside = {claim.number for claim in claims if scope.holds(claim)}
    features = {feature.feature: feature for feature in truth.features}
    return {
        _as_one(features[match.feature])
        for match in matches
        if match.claim in inside and match.feature is not None and match.verdict in STATES
    }


def _owed(truth: Truth, scope: Scope) -> dict[tuple[object, ...], Feature]:
    """What is owed within a scope, by :func:`_as_one`, each by its first feature."""
    owed: dict[tuple[object, ...], Feature] = {}
    for feature in truth.features:
        if scope.holds(feature) and not feature.optional:
            owed.setdefault(_as_one(feature), feature)
    return owed


def _as_one(feature: Feature) -> tuple[object, ...]:
    """What features share that are owed once."""
    if feature.kind in _STANDING and feature.group is not None:
        return (feature.group,)
    if feature.kind not in ONCE:
        return (feature.feature,)
    return (feature.kind, feature.subject, feature.relation, feature.object, feature.value)


def _same(claim: Claim, match: Match) -> tuple[object, ...]:
    """What claims share that count once."""
    if claim.kind not in ONCE:
        return (claim.number,)
    parts = (claim.kind, claim.subject, claim.relation, claim.object, claim.value)
    return (*parts, claim.negated, match.verdict)
