"""Gallery items: an image, what was asked about it, and what each model made of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.outcomes import DROPPED, Elsewhere, elsewhere, outcome_of
from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.analysis.standings import Kind, Standings
from lvlmbench.analysis.text import KEPT, Excerpt, excerpt
from lvlmbench.config import QUESTION_TYPES
from lvlmbench.report import attempts

#: Bytes of thumbnails that one report holds; items beyond are left out and the report says so.
IMAGE_BUDGET = 16 << 20
#: Answers to a question that are seen at once; the others open on request, and are kept shorter.
OPEN_ANSWERS = 6
FOLDED_KEPT = 600

_ANSWER_COLUMNS = ["text", "error", "status", "prompt", "logprobs"]
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

    ``elsewhere`` are its outcomes in the other scenarios that asked it, ``prompts`` what was sent.
    """

    question_id: str
    subtask: str
    question_type: str
    text: Excerpt
    options: list[Option]
    chance: float | None
    answers: list[Answer]
    dropped: bool
    elsewhere: list[Elsewhere]
    prompts: list[Sent]

    @property
    def outcomes(self) -> list[str]:
        """Distinct outcomes of the models under test and of guessing, for the filter."""
        return sorted({a.outcome for a in self.answers} | ({DROPPED} if self.dropped else set()))


@dataclass(frozen=True)
class Item:
    """One scene of the gallery; ``tag`` says what sets its image apart from most."""

    scene_id: str
    image_id: str
    subtask: str
    style: str
    background: str | None
    facts: list[tuple[str, str]]
    prompt: Excerpt
    caption: Excerpt
    thumbnail: str | None
    tag: str | None
    questions: list[Question]


@dataclass(frozen=True)
class Gallery:
    """Items shown, and how many were asked for and could have been shown."""

    items: list[Item]
    wanted: int
    available: int


def _reading(score: dict[str, Any], options: list[Option], likely: str) -> str:
    """How an answer to a closed question was understood."""
    method, index = score["parse_method"], score["parsed_index"]
    if method == "none_of_options":
        return "says that no option fits"
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


def _likely(logprobs: list[float | None] | None, options: list[Option]) -> str:
    """Probabilities of the options' letters as the first token, where the server told them."""
    told = zip(options, logprobs or [], strict=False)
    parts = [f"{o.letter} {100 * math.exp(min(v, 0.0)):.0f}%" for o, v in told if v is not None]
    return f" ({', '.join(parts)})" if parts else ""


def _answer(
    model: str, of_kind: Kind, answer: dict[str, Any] | None, score: dict[str, Any] | None,
    question_type: str, options: list[Option], kept: int,
) -> Answer:  # fmt: skip
    if answer is None:
        empty = excerpt(None)
        return Answer(model, of_kind, empty, empty, "not asked", "", "unscored", None)
    reading, similarity = "", None
    outcome = outcome_of(score, answer["status"])
    if outcome == "caption" and score is not None and score["similarity"] is not None:
        similarity = score["similarity"]
        reading = f"similarity to the reference caption {similarity:.1f}"
    if answer["status"] == "answered" and score is not None:
        if question_type != "free_form":
            reading = _reading(score, options, _likely(answer["logprobs"], options))
        elif score["parse_method"] == "refusal":
            reading = "declines to answer"
    return Answer(
        model, of_kind, excerpt(answer["text"], kept=kept), excerpt(answer["error"]),
        answer["status"], reading, outcome, similarity,
    )  # fmt: skip


def _prompts(answers: dict[str, dict[str, Any] | None]) -> list[Sent]:
    """The prompts of one question, each with the models that it was sent to."""
    models: dict[str, list[str]] = {}
    for model, answer in answers.items():
        if answer is not None and answer["prompt"]:
            models.setdefault(answer["prompt"], []).append(model)
    return [Sent(excerpt(text, KEPT), names) for text, names in models.items()]


def _candidates(snapshot: Snapshot) -> list[Candidate]:
    asked = snapshot.asked[snapshot.first_scenario].select(["scene_id", "subtask", "question_type"])
    by_scene: dict[str, list[tuple[str, str]]] = {}
    for row in asked.to_pylist():
        pairs = by_scene.setdefault(row["scene_id"], [])
        pairs.append((row["subtask"], row["question_type"]))
    scenes = snapshot.scenes.select(["scene_id", "subtask", "style"]).to_pylist()
    return [
        Candidate(s["scene_id"], s["subtask"], s["style"], tuple(by_scene[s["scene_id"]]))
        for s in scenes
        if s["scene_id"] in by_scene
    ]


