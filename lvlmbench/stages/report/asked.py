"""What was asked about scenes, and what each model made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind
from lvlmbench.analysis.outcomes import outcome_of
from lvlmbench.core.untrusted import KEPT, Excerpt, excerpt
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import QUESTION_TYPES, TYPES

#: Answers to a question that are seen at once; the others open on request, and are kept shorter.
OPEN_ANSWERS = 6
FOLDED_KEPT = 600
#: Status of an answer that does not exist.
NOT_ASKED = "not asked"

_ANSWER_COLUMNS = ["image_id", "text", "error", "status", "prompt", "logprobs"]
_SCORE_COLUMNS = ["status", "parsed_index", "parse_method", "correct", "similarity", "scored"]


@dataclass(frozen=True)
class Answer:
    """One model's answer: ``outcome`` as :func:`outcome_of` gives it, ``similarity`` in percent."""

    model: str
    kind: Kind
    text: Excerpt
    error: Excerpt
    status: str
    reading: str
    outcome: str
    similarity: float | None
    parsed: int | None = None


@dataclass(frozen=True)
class Option:
    """One choice of a closed question."""

    letter: str
    text: str
    right: bool


@dataclass(frozen=True)
class Sent:
    """A prompt as it was sent to these models."""

    text: Excerpt
    models: list[str]


@dataclass(frozen=True)
class Question:
    """One question with its options (none for free form) and answers; ``dropped`` by consensus.

    Options stand as the scenario offers them, as do the letters of what was read.

    ``prompts`` are what was sent, ``accepted`` the forms of a short answer that are right,
    ``turns`` what was asked and answered before, ``description`` what stands for the picture.
    """

    question_id: str
    subtask: str
    question_type: str
    text: Excerpt
    options: list[Option]
    chance: float | None
    answers: list[Answer]
    dropped: bool
    prompts: list[Sent]
    accepted: list[str]
    turns: list[tuple[str, str]]
    reference: str
    description: str


def _reading(score: dict[str, Any], options: list[Option], likely: str) -> str:
    """How an answer to a closed question was understood."""
    method, index = score["parse_method"], score["parsed_index"]
    if method == "none_of_options":
        forced = "" if index is None else f"; read as ({options[index].letter})"
        return f"says that no option fits{forced}"
    if method == "refusal":
        return "declines to answer"
    if index is None or not 0 <= index < len(options):
        return "no option recognized"
    how = {
        "letter": "by its letter",
        "edit_distance": "by edit distance",
        "logprobs": f"as the likeliest first letter{likely}",
    }.get(method, method)
    return f"read as ({options[index].letter}), {how}"


#: How a short answer was found in a reply.
_SHORT = {
    "stated": "says it as the answer",
    "only": "says no other",
    "refusal": "declines to answer",
    "none": "no answer recognized",
}


def _likely(logprobs: list[float | None] | None, options: list[Option]) -> str:
    """Probabilities of the options' letters as the first token, where the server told them."""
    told = zip(options, logprobs or [], strict=False)
    parts = [f"{o.letter} {100 * math.exp(min(v, 0.0)):.0f}%" for o, v in told if v is not None]
    return f" ({', '.join(parts)})" if parts else ""


def _answer(
    model: str, of_kind: Kind, answer: dict[str, Any] | None, score: dict[str, Any] | None,
    question_type: str, question: dict[str, Any], orders: Orders, kept: int,
) -> Answer:  # fmt: skip
    if answer is None:
        empty = excerpt(None)
        return Answer(model, of_kind, empty, empty, NOT_ASKED, "", "unscored", None)
    order = orders.get(answer["image_id"])
    options = _options(question, order)
    if score is not None:
        score = {**score, "parsed_index": tables.place_of(score["parsed_index"], order)}
    reading, similarity = "", None
    outcome = outcome_of(score, answer["status"])
    if outcome == "caption" and score is not None and score["similarity"] is not None:
        similarity = score["similarity"]
        reading = f"similarity to the reference {similarity:.1f}"
    if answer["status"] in ("answered", "truncated") and score is not None:
        if TYPES[question_type].offers:
            reading = _reading(score, options, _likely(answer["logprobs"], options))
        elif TYPES[question_type].judged:
            reading = _SHORT.get(score["parse_method"], "")
        elif score["parse_method"] == "refusal":
            reading = "declines to answer"
    return Answer(
        model, of_kind, excerpt(answer["text"], kept=kept), excerpt(answer["error"]),
        answer["status"], reading, outcome, similarity,
        score["parsed_index"] if score is not None and options else None,
    )  # fmt: skip


#: Image, or question -> the order in which options are offered, where it is not their own.
Orders: TypeAlias = dict[str, list[int]]


def _orders(snapshot: Snapshot, scenario: str) -> Orders:
    """In which order the images of a scenario offer options; of a question by the first of them.

    Atomic checks are offered as they are.
    """
    if scenario in snapshot.params.scenarios.checking:
        return {}
    images = snapshot.images[scenario]
    names = ["image_id", "question_id", "order"]
    found: Orders = {}
    for row in images.filter(pc.is_valid(images["order"])).select(names).to_pylist():
        found[row["image_id"]] = row["order"]
        found.setdefault(row["question_id"], row["order"])
    return found


def _options(question: dict[str, Any], order: list[int] | None) -> list[Option]:
    right = tables.place_of(question["answer_index"], order)
    texts = tables.offered(question["options"] or [], question.get("replaced"), order)
    return [Option(chr(ord("A") + i), text, i == right) for i, text in enumerate(texts)]


def _prompts(answers: dict[str, dict[str, Any] | None]) -> list[Sent]:
    """The prompts of one question, each with the models that it was sent to."""
    models: dict[str, list[str]] = {}
    for model, answer in answers.items():
        if answer is not None and answer["prompt"]:
            models.setdefault(answer["prompt"], []).append(model)
    return [Sent(excerpt(text, KEPT), names) for text, names in models.items()]


def questions_of(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    rows: list[dict[str, Any]],
    models: list[str],
    scenario: str,
) -> dict[str, list[Question]]:
    """Scene id -> its questions among ``rows``, with the answers of these models in a scenario."""
    ids = [row["question_id"] for row in rows]
    dropped = set(snapshot.dropped.to_pylist())
    answers, scores = (
        {m: snapshot.of_questions(t, ids, columns, model=m, scenario=scenario) for m in models}
        for t, columns in ((tables.ANSWERS, _ANSWER_COLUMNS), (tables.SCORES, _SCORE_COLUMNS))
    )
    order, orders = {t: i for i, t in enumerate(QUESTION_TYPES)}, _orders(snapshot, scenario)
    out: dict[str, list[Question]] = {}
    for row in sorted(rows, key=lambda r: (order[r["question_type"]], r["question_id"])):
        key, kind = row["question_id"], row["question_type"]
        given = [
            _answer(
                m, leaderboard.kind(m), answers[m].get(key), scores[m].get(key), kind,
                row, orders, KEPT if place < OPEN_ANSWERS else FOLDED_KEPT,
            )
            for place, m in enumerate(models)
        ]  # fmt: skip
        question = Question(
            key, row["subtask"], kind, excerpt(row["question"], 1200),
            _options(row, orders.get(key)), row["chance"],
            given, key in dropped,
            _prompts({m: answers[m].get(key) for m in models}), row.get("accepted") or [],
            [(turn["question"], turn["answer"]) for turn in row.get("turns") or ()],
            row.get("answer") or "", row.get("description") or "",
        )  # fmt: skip
        out.setdefault(row["scene_id"], []).append(question)
    return out
