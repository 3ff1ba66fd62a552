"""A look-alike of a user's copy of TouchStone: questions, references and pictures made here.

It is written as released: columns, texts of several lines in quotes, pictures in base64.
"""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from lvlmbench.config import Params, validate

COLUMNS = (
    "index", "image", "question", "human_annotation", "gpt4_ha_answer", "category", "task_name",
)  # fmt: skip
FILE = "questions.tsv"

#: Task's name as a table may have it -> our subtask.
NAMES = {
    "Simple Description": "touchstone_simple",
    "Attribute-based QA": "touchstone_attributes",
    "celebrity recognition": "touchstone_celebrity",
    "Movies/TV": "touchstone_film",
    "Brand": "touchstone_brand",
    "Abstract Images Understanding": "touchstone_abstract",
    "Memes": "touchstone_meme",
}
SUBTASKS = tuple(NAMES.values())

_QUESTIONS = (
    'What does the "red" box stand for?',
    "Say in a few words what is shown.\nTwo sentences are enough.",
)
_REFERENCES = (
    "It stands for a box,\nas far as one can tell:\n1.\tred\n2.\tsquare",
    "A red box and a green ball.",
)


def picture(at: int, form: str = "PNG") -> bytes:
    """A small picture's file, no two of one size."""
    made = Image.new("RGB", (64 + 4 * at, 48 + 2 * at), (230, 230, max(0, 240 - 8 * at)))
    pen = ImageDraw.Draw(made)
    pen.rectangle((8, 8, 30 + at, 32), fill=(200, (20 * at) % 256, 30))
    pen.ellipse((34, 12, 60, 44), fill=(30, 120, (10 * at) % 256))
    out = io.BytesIO()
    made.save(out, form)
    return out.getvalue()


def rows(each: int = 2) -> list[dict[str, str]]:
    """So many questions of each of some tasks, the tasks in turns."""
    found = []
    for number in range(each):
        for name in NAMES:
            at = len(found)
            form = "JPEG" if at % 3 == 0 else "PNG"
            found.append(
                {
                    "index": str(at),
                    "image": base64.b64encode(picture(at, form)).decode(),
                    "question": f"{_QUESTIONS[at % 2]} ({at})",
                    "human_annotation": f"Picture {at} shows a red box left of a green ball.",
                    "gpt4_ha_answer": f"{_REFERENCES[at % 2]} ({number})",
                    "category": "Visual Recognition, own",
                    "task_name": name,
                }
            )
    return found


def write(path: Path, held: Iterable[Mapping[str, str]] | None = None) -> Path:
    """Write a table; returns its path."""
    listed = [*(rows() if held is None else held)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, [*listed[0]], dialect="excel-tab", lineterminator="\n")
        out.writeheader()
        out.writerows(listed)
    return path


def params(
    path: Path,
    each: int = 2,
    subtasks: Sequence[str] = SUBTASKS,
    tasks: Mapping[str, str] | None = None,
    **more: Any,
) -> Params:
    """The parameters of a suite of this table."""
    corpus = {
        "subtasks": list(subtasks),
        "scenes_per_subtask": each,
        "touchstone_bench": {"file": str(path), "tasks": dict(tasks or {})},
    }
    return validate({"suite": "mine", "kind": "touchstone_bench", "corpus": corpus, **more})
