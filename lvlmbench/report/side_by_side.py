"""A few scenes as every scenario shows them, with what was done and what was answered."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from lvlmbench import tables
from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.labels import plain, scenario_label
from lvlmbench.analysis.records import done
from lvlmbench.analysis.robustness import Condition, conditions
from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.analysis.standings import Kind, Standings
from lvlmbench.analysis.text import Excerpt, excerpt
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.errors import UserError
from lvlmbench.report import attempts
from lvlmbench.report.gallery import Option

#: Scenes shown.
SHOWN = 6
#: Side of a picture in pixels, at most.
SIZE = 192
#: How much stronger a perturbation is shown than it is.
GAIN = 10
#: Models whose answers stand below the pictures.
MODELS = 4

_COLUMNS = ["status", "parsed_index", "parse_method", "correct", "scored"]


@dataclass(frozen=True)
class Said:
    """A model's answer: ``text`` is the option chosen, ``outcome`` right, wrong, or unscored."""

    model: str
    kind: Kind
    text: str
    outcome: str


@dataclass(frozen=True)
class Picture:
    """One picture: what it is, what was done to it in words, and what was answered to it.

    ``printed`` is text that was put on it. ``said`` is None for a picture nobody was asked about.
    """

    label: str
    thumbnail: str | None
    done: list[str]
    printed: str | None
    said: list[Said] | None


@dataclass(frozen=True)
class Strip:
    """One scene with its pictures, and the question that the answers are to; ``tag`` says what
    sets its image apart from most."""

    scene_id: str
    subtask: str
    style: str
    tag: str | None
    caption: Excerpt
    question_type: str
    question: Excerpt
    options: list[Option]
    pictures: list[Picture]


