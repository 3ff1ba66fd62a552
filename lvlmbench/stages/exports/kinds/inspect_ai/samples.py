"""A question as a sample of inspect_ai."""

from __future__ import annotations

import json
from string import ascii_uppercase
from typing import Any

from lvlmbench.stages.exports.chats import messages
from lvlmbench.stages.exports.export import Example

#: Folder of the images. They are files and not data URLs: an image is stored once for all questions
#: about it, logs name it instead of repeating it, and a line of JSON stays readable.
IMAGES = "images"


def image_path(example: Example) -> str:
    """The image's file from the folder of the JSON lines; inspect_ai takes it from there."""
    return f"{IMAGES}/{example.image_sha256}.png"


def _target(example: Example) -> str | list[str]:
    if example.accepted:
        return list(example.accepted)
    index = example.answer_index
    return example.answer if index is None else ascii_uppercase[index]


def sample(example: Example) -> dict[str, Any]:
    """The fields of a sample: image and prompt as a message, options, right letter, id.

    What was said before are messages, too; the image goes with the first of the user's.

    The targets of a short answer are its accepted forms, that of a free-form question is its
    reference description; they have no choices.
    """
    done = example.perturbation or {}
    found: dict[str, Any] = {
        "id": example.item_id,
        "input": messages(example, {"type": "image", "image": image_path(example)}),
        "target": _target(example),
    }
    if example.options:
        found["choices"] = list(example.options)
    found["metadata"] = {
        "question_id": example.question_id,
        "scene_id": example.scene_id,
        "image_id": example.image_id,
        "scenario": example.scenario,
        "subtask": example.subtask,
        "granularity": example.granularity,
        "style": example.scene["style"],
        "question_type": example.question_type,
        "question": example.question,
        "chance": example.chance,
        "kept": example.kept,
        "perturbation": done.get("kind"),
        "severity": done.get("severity"),
    }
    return found


def line(example: Example) -> str:
    """The sample as a line of a JSON-lines file, with its end."""
    return json.dumps(sample(example), ensure_ascii=False) + "\n"
