"""A judge that is a model: two calls an answer, two for a pair in both orders, one to rate it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lvlmbench.scene.claims import Claim, Feature, Match, Truth
from lvlmbench.scene.truth.relation import key
from lvlmbench.scene.truth_words import phrases
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading
from lvlmbench.stages.judge.served.forms import (
    MAY_HAVE,
    PARTS,
    SaidClaim,
    SaidClaims,
    SaidInvented,
    SaidMatches,
    SaidScores,
    check_claims,
    check_matches,
    span_of,
)
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import schema_text
from lvlmbench.stages.roles.request import Request
from lvlmbench.stages.roles.templates import Template, load

#: Purpose -> the fields of its template.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "claims": ("question", "answer", "schema"),
    "matches": ("features", "claims", "answer", "schema"),
    "pair": ("description", "features", "turns", "question", "first", "second", "schema"),
    "invented": ("description", "features", "optional", "question", "answer", "schema"),
}


def check_prompts(folder: str) -> dict[str, Template]:
    """Return the prompts of a folder by their purposes.

    Raises
    ------
    UserError
        One is missing or damaged, or lacks a field.
    """
    return {name: load(folder, name, fields) for name, fields in FIELDS.items()}


#: Relations of kinds that have but one.
_RELATIONS = {
    "garment": "wears", "action": "does", "count": "count", "place": "at", "rank": "rank",
}  # fmt: skip

#: What a match was found by.
_HOW = "request"


class Served:
    """Judges by asking a model.

    Parameters
    ----------
    prompts
        Folder of prompts, laid over the default one.
    extractor
        Asks the model that lists the claims, where that is another.

    Raises
    ------
    UserError
        A prompt is missing or damaged, or lacks a field.
    """

    def __init__(self, asker: Asker, prompts: str, extractor: Asker | None = None) -> None:
        self._asker, self._templates = asker, check_prompts(prompts)
        self._extractor = extractor or asker

    @property
    def requests(self) -> Sequence[Mapping[str, Any]]:
        """Rows of the table ``requests``."""
        others = () if self._extractor is self._asker else self._extractor.rows
        return [*others, *self._asker.rows]

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers; an answer without words claims nothing."""
        found = list(answers)
        for answer in found:
            if not answer.text.strip():
                yield answer, Reading("judged")
        told = [answer for answer in found if answer.text.strip()]
        requests = [self._claims_of(answer) for answer in told]
        for answer, outcome in zip(told, self._extractor.ask(requests), strict=True):
            if outcome.status == "answered":
                yield answer, Reading("judged", numbered(outcome.value.claims, answer.text))
            else:
                yield answer, Reading(outcome.status, why=outcome.why)

    def _claims_of(self, answer: Answer) -> Request:
        template = self._templates["claims"]
        prompt = template.render(
            question=answer.question, answer=answer.text, schema=schema_text(SaidClaims)
        )
        return Request(answer.key, template, prompt, SaidClaims, check_claims(answer.text))

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Hold claims against the truth."""
        found = list(answers)
        for answer, claims in found:
            if not claims:
                yield answer, Holding("judged")
        told = [(answer, claims) for answer, claims in found if claims]
        requests = [self._matches_of(*each) for each in told]
        for (answer, _), outcome in zip(told, self._asker.ask(requests), strict=True):
            if outcome.status == "answered":
                yield answer, Holding("judged", matched(outcome.value, answer.truth))
            else:
                yield answer, Holding(outcome.status, why=outcome.why)

    def _matches_of(self, answer: Answer, claims: Sequence[Claim]) -> Request:
        template, features = self._templates["matches"], answer.truth.features
        prompt = template.render(
            features=list(enumerate(map(_with_names, features, phrases(features)), 1)),
            claims=[(claim.number, said(claim, answer.text)) for claim in claims],
            answer=answer.text,
            schema=schema_text(SaidMatches),
        )
        return Request(answer.key, template, prompt, SaidMatches, check_matches(claims, features))

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare the answers of pairs, each in the one order that is given."""
        found = list(pairs)
        requests = [self._scores_of(pair) for pair in found]
        for pair, outcome in zip(found, self._asker.ask(requests), strict=True):
            if outcome.status == "answered":
                scores = outcome.value
                yield (
                    pair,
                    Comparison("judged", scores.first, scores.second, reasons=scores.why or None),
                )
            else:
                yield pair, Comparison(outcome.status, why=outcome.why)

    def _scores_of(self, pair: Pair) -> Request:
        template = self._templates["pair"]
        prompt = template.render(
            **_shown(pair.description, pair.truth),
            turns=_told(pair.turns),
            question=pair.question,
            first=pair.first,
            second=pair.second,
            schema=schema_text(SaidScores),
        )
        return Request(pair.key, template, prompt, SaidScores, lambda scores: None)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Say how much of each answer is made up (TouchStone, section 4.3)."""
        found = list(answers)
        requests = [self._rating_of(answer) for answer in found]
        for answer, outcome in zip(found, self._asker.ask(requests), strict=True):
            if outcome.status == "answered":
                yield answer, Rating("judged", outcome.value.invented)
            else:
                yield answer, Rating(outcome.status, why=outcome.why)

    def _rating_of(self, answer: Answer) -> Request:
        template = self._templates["invented"]
        prompt = template.render(
            **_shown(answer.description, answer.truth),
            optional=_said_of(answer.truth, optional=True),
            question=answer.question,
            answer=answer.text,
            schema=schema_text(SaidInvented),
        )
        return Request(answer.key, template, prompt, SaidInvented, lambda said: None)


def _told(turns: Sequence[tuple[str, str]]) -> str:
    """What was said before a question, as one text."""
    return "\n\n".join(f"Question: {asked}\nAnswer: {answered}" for asked, answered in turns)


def _shown(description: str | None, truth: Truth) -> dict[str, Any]:
    """What stands for a picture in a prompt: what is written of it, and what an answer owes."""
    return {"description": description or "", "features": _said_of(truth, optional=False)}


def _said_of(truth: Truth, optional: bool) -> list[str]:
    """What is so in a picture, in plain words: what may be said and need not be, or all else."""
    both = zip(truth.features, phrases(truth.features), strict=True)
    return [words for feature, words in both if feature.optional is optional]


def _with_names(feature: Feature, words: str) -> str:
    """A thing in plain words, and what else it may be called."""
    if feature.kind != "object":
        return words
    names = [name for name in feature.forms if key(name) != key(feature.subject)]
    return f"{words} (also called: {', '.join(names)})" if names else words


def said(claim: Claim, text: str) -> str:
    """Return a claim as its parts and the words that say it."""
    parts = (claim.subject, claim.relation, claim.object, claim.value)
    words = " | ".join(part for part in parts if part)
    denied = "denied, " if claim.negated else ""
    return f'{claim.kind}: {words} ({denied}"{text[claim.start : claim.end]}")'


def numbered(given: Sequence[SaidClaim], text: str) -> tuple[Claim, ...]:
    """Return claims as a judge writes them, with numbers, spans, and the things they speak of."""
    objects = [
        (n, claim.subject.lower()) for n, claim in enumerate(given) if claim.kind == "object"
    ]
    found = []
    for n, claim in enumerate(given):
        start, end = span_of(claim.quote, text) or (0, 0)
        has = {*PARTS[claim.kind], *MAY_HAVE.get(claim.kind, ())}
        relation = _RELATIONS.get(claim.kind, claim.relation if "relation" in has else "")
        value = claim.subject if claim.kind == "scene" else claim.value if "value" in has else ""
        thing = claim.object if "object" in has else ""
        found.append(
            Claim(
                n,
                claim.kind,
                claim.subject.lower(),
                relation or None,
                thing.lower() or None,
                value.lower() or None,
                None if claim.kind == "object" else _nearest(objects, claim.subject, n),
                _nearest(objects, thing, n),
                start,
                end,
                claim.negated,
                claim.hedged,
            )
        )
    return tuple(found)


def _nearest(objects: Sequence[tuple[int, str]], name: str, place: int) -> int | None:
    """The claim of an object of this name that stands nearest, the earlier of two."""
    alike = [n for n, known in objects if known == name.lower()]
    return min(alike, key=lambda n: (abs(n - place), n), default=None)


def matched(given: SaidMatches, truth: Truth) -> tuple[Match, ...]:
    """Return matches as a judge writes them, with the features' names."""
    names = [None, *(feature.feature for feature in truth.features)]
    found = (Match(m.claim, names[m.feature], m.verdict, _HOW) for m in given.matches)
    return tuple(sorted(found, key=lambda match: match.claim))