def amplified(clean: bytes, noisy: bytes, size: int) -> bytes | None:
    """:data:`GAIN` times the difference around mid-gray, as a small JPEG.

    None where one of the images cannot be decoded or they differ in size.
    """
    import numpy as np

    try:
        with Image.open(io.BytesIO(clean)) as a, Image.open(io.BytesIO(noisy)) as b:
            before, after = (np.asarray(i.convert("RGB"), dtype=np.int16) for i in (a, b))
    # Decoders raise whatever their format's code runs into on damaged input.
    except Exception:
        return None
    if before.shape != after.shape:
        return None
    raw = np.clip(128 + GAIN * (after - before), 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(raw).save(out, "PNG")
    return thumbnails.shrink(out.getvalue(), size, "perturbation")


def _wanted(snapshot: Snapshot, shown: Sequence[Condition]) -> dict[str, pa.Table]:
    """Images of clean and of each scenario that has pictures of scenes that were kept."""
    out = {}
    for name in (CLEAN, *(c.name for c in shown)):
        images = snapshot.images[name]
        kept = pc.is_in(images["scene_id"], value_set=snapshot.kept_scenes)
        out[name] = images.filter(pc.and_(kept, pc.is_valid(images["width"])))
    return out


def _chosen(snapshot: Snapshot, images: dict[str, pa.Table]) -> list[Candidate]:
    """Scenes that most scenarios show, spread over subtasks and styles."""
    shows: dict[str, int] = dict.fromkeys(pc.unique(images[CLEAN]["scene_id"]).to_pylist(), 0)
    for table in images.values():
        for scene in pc.unique(table["scene_id"]).to_pylist():
            if scene in shows:
                shows[scene] += 1
    most = max(shows.values(), default=0)
    asked: dict[str, list[tuple[str, str]]] = {}
    for row in snapshot.asked[CLEAN].select(["scene_id", "subtask", "question_type"]).to_pylist():
        if row["question_type"] != "free_form":
            asked.setdefault(row["scene_id"], []).append((row["subtask"], row["question_type"]))
    scenes = snapshot.scenes.select(["scene_id", "subtask", "style"]).to_pylist()
    return choose(
        [
            Candidate(s["scene_id"], s["subtask"], s["style"], tuple(asked[s["scene_id"]]))
            for s in scenes
            if shows.get(s["scene_id"]) == most and s["scene_id"] in asked
        ],
        SHOWN,
    )


def _questions(
    snapshot: Snapshot, chosen: list[Candidate], images: dict[str, pa.Table]
) -> dict[str, dict[str, Any]]:
    """One closed question of each scene: if possible one with an image of its own, and with
    several options rather than with two."""
    own = {q for table in images.values() for q in pc.unique(table["question_id"]).to_pylist()}
    asked = snapshot.asked[CLEAN]
    ids = pa.array([c.scene_id for c in chosen], pa.string())
    rows = asked.filter(pc.is_in(asked["scene_id"], value_set=ids)).to_pylist()
    closed = [r for r in rows if r["question_type"] != "free_form"]
    closed.sort(key=lambda r: (r["question_id"] not in own, -len(r["options"]), r["question_id"]))
    out: dict[str, dict[str, Any]] = {}
    for row in closed:
        out.setdefault(row["scene_id"], row)
    return out


def _row_of(images: pa.Table, question: dict[str, Any]) -> dict[str, Any] | None:
    """The image that the question was asked with."""
    of_scene = images.filter(pc.equal(images["scene_id"], question["scene_id"])).to_pylist()
    own = [r for r in of_scene if r["question_id"] == question["question_id"]]
    return next(iter([*own, *(r for r in of_scene if r["question_id"] is None)]), None)


def _said(
    standings: Standings,
    models: list[str],
    scores: dict[str, dict[str, dict[str, Any]]],
    question: dict[str, Any],
) -> list[Said]:
    out = []
    for model in models:
        score = scores[model].get(question["question_id"])
        if score is None:
            continue
        index, options = score["parsed_index"], question["options"]
        found = score["scored"] and index is not None and 0 <= index < len(options)
        outcome = ("right" if score["correct"] else "wrong") if found else "unscored"
        silent = "declined" if score["parse_method"] == "refusal" else "no choice"
        silent = silent if score["status"] == "answered" else plain(score["status"]).lower()
        text = options[index] if found else silent
        out.append(Said(model, standings.kind(model), text, outcome))
    return out


def build(snapshot: Snapshot, standings: Standings) -> list[Strip]:
    """The strips; none without clean pictures to hold others against."""
    shown = [c for c in conditions(snapshot.params, standings.scenarios) if not c.control]
    if CLEAN not in standings.scenarios or not shown:
        return []
    images = _wanted(snapshot, shown)
    chosen = _chosen(snapshot, images)
    questions = _questions(snapshot, chosen, images)
    models = [m for m in standings.models if standings.kind(m) != "guesser"][:MODELS]
    ids = [q["question_id"] for q in questions.values()]
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    raw: dict[str, bytes] = {}
    scores = {}
    for name, table in images.items():
        for scene, question in questions.items():
            if (row := _row_of(table, question)) is not None:
                rows[name, scene] = row
        wanted = {row["image_id"] for (n, _), row in rows.items() if n == name}
        raw |= dict(thumbnails.image_bytes(snapshot.data / "images" / name, wanted))
        scores[name] = {
            m: snapshot.of_questions("scores", tables.SCORES, m, name, ids, _COLUMNS)
            for m in models
        }
    size = min(snapshot.params.report.thumbnail_size, SIZE)
    captions = snapshot.scenes.filter(
        pc.is_in(snapshot.scenes["scene_id"], value_set=pa.array(list(questions), pa.string()))
    )
    tags = attempts.tags(snapshot, questions)
    caption_of = {r["scene_id"]: r["caption"] for r in captions.to_pylist()}
    out = []
    for candidate in chosen:
        scene, question = candidate.scene_id, questions[candidate.scene_id]
        pictures = []
        for name in images:
            row = rows.get((name, scene))
            if row is None:
                continue
            record = row["perturbation"]
            said = _said(standings, models, scores[name], question)
            pictures.append(
                Picture(
                    scenario_label(name), _small(raw.get(row["image_id"]), size), done(record),
                    record and record["printed_text"], said,
                )
            )  # fmt: skip
        for condition in shown:
            pair = [rows.get((name, scene)) for name in (CLEAN, condition.name)]
            if condition.kind == "adversarial" and all(pair):
                pictures.append(_perturbation(condition, pair, raw, size))
        out.append(
            Strip(
                scene, candidate.subtask, candidate.style, tags.get(scene),
                excerpt(caption_of[scene], 300),
                question["question_type"], excerpt(question["question"], 1200),
                [
                    Option(chr(ord("A") + i), text, i == question["answer_index"])
                    for i, text in enumerate(question["options"])
                ],
                pictures,
            )
        )  # fmt: skip
    return out


def _small(data: bytes | None, size: int) -> str | None:
    if data is None:
        return None
    try:
        return thumbnails.data_url(thumbnails.shrink(data, size, "image"))
    except UserError:
        return None


def _perturbation(
    condition: Condition, pair: list[dict[str, Any] | None], raw: dict[str, bytes], size: int
) -> Picture:
    clean, noisy = (raw.get(row["image_id"]) if row else None for row in pair)
    small = amplified(clean, noisy, size) if clean and noisy else None
    what = f"what {condition.inline} changed, {GAIN} times as strong, around gray"
    url = thumbnails.data_url(small) if small else None
    return Picture(f"Perturbation \N{MULTIPLICATION SIGN} {GAIN}", url, [what], None, None)