def _facts(scene: dict[str, Any]) -> list[tuple[str, str]]:
    """Metadata M of a scene as (name, value), the parts that are set."""
    pairs = [("foreground", scene["foreground"])]
    pairs += [(k, str(v)) for k, v in (scene["attributes"] or {}).items() if v is not None]
    pairs += [("text", scene["text"]), ("background", scene["background"])]
    pairs.append(("style", scene["style"]))
    return [(k, v) for k, v in pairs if v]


def questions_of(
    snapshot: Snapshot,
    standings: Standings,
    rows: list[dict[str, Any]],
    models: list[str],
    scenario: str,
    others: Sequence[str] = (),
) -> dict[str, list[Question]]:
    """Scene id -> its questions among ``rows``, with the answers of these models in a scenario,
    and with their outcomes in the ``others``."""
    ids = [row["question_id"] for row in rows]
    dropped = set(snapshot.dropped.to_pylist())
    answers, scores = (
        {m: snapshot.of_questions(table, schema, m, scenario, ids, columns) for m in models}
        for table, schema, columns in (
            ("answers", tables.ANSWERS, _ANSWER_COLUMNS),
            ("scores", tables.SCORES, _SCORE_COLUMNS),
        )
    )
    found = elsewhere(snapshot, models, others, ids)
    order = {t: i for i, t in enumerate(QUESTION_TYPES)}
    out: dict[str, list[Question]] = {}
    for row in sorted(rows, key=lambda r: (order[r["question_type"]], r["question_id"])):
        key, kind = row["question_id"], row["question_type"]
        options = [
            Option(chr(ord("A") + i), text, i == row["answer_index"])
            for i, text in enumerate(row["options"] or [])
        ]
        given = [
            _answer(
                m, standings.kind(m), answers[m].get(key), scores[m].get(key), kind, options,
                KEPT if place < OPEN_ANSWERS else FOLDED_KEPT,
            )
            for place, m in enumerate(models)
        ]  # fmt: skip
        question = Question(
            key, row["subtask"], kind, excerpt(row["question"], 1200), options, row["chance"],
            given, key in dropped, found.get(key, []),
            _prompts({m: answers[m].get(key) for m in models}),
        )  # fmt: skip
        out.setdefault(row["scene_id"], []).append(question)
    return out


def build(snapshot: Snapshot, standings: Standings) -> Gallery:
    """Choose the items and put together what is shown of each."""
    scenario, limit = snapshot.first_scenario, snapshot.params.report.items
    candidates = _candidates(snapshot)
    wanted = len(candidates) if limit == "all" else limit
    chosen = choose(candidates, wanted)
    ids = [c.scene_id for c in chosen]
    wanted_ids = pa.array(ids, pa.string())
    images = snapshot.images[scenario].select(["image_id", "scene_id", "question_id"])
    images = images.filter(pc.is_in(images["scene_id"], value_set=wanted_ids))
    image_of: dict[str, str] = {}
    for row in images.to_pylist():
        image_of.setdefault(row["scene_id"], row["image_id"])
    size = snapshot.params.report.thumbnail_size
    folder = snapshot.data / "images" / scenario
    small = {
        image_id: thumbnails.shrink(data, size, f"{folder}: image {image_id}")
        for image_id, data in thumbnails.image_bytes(folder, set(image_of.values()))
    }
    asked = snapshot.asked[scenario]
    rows = asked.filter(pc.is_in(asked["scene_id"], value_set=wanted_ids)).to_pylist()
    others = [s for s in standings.scenarios if s != scenario]
    questions = questions_of(snapshot, standings, rows, standings.models, scenario, others)
    planned = snapshot.scenes
    planned = planned.filter(pc.is_in(planned["scene_id"], value_set=wanted_ids))
    scenes = {row["scene_id"]: row for row in planned.to_pylist()}
    tags = attempts.tags(snapshot, ids)
    items, spent = [], 0
    for scene_id in ids:
        scene, image_id = scenes[scene_id], image_of[scene_id]
        jpeg = small.get(image_id)
        spent += len(jpeg or b"") * 4 // 3
        if spent > IMAGE_BUDGET:
            break
        items.append(
            Item(
                scene_id, image_id, scene["subtask"], scene["style"], scene["background"],
                _facts(scene), excerpt(scene["prompt"], 1200), excerpt(scene["caption"], 1200),
                thumbnails.data_url(jpeg) if jpeg else None, tags.get(scene_id),
                questions[scene_id],
            )
        )  # fmt: skip
    return Gallery(items, wanted, len(candidates))
