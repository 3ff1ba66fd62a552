"""One scene from what it is made of to the score of an answer, and how many there are at each step.

Which scene is decided by ids and by what is asked of it, never by what was answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.cases import looking
from lvlmbench.analysis.headlines import HEADLINE
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import QUESTION_TYPES

#: Things of a scene that are listed.
_MOST = 4


@dataclass(frozen=True)
class Asked:
    """A scene with questions asked about it, by type, and the image that they are asked about."""

    scene: Mapping[str, Any]
    questions: Mapping[str, Mapping[str, Any]]
    image_id: str

    @property
    def metadata(self) -> list[tuple[str, str]]:
        """What the scene is made of: (part, label), as Dysca's M."""
        return list(_metadata(self.scene))


@dataclass(frozen=True)
class Answered:
    """What one model said to one question, how it was read, and its headline in the scenario."""

    model: str
    question: Mapping[str, Any]
    text: str
    chosen: str | None
    correct: bool | None
    similarity: float | None
    headline: Value | None


def _metadata(scene: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    objects = scene["objects"] or []
    if len(objects) > 1:
        for thing in objects[:_MOST]:
            words = (thing["color"], thing["label"])
            yield "Object", " ".join(word for word in words if word)
        if len(objects) > _MOST:
            yield "Objects", f"{len(objects) - _MOST} more"
    elif scene["foreground"]:
        yield "Foreground", scene["foreground"]
    for name, value in (scene["attributes"] or {}).items():
        if value is not None:
            yield plain(name), str(value)
    for name in ("text", "background", "style"):
        if scene[name]:
            yield plain(name), scene[name]


def chosen(snapshot: Snapshot) -> list[Asked]:
    """Return one scene a question type that is asked, each of another subtask where there is one;
    none of scenes that are shown again in other styles.

    The first is the scene with questions of most types; what is equal is decided by the id.
    """
    scenario = snapshot.first_scenario
    images = snapshot.images[scenario]
    pairs = zip(images["scene_id"].to_pylist(), images["image_id"].to_pylist(), strict=True)
    image_of = dict(pairs)
    by_scene: dict[str, dict[str, dict[str, Any]]] = {}
    for row in snapshot.asked[scenario].sort_by("question_id").to_pylist():
        by_scene.setdefault(row["scene_id"], {}).setdefault(row["question_type"], row)
    scenes = {row["scene_id"]: row for row in snapshot.scenes.to_pylist()}
    out: list[Asked] = []
    for kind in QUESTION_TYPES:
        seen = {a.scene["scene_id"] for a in out}, {a.scene["subtask"] for a in out}
        found = [s for s, of in by_scene.items() if kind in of and s in image_of and s in scenes]
        if found:
            best = min(
                found,
                key=lambda s: (
                    s in seen[0], scenes[s]["subtask"] in seen[1], -len(by_scene[s]), s
                ),
            )  # fmt: skip
            out.append(Asked(scenes[best], by_scene[best], image_of[best]))
    return out


def verdicts(snapshot: Snapshot, scene_id: str) -> dict[str, dict[str, Any]]:
    """Return filter -> its verdict on the scene's image."""
    out = {}
    for name, table in snapshot.filtered.items():
        rows = table.filter(pc.equal(table["scene_id"], scene_id)).to_pylist()
        if rows:
            out[name] = rows[0]
    return out


def image_ids(snapshot: Snapshot, asked: Asked, question_id: str) -> dict[str, str]:
    """Return scenario -> image of the scene there: the one shown with the question, or all have."""
    out = {}
    for name, table in snapshot.images.items():
        here = table.filter(pc.equal(table["scene_id"], asked.scene["scene_id"]))
        mine = pc.or_kleene(pc.is_null(here["question_id"]),
                            pc.equal(here["question_id"], question_id))  # fmt: skip
        ids = sorted(here.filter(mine)["image_id"].to_pylist())
        if ids and name not in snapshot.curves:
            out[name] = ids[0]
    return out


def answered(snapshot: Snapshot, leaderboard: Leaderboard, asked: Asked) -> Answered | None:
    """Return the answer of the first model that looks to the scene's first question."""
    kind = next(kind for kind in QUESTION_TYPES if kind in asked.questions)
    question, scenario = asked.questions[kind], snapshot.first_scenario
    key = question["question_id"]
    for model in looking(leaderboard):
        of = {"model": model, "scenario": scenario}
        said = snapshot.of_questions(tables.ANSWERS, [key], ["text"], **of).get(key)
        columns = ["parsed_index", "correct", "similarity"]
        read = snapshot.of_questions(tables.SCORES, [key], columns, **of).get(key)
        if said is not None and read is not None:
            index, options = read["parsed_index"], question["options"]
            inside = index is not None and 0 <= index < len(options)
            return Answered(
                model, question, said["text"] or "", options[index] if inside else None,
                read["correct"], read["similarity"], leaderboard.value(model, scenario, HEADLINE),
            )  # fmt: skip
    return None


def distinct(table: pa.Table, column: str) -> int:
    """Return how many values a column has."""
    return int(pc.count_distinct(table[column]).as_py())
