"""A look-alike of a user's copy of VALOR-Bench: two pictures a subset, drawn and annotated here.

It has the slips of the released files: stray blanks, a misspelt key, labels that stand twice, both
suffixes, names with and without them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from lvlmbench.config import Params, validate
from lvlmbench.suites import claimed
from lvlmbench.suites.valor_bench.formats import FILES

SUBSETS = tuple(FILES)

OBJECTS = [
    {"image_id": "garden.jpg", "gt_objects": ["dog", "bench", "flower", "flowers", "tree", "tree"]},
    {"image_id": " kitchen", "gt_objects": ["cup", "kettle", "bowl", "spoon"]},
]
ATTRIBUTES = {
    "fruit": {
        "1": "(red, apple)",
        "2": "(yellow, banana)",
        "3": "(white, brush), (red, brush)",
    },
    "desk.png": {"1": "(wooden, chair)", "2": "(blue , book)", "3": "(blue, book)"},
}
PEOPLE = {
    "square": {
        "1": {
            "person": "man",
            "object": "(black, jacket), (blue, jeans)",
            "action": "riding a bicycle",
        },
        "2": {
            "perosn": "woman",
            "object": "(red, dress), (white, hat)",
            "action": "reading a book",
        },
    },
    "beach": {
        "1": {"person": "boy", "object": "(green, shirt), (brown, shorts)", "action": "sitting"}
    },
}
POSITIONS = {
    "table": {
        "0": ["the cup is to the left of the plate", "the plate is to the right of the cup"],
        "1": ["the lamp is above the table"],
        "2": ["the clock is at the top left of the image"],
    },
    "yard": {"0": ["(cat, on, wall)"], "1": ["the ball is in front of the door"]},
}
SIZES = {
    "street": {"1": "house / building", "2": "car", "3": "dog"},
    "shelf": {"1": "vase", "2": "bottle", "3": "cup", "4": "key"},
}
#: Names of the pictures as files.
PICTURES = (
    "garden.jpg", "kitchen.png", "fruit.jpg", "desk.png", "square.jpg", "beach.png", "table.jpg",
    "yard.jpg", "street.png", "shelf.jpg",
)  # fmt: skip

#: Lines that ``suite check`` passes over, by what they tell of.
SLIPS = (
    "human_annotation/object_existence.jsonl:2: stray blanks in ' kitchen'",
    "human_annotation/attribute_people.json:8: 'perosn' is read as 'person'",
)


def _draw(path: Path, at: int) -> None:
    """A small picture, no two of one size."""
    picture = Image.new("RGB", (96 + 8 * at, 64 + 4 * at), (230, 230, 240 - 10 * at))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((10, 10, 40 + at, 40), fill=(200, 20 * at, 30))
    pen.ellipse((50, 20, 80, 55), fill=(30, 120, 10 * at))
    picture.save(path)


def write(folder: Path) -> Path:
    """Write the look-alike into a folder; returns it."""
    (folder / "images").mkdir(parents=True)
    for at, name in enumerate(PICTURES):
        _draw(folder / "images" / name, at)
    annotation = folder / "human_annotation"
    annotation.mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in OBJECTS)
    (annotation / FILES[claimed.OBJECTS].file).write_text(lines)
    for subset, held in zip(SUBSETS[1:], (ATTRIBUTES, PEOPLE, POSITIONS, SIZES), strict=True):
        (annotation / FILES[subset].file).write_text(json.dumps(held, indent=1))
    (folder / "generation").mkdir()
    prompt = "Say which things you can see.\n"
    (folder / "generation" / FILES[claimed.OBJECTS].prompt).write_text(prompt)
    return folder


def params(folder: Path, scenes: int = 2, subtasks: Sequence[str] = SUBSETS, **more: Any) -> Params:
    """The parameters of a suite of this folder."""
    corpus = {
        "subtasks": list(subtasks),
        "scenes_per_subtask": scenes,
        "valor_bench": {"folder": str(folder)},
    }
    return validate({"suite": "mine", "kind": "valor_bench", "corpus": corpus, **more})
