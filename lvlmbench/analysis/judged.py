"""What judges say of free answers, as tables and sheets show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lvlmbench import tables
from lvlmbench.analysis.hallucination.reading import answers, judged_models
from lvlmbench.analysis.hallucination.told import Told
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.claims import ANYTHING
from lvlmbench.scene.truth import from_rows
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables.by_scene import ByScene

_ASKED = ["question_id", "question", "turns", "description"]
_SCORED = ["question_id", "image_id", "status", "as_first", "as_second"]
_ANSWERED = ["question_id", "image_id", "image_sha256", "text"]


def first_judge(snapshot: Snapshot) -> str | None:
    """Return the judge of free text that is listed first; None where there is none, or nothing is
    clean. Judges that a suite adds for structured answers, which people do not label, are passed
    over."""
    if CLEAN not in snapshot.params.scenarios.names:
        return None
    for judge in snapshot.params.judge.judges:
        kind = kinds_of("judges").find(judge.engine)
        if kind is None or "free_form" in kind.reads:
            return judge.name
    return None


def _with_answers(
    snapshot: Snapshot, table: tables.Table, judge: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of a judge's table about clean answers, each with its question, what was said before
    it, the description that stands for the picture, and its answer."""
    asked = snapshot.questions.select(_ASKED).to_pylist()
    words = {row["question_id"]: row for row in asked}
    for model in judged_models(snapshot, judge, CLEAN):
        names = {"model": model, "scenario": CLEAN}
        said = snapshot.read(tables.ANSWERS, _ANSWERED, **names).to_pylist()
        texts = {(row["question_id"], row["image_id"]): row for row in said}
        for row in snapshot.read(table, judge=judge, **names).to_pylist():
            key = row["question_id"], row["image_id"]
            if key in texts and row["question_id"] in words:
                yield model, row | texts[key] | words[row["question_id"]]


def free_answers(snapshot: Snapshot, judge: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of ``judgements`` about clean answers that have a text, with that text."""
    for _, row in _with_answers(snapshot, tables.JUDGEMENTS, judge):
        if row["status"] != "unanswered":
            yield row


def claims_of(snapshot: Snapshot, judge: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of ``claims`` about clean answers that were judged, each with its verdict
    and its answer."""
    verdicts = {}
    for model, row in _with_answers(snapshot, tables.MATCHES, judge):
        verdicts[model, row["question_id"], row["image_id"], row["claim"]] = row["verdict"]
    for model, row in _with_answers(snapshot, tables.CLAIMS, judge):
        key = model, row["question_id"], row["image_id"], row["claim"]
        if key in verdicts:
            yield row | {"verdict": verdicts[key]}


def told_of(snapshot: Snapshot, judge: str) -> Iterator[tuple[Mapping[str, Any], Told]]:
    """Yield the rows of ``judgements`` about clean answers that were judged, each with its answer,
    beside what the answer says and what its picture shows.

    Answers that are no descriptions, such as stories, are not among them.
    """
    params = snapshot.params
    suite = kinds_of("suites").get(params.kind, f"suites.{params.suite}: kind").make()
    scopes, tasks = suite.scopes(params), suite.dialogue(params)
    rows = {
        (model, row["question_id"], row["image_id"]): row
        for model, row in _with_answers(snapshot, tables.JUDGEMENTS, judge)
        if row["subtask"] not in tasks or tasks[row["subtask"]].rated
    }
    if not rows:
        return
    truths = ByScene(snapshot.read(tables.TRUTH))
    for model in judged_models(snapshot, judge, CLEAN):
        for each in answers(snapshot, judge=judge, model=model, scenario=CLEAN):
            row = rows.get((model, each.question_id, each.image_id))
            if each.judged and row is not None:
                truth = from_rows(truths.of(each.scene_id))
                scope = scopes.get(each.subtask, ANYTHING)
                told = Told(each.scene_id, each.claims, each.matches, truth, scope, each.unsure)
                yield row, told


def points(snapshot: Snapshot, judge: str) -> dict[tuple[str, str, str | None], float]:
    """Return what clean answers score beside references, the mean of both orders, by model,
    question and image; those of pairs that were judged."""
    found = {}
    for model in snapshot.params.answer.models:
        names = {"judge": judge, "model": model.name, "scenario": CLEAN}
        for row in snapshot.read(tables.PAIRWISE, _SCORED, **names).to_pylist():
            if row["status"] == "judged":
                key = model.name, row["question_id"], row["image_id"]
                found[key] = (row["as_first"] + row["as_second"]) / 2
    return found


def harmonic(row: Mapping[str, Any]) -> float | None:
    """Return the harmonic mean of an answer's faithfulness and coverage; None where it was not
    judged or nothing is owed, 0 where nothing true is said."""
    if row["status"] != "judged" or not row["owed"]:
        return None
    true, said, owed = row["true_claims"], row["true_claims"] + row["wrong_claims"], row["owed"]
    if not true or not row["covered"]:
        return 0.0
    faithful, covered = true / said, row["covered"] / owed
    return float(2 * faithful * covered / (faithful + covered))
