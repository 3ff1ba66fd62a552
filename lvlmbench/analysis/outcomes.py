"""What became of an answer, in one word, in the scenario shown and in the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench import tables
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.labels import scenario_label

#: What the models' consensus did to a question; the others are outcomes of one answer.
DROPPED = "dropped"
OUTCOMES = {
    "right": "Right",
    "wrong": "Wrong",
    "caption": "Caption",
    "unscored": "Unscored",
    "refused": "Refused",
    "failed": "Failed",
    DROPPED: "Dropped by consensus",
}

_COLUMNS = ["status", "scored", "correct", "similarity", "parse_method"]


@dataclass(frozen=True)
class Outcome:
    """One model's answer to a question: a key of :data:`OUTCOMES`, and what to call it."""

    key: str
    label: str


@dataclass(frozen=True)
class Elsewhere:
    """Outcomes of a question in another scenario, one a model; None where it was not asked."""

    scenario: str
    models: Sequence[str]
    outcomes: list[Outcome | None]


def outcome_of(score: Mapping[str, Any] | None, status: str) -> str:
    """Key of :data:`OUTCOMES` for an answer with this status and this row of scores."""
    if status == "refused":
        return "refused"
    if status != "answered":
        return "failed"
    if score is None or not score["scored"]:
        return "refused" if score and score["parse_method"] == "refusal" else "unscored"
    if score["correct"] is None:
        return "caption"
    return "right" if score["correct"] else "wrong"


def _named(score: Mapping[str, Any]) -> Outcome:
    key = outcome_of(score, score["status"])
    if key == "caption" and score["similarity"] is not None:
        return Outcome(key, f"{score['similarity']:.1f}")
    return Outcome(key, OUTCOMES[key])


def elsewhere(
    snapshot: Snapshot, models: Sequence[str], scenarios: Sequence[str], ids: list[str]
) -> dict[str, list[Elsewhere]]:
    """Question id -> its outcomes in each of these scenarios that asked it."""
    out: dict[str, list[Elsewhere]] = {}
    for scenario in scenarios:
        found = [
            snapshot.of_questions("scores", tables.SCORES, m, scenario, ids, _COLUMNS)
            for m in models
        ]
        for key in ids:
            scores = [of_model.get(key) for of_model in found]
            if any(scores):
                outcomes = [None if score is None else _named(score) for score in scores]
                row = Elsewhere(scenario_label(scenario), models, outcomes)
                out.setdefault(key, []).append(row)
    return out
