"""A small snapshot whose models answered as simulated, and a server that answers as one more."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from lvlmbench import tables
from lvlmbench.analysis.difficulty import FACTORS
from lvlmbench.analysis.lltm import Answers
from lvlmbench.config import validate
from lvlmbench.config.project import project_of
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.stages.answer.asked import Asked
from support.answer_tables import OPTIONS, endpoint, png
from support.simulated_difficulty import WEIGHTS, Questions

SCENARIO = "clean"
#: Models whose answers are there; the last is much the weakest.
OTHERS = ("able", "good", "fair", "usual", "weak")
ABILITIES = (2.2, 1.4, 0.9, 0.4, -1.0)
#: The model that a server answers for, and what it is like.
NEW, SKILL = "new", 2.0


def simulated(scenes: int, name: str = "snapshot") -> tuple[Answers, np.ndarray]:
    """Two questions a scene, and how hard each is."""
    rng = generator(5, "adaptive", name)
    drawn = Questions(scenes=scenes).draw(rng)
    hard = drawn.properties @ WEIGHTS
    return drawn, hard - hard.mean() + rng.normal(0, 0.5, len(hard))


def said(hard: np.ndarray, ability: float, name: str, chance: float = 0.25) -> np.ndarray:
    """1 and 0 of a model of this ability."""
    p = chance + (1 - chance) / (1 + np.exp(hard - ability))
    return np.asarray((generator(6, "adaptive", name).random(len(hard)) < p).astype(float))


def params(base_url: str, model: str, **changes: Any) -> Any:
    """Parameters with all models; the new one is served as ``model``."""
    served = {"name": NEW, "engine": "openai_chat", "endpoint": endpoint(base_url, model)}
    served["endpoint"] |= {"api_key_env": None} | changes
    others = [
        {"name": name, "engine": "openai_chat", "endpoint": endpoint(base_url, "letter-A")}
        for name in OTHERS
    ]
    models = [{"name": "chance", "engine": "chance"}, served, *others]
    return validate(
        {
            "snapshot": {"name": "adaptive", "seed": 3},
            "answer": {"models": models},
            "filter": {"filters": []},
            "scenarios": {"names": [SCENARIO], "noisy": []},
        }
    )


def _rows(drawn: Answers) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("scenes", "images", "verdicts", "questions")
    }
    for n in range(int(drawn.scene.max()) + 1):
        scene, image = item_id("s", n), item_id("i", n)
        rows["scenes"].append(
            {"scene_id": scene, "subtask": "animal", "ordinal": n, "foreground_list": "animal",
             "foreground": f"animal {n}", "style": "mosaic", "caption": f"animal {n}"}
        )  # fmt: skip
        picture = png(n)
        rows["images"].append(
            {"image_id": image, "scene_id": scene, "scenario": SCENARIO,
             "image": {"bytes": picture, "path": f"{n}.png"},
             "sha256": hashlib.sha256(picture).hexdigest()}
        )  # fmt: skip
        rows["verdicts"].append(
            {"image_id": image, "scene_id": scene, "filter": "render", "keep": True}
        )
    names = [factor.name for factor in FACTORS]
    for n, scene_no in enumerate(drawn.scene.tolist()):
        values = {
            name: float(v) if name in ("smallest", "hidden") else int(v)
            for name, v in zip(names, drawn.properties[n], strict=True)
        }
        rows["questions"].append(
            {"question_id": item_id("q", n), "scene_id": item_id("s", scene_no),
             "subtask": "animal", "question_type": "multiple_choice",
             "question": f"Which animal is number {n}?", "options": OPTIONS,
             "answer": OPTIONS[n % 4], "answer_index": n % 4, "chance": 0.25,
             "factors": values | {"prior": None}}
        )  # fmt: skip
    return rows


def build(
    root: Path, base_url: str = "http://127.0.0.1:9/v1", model: str = "truth", scenes: int = 80,
    shards: int = 3, others: tuple[str, ...] = OTHERS, **changes: Any,
) -> Path:  # fmt: skip
    """Write params.yaml, data/ and ``truth.json``, what a server is to say as the new model."""
    p = params(base_url, model, **changes)
    drawn, hard = simulated(scenes)
    rows = _rows(drawn)
    data = root / "data" / p.suite
    folders = {
        "scenes": tables.SCENES, "questions": tables.QUESTIONS,
        f"images/{SCENARIO}": tables.IMAGES, "verdicts/render": tables.VERDICTS,
    }  # fmt: skip
    for folder, table in folders.items():
        every = rows[folder.split("/")[0]]
        for at, part in enumerate(np.array_split(np.arange(len(every)), shards)):
            some = [every[n] for n in part]
            tables.write_rows(some, data / folder / tables.part_name(at), table, "x")
    (root / "params.yaml").write_text(project_of(p).model_dump_json())
    for name, ability in zip(OTHERS, ABILITIES, strict=True):
        if name in others:
            write_scores(data, rows["questions"], name, said(hard, ability, name))
    _write_truth(root, rows["questions"], said(hard, SKILL, NEW))
    return root


def write_scores(data: Path, questions: list[dict[str, Any]], name: str, right: Any) -> None:
    """Scores of a model, 1 and 0, nan for an answer that was not scored."""
    found = [
        {"model": name, "scenario": SCENARIO, "style": "mosaic", "scored": bool(value >= 0),
         "correct": bool(value) if value >= 0 else None,
         **{k: q[k] for k in ("question_id", "scene_id", "subtask", "question_type")}}
        for q, value in zip(questions, right, strict=True)
    ]  # fmt: skip
    place = data / "scores" / name / SCENARIO / tables.part_name(0)
    tables.write_rows(found, place, tables.SCORES, "x")


def _write_truth(root: Path, questions: list[dict[str, Any]], right: np.ndarray) -> None:
    correct = {
        q["question_id"]: "ABCD"[(q["answer_index"] + (0 if ok else 1)) % 4]
        for q, ok in zip(questions, right, strict=True)
    }
    told = {
        f"{item.image_sha256}|{item.prompt}": f"({correct[item.question_id]})"
        for item in Asked.open(root).items(SCENARIO)
    }
    (root / "truth.json").write_text(json.dumps(told))
