"""What judges reply: forms, and what a form cannot say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator

from lvlmbench.scene.claims import RELATIONS, Claim, Feature
from lvlmbench.stages.roles.replies import Bound

#: Claims of an answer at most, which the prompt says; a longer list is malformed.
MOST = 200
#: Verdicts by which a claim states a feature.
_STATING = ("matched", "narrower")
#: Kinds of which each feature answers one claim.
_ONE_TO_ONE = ("attribute", "garment")

#: Relations of kinds that have some, and the values of a place.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "relation": RELATIONS,
    "attribute": (
        "color", "material", "size", "pattern", "shape", "state", "text", "age", "gender",
        "expression", "race", "hair", "beard", "other",
    ),
    "scene": ("background", "style", "weather", "light"),
}  # fmt: skip
_PLACE = re.compile(r"(?:top |bottom )?(?:left|right|center)|top|bottom|foreground|background")

_RANK = re.compile(r"-?[1-9][0-9]{0,2}")
_COUNT = re.compile(r"[0-9]{1,6}")

#: Kinds with the parts that a claim of them may have beside those that it needs.
MAY_HAVE: Mapping[str, tuple[str, ...]] = {"garment": ("value",), "relation": ("value",)}

#: Kinds with the parts that a claim of them needs, beside its subject.
PARTS: Mapping[str, tuple[str, ...]] = {
    "object": (),
    "attribute": ("relation", "value"),
    "garment": ("object",),
    "action": ("value",),
    "count": ("value",),
    "relation": ("relation", "object"),
    "place": ("value",),
    "rank": ("value",),
    "scene": ("relation",),
}


class SaidClaim(Bound):
    """One claim, as a judge writes it; parts that a kind has not are not read."""

    model_config = ConfigDict(str_strip_whitespace=True)

    kind: Literal[
        "object", "attribute", "garment", "action", "count", "relation", "place", "rank", "scene"
    ]
    subject: str = Field(min_length=1, max_length=200)
    relation: str = Field(max_length=200)
    object: str = Field(max_length=200)
    value: str = Field(max_length=200)
    quote: str = Field(min_length=1, max_length=2000)
    negated: bool
    hedged: bool

    @field_validator("relation", "object", "value", mode="before")
    @classmethod
    def _unused(cls, value: Any) -> Any:
        return "" if value is None else value


class SaidClaims(Bound):
    """All claims of an answer."""

    claims: list[SaidClaim] = Field(max_length=MOST)


class SaidMatch(Bound):
    """One match: a claim's number, a feature's number or 0, a verdict."""

    claim: int
    feature: int
    verdict: Literal[
        "matched",
        "broader",
        "narrower",
        "hallucinated",
        "contradicted",
        "false_denial",
        "true_denial",
        "unverifiable",
    ]


class SaidMatches(Bound):
    """One match a claim, however many claims are given."""

    matches: list[SaidMatch]


class SaidScores(Bound):
    """How good two answers are."""

    why: str = Field(max_length=4000)
    first: int = Field(ge=1, le=10)
    second: int = Field(ge=1, le=10)


class SaidInvented(Bound):
    """How much of an answer is made up."""

    why: str = Field(max_length=4000)
    invented: int = Field(ge=0, le=10)


def check_claims(answer: str) -> Callable[[SaidClaims], str | None]:
    """Return what says whether claims are of an answer."""

    def check(said: SaidClaims) -> str | None:
        for place, claim in enumerate(said.claims):
            where = f"claim {place}"
            if span_of(claim.quote, answer) is None:
                return f"{where}: the quote '{claim.quote[:60]}' is not in the answer"
            for part in PARTS[claim.kind]:
                if not getattr(claim, part):
                    return f"{where}: a claim of kind {claim.kind} needs '{part}'"
            if (wrong := _wrong_words(claim)) is not None:
                return f"{where}: {wrong}"
        return None

    return check


def span_of(quote: str, answer: str) -> tuple[int, int] | None:
    """Return where an answer has these words, whole: no "car" of "carpet"."""
    found = re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", answer)
    return None if found is None else found.span()


def _wrong_words(claim: SaidClaim) -> str | None:
    """What is wrong with the words of a claim that has all its parts."""
    words = _WORDS.get(claim.kind)
    if words is not None and claim.relation not in words:
        return f"use one of these relations: {', '.join(words)}"
    if claim.kind == "relation" and claim.relation == "between" and not claim.value:
        return "'between' needs the third thing as its value"
    if claim.kind == "place" and not _PLACE.fullmatch(claim.value):
        return "its value must be a part of the picture, e.g. left, top left or background"
    if claim.kind == "count" and not _COUNT.fullmatch(claim.value):
        return "write the number in digits"
    if claim.kind == "rank" and not _RANK.fullmatch(claim.value):
        return "write the place in digits, from the smallest with a minus"
    return None


def check_matches(
    claims: Sequence[Claim], features: Sequence[Feature]
) -> Callable[[SaidMatches], str | None]:
    """Return what says whether matches are of these claims and features.

    Each claim comes once; numbers are known; a denial is judged as one and nothing else is;
    attributes and garments of a picture answer one claim each.
    """

    def check(said: SaidMatches) -> str | None:
        numbers = [match.claim for match in said.matches]
        strange = sorted({*numbers} - {*range(len(claims))})
        if strange:
            return f"there is no claim {strange[0]}"
        missing = sorted({*range(len(claims))} - {*numbers})
        if missing:
            return f"claim {missing[0]} has no match"
        if len(numbers) > len(claims):
            return f"claim {Counter(numbers).most_common(1)[0][0]} has two matches"
        for match in said.matches:
            wrong = _wrong(match, claims[match.claim], len(features))
            if wrong is not None:
                return f"claim {match.claim}: {wrong}"
        return _taken_twice(said, features)

    return check


def _wrong(match: SaidMatch, claim: Claim, n_features: int) -> str | None:
    """What is wrong with one match."""
    if not 0 <= match.feature <= n_features:
        return f"there is no feature {match.feature}"
    if ("denial" in match.verdict) != claim.negated and match.verdict != "unverifiable":
        needs = "false_denial or true_denial" if claim.negated else "no denial"
        return f"its verdict must be {needs}"
    if match.verdict in ("matched", "broader", "narrower", "false_denial") and not match.feature:
        return f"'{match.verdict}' needs the number of a feature"
    if match.verdict in ("hallucinated", "true_denial", "unverifiable") and match.feature:
        return f"'{match.verdict}' goes with feature 0"
    return None


def _taken_twice(said: SaidMatches, features: Sequence[Feature]) -> str | None:
    """Which feature answers two claims that may answer one."""
    taken = Counter(m.feature for m in said.matches if m.verdict in _STATING and m.feature)
    for number, times in sorted(taken.items()):
        if times > 1 and features[number - 1].kind in _ONE_TO_ONE:
            return f"feature {number} answers {times} claims and may answer one"
    return None
