"""A made-up snapshot of many models: only the tables that maps and trees of accuracies read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.scene.levels import LEVELS
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.metrics import write_metrics

SNAPSHOT = "0123456789abcdef"
ANIMALS = [f"animal {i:02}" for i in range(20)]
#: The one that refuses every question about these, as trained models do.
SHY, TABOO = "shy-model", ("race", "age")
LONG = "a-model-whose-name-goes-on-and-on-until-no-column-holds-it.v"


def names(count: int) -> list[str]:
    """Models: one that guesses, one that refuses, two with long names alike, and others."""
    return ["chance", SHY, f"{LONG}1", f"{LONG}2", *(f"model-{i}" for i in range(count))][:count]


def _scenes(styles: int, each: int) -> list[dict[str, Any]]:
    rows = []
    for subtask in subtasks_of("dysca"):
        for ordinal in range(each):
            key = item_id(3, "scene", subtask, ordinal)
            style = int(generator(3, "style", key).integers(styles))
            rows.append(
                {
                    "scene_id": key,
                    "subtask": subtask,
                    "ordinal": ordinal,
                    "foreground_list": subtask,
                    "foreground": ANIMALS[ordinal % len(ANIMALS)] if subtask == "animal" else "x",
                    "attributes": {"race": "dark"} if subtask == "race" else {},
                    "background": "beach",
                    "style": f"style number {style:02}",
                    "prompt": "p",
                    "negative_prompt": "",
                    "caption": "c",
                    "seed": ordinal,
                }
            )
    return rows


def _questions(scenes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for scene in scenes:
        for kind in ("multiple_choice", "true_false"):
            options = ["a", "b", "c", "d"][: 4 if kind == "multiple_choice" else 2]
            rows.append(
                {
                    "question_id": item_id(scene["scene_id"], scene["subtask"], kind),
                    "scene_id": scene["scene_id"],
                    "subtask": scene["subtask"],
                    "granularity": SUBTASKS[scene["subtask"]].granularity,
                    "question_type": kind,
                    "question": "What is shown?",
                    "options": options,
                    "answer": options[0],
                    "answer_index": 0,
                    "chance": 1 / len(options),
                    "level": LEVELS[scene["ordinal"] % 2],
                }
            )
    return rows


def score(model: str, position: int, question: dict[str, Any], style: str) -> dict[str, Any]:
    """What became of a model's answer; skill falls along the subtasks, and from model to model."""
    subtask = list(SUBTASKS).index(question["subtask"])
    skill = max(0.95 - 0.03 * subtask - 0.02 * position, 0.0)
    draws = generator(4, model, question["question_id"]).random(2)
    knows = model != "chance" and draws[0] < skill
    refuses = model == SHY and question["subtask"] in TABOO
    return {
        "model": model,
        "scenario": "clean",
        "question_id": question["question_id"],
        "image_id": item_id(question["scene_id"], "clean"),
        "scene_id": question["scene_id"],
        "subtask": question["subtask"],
        "question_type": question["question_type"],
        "style": style,
        "status": "refused" if refuses else "answered",
        "parse_method": None if refuses else "letter",
        "correct": None if refuses else bool(knows or draws[1] < question["chance"]),
        "scored": not refuses,
    }


def build(
    root: Path, models: int = 6, styles: int = 5, each: int = 8, shard: int = 1000, **figures: Any
) -> Snapshot:
    """Write the tables below ``root`` and give the snapshot."""
    endpoint = {"base_url": "https://models.example/v1", "model": "small"}
    chosen = [
        {"name": n, "engine": "chance"} if n == "chance"
        else {"name": n, "engine": "openai_chat", "endpoint": endpoint}
        for n in names(models)
    ]  # fmt: skip
    params = validate(
        {
            "snapshot": {"name": "many", "seed": 3},
            "filter": {"filters": []},
            "scenarios": {"names": ["clean"]},
            "answer": {"models": chosen},
            "statistics": {"resamples": 100},
            "figures": figures,
        }
    )
    data = root / "data"

    def write(rows: list[dict[str, Any]], folder: str, schema: Any, size: int = 10**6) -> None:
        for i in range(0, max(len(rows), 1), size):
            path = data / folder / tables.part_name(i // size)
            tables.write_rows(rows[i : i + size], path, schema, SNAPSHOT)

    scenes = _scenes(styles, each)
    questions = _questions(scenes)
    of_scene = {s["scene_id"]: s["style"] for s in scenes}
    about = [{"image_id": item_id(s["scene_id"], "clean"), "scene_id": s["scene_id"]}
             for s in scenes]  # fmt: skip
    write(scenes, "scenes", tables.SCENES)
    write(questions, "questions", tables.QUESTIONS)
    write([a | {"filter": "render", "keep": True} for a in about], "verdicts/render",
          tables.VERDICTS)  # fmt: skip
    images = [a | {"scenario": "clean", "renderer": "x", "renderer_version": "1"} for a in about]
    write(images, "images/clean", tables.IMAGES)
    write([], "consensus", tables.CONSENSUS)
    for position, model in enumerate(names(models)):
        rows = [score(model, position, q, of_scene[q["scene_id"]]) for q in questions]
        write(rows, f"scores/{model}/clean", tables.SCORES, shard)
    write_metrics(
        params, scores=sorted((data / "scores").glob("*/*/part-*.parquet")),
        consensus=sorted((data / "consensus").iterdir()),
        questions=sorted((data / "questions").iterdir()),
        scenes=sorted((data / "scenes").iterdir()),
        out_parquet=root / "metrics.parquet", out_json=root / "metrics.json",
    )  # fmt: skip
    return Snapshot(params, data, root)
