"""Columns of a question in a flat table: names, types, meanings. Cards and Croissant tell them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lvlmbench.stages.exports.source import Example

#: The layout that Hugging Face ``datasets`` decodes as a picture.
PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


@dataclass(frozen=True)
class Column:
    """A column: its Arrow type, what it means, and its value for an example."""

    name: str
    type: pa.DataType
    meaning: str
    of: Callable[[Example], Any]


def _field(name: str, type_: pa.DataType, meaning: str) -> Column:
    """A column that is a field of the example."""
    return Column(name, type_, meaning, lambda e: getattr(e, name))


def _scene(name: str, meaning: str) -> Column:
    """A text column of the table scenes."""
    return Column(f"scene_{name}", pa.string(), meaning, lambda e: e.scene[name])


def _attribute(name: str, meaning: str, type_: pa.DataType | None = None) -> Column:
    def value(example: Example) -> Any:
        return (example.scene["attributes"] or {}).get(name)

    return Column(f"scene_{name}", type_ or pa.string(), meaning, value)


def _perturbation(name: str, meaning: str, type_: pa.DataType | None = None) -> Column:
    def value(example: Example) -> Any:
        return (example.perturbation or {}).get(name)

    return Column(f"perturbation_{name}", type_ or pa.string(), meaning, value)


def _image(example: Example) -> dict[str, Any]:
    return {"bytes": example.image, "path": f"{example.image_sha256}.png"}


_TEXT = pa.string()

#: In the order of the table. Null means that a thing has no value, never that it is unknown.
COLUMNS: tuple[Column, ...] = (
    _field(
        "item_id", _TEXT, "Id of the question as asked here: send it back with the model's answer."
    ),
    Column("image", PICTURE, "The picture, PNG, byte for byte as it was made.", _image),
    _field("question", _TEXT, "The question alone, without options and instruction."),
    Column(
        "options",
        pa.list_(_TEXT),
        "Options in the order shown; empty where none are offered.",
        lambda e: list(e.options),
    ),
    _field(
        "answer", _TEXT, "The right option, or short answer; for free form a reference caption."
    ),
    _field("answer_index", pa.int8(), "Place of the right option, from 0; null without options."),
    Column(
        "accepted",
        pa.list_(_TEXT),
        "Forms of a short answer that are right, as `3` and `three`; empty for other types.",
        lambda e: list(e.accepted),
    ),
    Column(
        "prompt",
        _TEXT,
        "Whole text to send: what was said before, if anything; question, lettered options, "
        "instruction.",
        lambda e: e.told,
    ),
    Column(
        "earlier_questions",
        pa.list_(_TEXT),
        "What was asked before it, in this order, for models that speak in turns; mostly empty.",
        lambda e: [turn.question for turn in e.turns],
    ),
    Column(
        "earlier_answers",
        pa.list_(_TEXT),
        "What was answered to each of these.",
        lambda e: [turn.answer for turn in e.turns],
    ),
    Column(
        "last_prompt",
        _TEXT,
        "The prompt without what was said before; null where nothing was.",
        lambda e: e.prompt if e.turns else None,
    ),
    Column(
        "panels",
        _TEXT,
        "The pictures that the picture is put together of, as JSON: left, top, right and bottom of "
        "each as shares of its sides; null where it is one picture.",
        lambda e: json.dumps(e.panels) if e.panels else None,
    ),
    _field(
        "question_type",
        _TEXT,
        "`multiple_choice`, `true_false`, `short_answer`, `free_form` or `structured`.",
    ),
    _field("subtask", _TEXT, "What the question is about, e.g. `color`."),
    _field("granularity", _TEXT, "`coarse` (style, background, color) or `fine`."),
    _field(
        "chance",
        pa.float64(),
        "Expected accuracy of guessing, 0 to 1; 0 for short answers, null for free form.",
    ),
    _field(
        "kept",
        pa.bool_(),
        "Whether the consensus of models keeps the question; those it drops may be faulty.",
    ),
    _field("scenario", _TEXT, "Condition under which the image is shown, e.g. `clean`."),
    _field("question_id", _TEXT, "Id of the question, the same in every scenario."),
    _field("image_id", _TEXT, "Id of the image."),
    _field("scene_id", _TEXT, "Id of the scene: questions of one scene are not independent."),
    _field("image_sha256", _TEXT, "SHA-256 of the picture's bytes."),
    _field("width", pa.int32(), "Width of the picture in pixels."),
    _field("height", pa.int32(), "Height of the picture in pixels."),
    _scene("subtask", "Subtask that the scene was planned for."),
    _scene("style", "Style of the picture."),
    _scene("foreground_list", "Vocabulary list that the foreground is from."),
    _scene("foreground", "What the picture shows."),
    _scene("background", "Where it shows it; null where the scene has no background."),
    _scene("text", "Word that can be read in the picture; null where there is none."),
    _attribute("color", "Color of the foreground; null where the scene fixes none."),
    _attribute("number", "How many of the foreground there are; null likewise.", pa.int8()),
    _attribute("age", "Age of the person; null likewise."),
    _attribute("gender", "Gender of the person; null likewise."),
    _attribute("race", "Race of the person, in pictographs the skin tone; null likewise."),
    _attribute("expression", "Facial expression of the person; null likewise."),
    _scene("prompt", "Prompt of a text-to-image model for the scene."),
    _scene("negative_prompt", "What that model is told to avoid."),
    _scene("caption", "Caption: what the scene holds."),
    _perturbation("kind", "What was done to the picture; null where nothing was."),
    _perturbation(
        "severity",
        "Level of a corruption, or rank of a lower resolution, 1 to 5; else null.",
        pa.int8(),
    ),
    _perturbation("parameters", "Parameters of what was done, as JSON."),
    _perturbation("printed_text", "What a print attack wrote on the picture."),
    _perturbation(
        "epsilon",
        "Size of an adversarial perturbation in its norm, pixels from 0 to 1.",
        pa.float64(),
    ),
    _perturbation("proxy", "Model that an adversarial attack was computed on."),
)

SCHEMA = pa.schema([(column.name, column.type) for column in COLUMNS])


def row(example: Example) -> dict[str, Any]:
    """An example under :data:`SCHEMA`."""
    return {column.name: column.of(example) for column in COLUMNS}
