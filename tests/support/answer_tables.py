"""Small tables and a server process for tests of answering and scoring."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.config.project import project_of
from lvlmbench.config.sections import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.answer.engine import Item

SERVER = Path(__file__).parent / "server" / "openai_server.py"
ECHO_SERVER = SERVER.with_name("echo_server.py")
SMALL_SERVER = SERVER.with_name("small_server.py")
OPTIONS = ["gray wolf", "red fox", "barn owl", "hedgehog"]
KEY = "sk-test-0123456789abcdef"


@contextmanager
def running_server(*arguments: str, script: Path = SERVER) -> Iterator[str]:
    """Base URL of a server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def stats(base_url: str) -> dict[str, dict[str, int]]:
    """How often each request was asked and answered."""
    with urllib.request.urlopen(f"{base_url}/stats", timeout=10) as response:
        found: dict[str, dict[str, int]] = json.load(response)
    return found


def png(color: int) -> bytes:
    """A small picture; different for each color below 2**24."""
    picture = Image.new("RGB", (8, 8), ((color >> 16) & 255, (color >> 8) & 255, color & 255))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def item(number: int, *, options: list[str] | None = None, image: bytes | None = None) -> Item:
    """Question ``number`` about its own picture."""
    image = png(number) if image is None else image
    chosen = OPTIONS if options is None else options
    return Item(
        question_id=item_id("q", number),
        scene_id=item_id("s", number),
        subtask="animal",
        question_type="multiple_choice" if chosen else "free_form",
        question=f"Which animal is number {number}?",
        options=tuple(chosen),
        prompt=f"Which animal is number {number}?\nOptions: ...",
        image=image,
        image_id=item_id("i", number),
        image_sha256=hashlib.sha256(image).hexdigest(),
    )


def endpoint(base_url: str, model: str, **changes: Any) -> dict[str, Any]:
    """Endpoint section with short pauses for tests."""
    return {
        "base_url": base_url,
        "model": model,
        "api_key_env": "TEST_KEY",
        "concurrency": 4,
        "timeout_s": 10,
        "retries": 2,
    } | changes


def params(models: list[dict[str, Any]], **sections: Any) -> Params:
    """Parameters with these models and no filter."""
    return validate({"answer": {"models": models}, "filter": {"filters": []}} | sections)


def openai_params(base_url: str, model: str, **changes: Any) -> Params:
    """Parameters with one model called ``m`` at this endpoint."""
    section = endpoint(base_url, model, **changes)
    return params([{"name": "m", "engine": "openai_chat", "endpoint": section}])


def write_shard(folder: Path, n: int, config: Params) -> list[str]:
    """Tables of ``n`` scenes with two questions each; arguments of scripts/answer.py."""
    images, questions, verdicts, scenes = [], [], [], []
    for i in range(n):
        scene, picture = item_id("s", i), png(i)
        scenes.append(
            {
                **{"scene_id": scene, "subtask": "animal", "ordinal": i},
                **{"foreground_list": "animal", "foreground": f"animal {i}"},
                **{"style": f"style {i % 3}", "caption": f"animal {i}"},
            }
        )
        images.append(
            {
                "image_id": item_id("i", i),
                "scene_id": scene,
                "scenario": "clean",
                "image": {"bytes": picture, "path": f"{i}.png"},
                "sha256": hashlib.sha256(picture).hexdigest(),
            }
        )
        verdicts.append(
            {"image_id": item_id("i", i), "scene_id": scene, "filter": "render", "keep": True}
        )
        common = {"scene_id": scene, "subtask": "animal", "question": f"Which animal is {i}?"}
        questions.append(
            common
            | {
                "question_id": item_id("q", i),
                "question_type": "multiple_choice",
                "options": OPTIONS,
                "answer": "red fox",
                "answer_index": 1,
                "chance": 0.25,
            }
        )
        questions.append(
            common
            | {
                "question_id": item_id("f", i),
                "question_type": "free_form",
                "question": f"Describe picture {i}.",
                "options": [],
                "answer": "A red fox on a beach, in the style of a watercolor.",
            }
        )
    paths = {name: folder / name / "part-00000.parquet" for name in ("images", "verdicts")}
    paths |= {name: folder / name / "part-00000.parquet" for name in ("questions", "scenes")}
    tables.write_rows(images, paths["images"], tables.IMAGES, "x")
    tables.write_rows(verdicts, paths["verdicts"], tables.VERDICTS, "x")
    tables.write_rows(questions, paths["questions"], tables.QUESTIONS, "x")
    tables.write_rows(scenes, paths["scenes"], tables.SCENES, "x")
    (folder / "config.json").write_text(project_of(config).model_dump_json())
    return [
        *("--config", str(folder / "config.json"), "--scenario", "clean"),
        *("--images", str(paths["images"]), "--verdicts", str(paths["verdicts"])),
        *("--questions", str(paths["questions"]), "--out", str(folder / "answers.parquet")),
    ]
