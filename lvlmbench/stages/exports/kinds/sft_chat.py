"""Chats with right answers, to fine-tune a model on, as AutoDavis does with what leaked (3.6).

A line of JSON is a chat, as TRL's ``SFTTrainer`` and others take it: the picture with the text that
models are sent, and the right answer in the form that is asked for, behind what was said before, if
anything was. What the
consensus of models drops is left out: nobody should learn what may be wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench.stages.exports.chats import messages
from lvlmbench.stages.exports.export import EXPORTS, Example, Source
from lvlmbench.stages.exports.markdown import COPY_FIRST, code, table
from lvlmbench.suites.instructions import letter

#: Folder of the pictures, each once for all questions about it.
IMAGES = "images"

_TEXT = """\
# The snapshot {name} as chats, to fine-tune a model

Snapshot id `{snapshot}`. {table}

A line is `{{"id", "images", "messages", "scene_id", "subtask", "level"}}`: the user shows the
picture and asks, the assistant gives the right answer. Paths of pictures are relative to this
folder. Questions that the consensus of models drops are left out.

    from datasets import load_dataset
    chats = load_dataset("json", data_files="{first}.jsonl", split="train")

**A model that was trained on this snapshot is no model under test of it.** To see what training on
it does, ask the model about another drawing of the same plan (`regeneration`); the report then
tells leaked and fresh pictures apart. Split by `scene_id`, or better by plan, never by line.

{copy_first}
"""


def right_answer(example: Example) -> str:
    """Return the right answer as the prompt asks for it: with its letter where there are some."""
    if example.answer_index is None:
        return example.answer
    return f"{letter(example.answer_index)} {example.answer}"


def chat(example: Example) -> dict[str, Any]:
    """Return a question and its right answer as a chat."""
    answered = [{"type": "text", "text": right_answer(example)}]
    return {
        "id": example.item_id,
        "images": [f"{IMAGES}/{example.image_sha256}.png"],
        "messages": [
            *messages(example, {"type": "image"}),
            {"role": "assistant", "content": answered},
        ],
        "scene_id": example.scene_id,
        "subtask": example.subtask,
        "level": example.scene["level"],
    }


@EXPORTS.register(
    "sft_chat",
    place=7,
    on_request=True,
    label="chats for fine-tuning",
    load='datasets.load_dataset("json", data_files="*.jsonl")',
)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write chats and pictures, and what they are; the number of chats by scenario.

    Raises
    ------
    UserError
        A table is missing or damaged.
    """
    (folder / IMAGES).mkdir()
    rows = {name: _scenario(source, folder, name) for name in source.params.exports.scenarios}
    listed = table(
        ["scenario", "chats"], [(code(name), count) for name, count in rows.items()]
    )  # fmt: skip
    text = _TEXT.format(
        name=source.params.snapshot.name, snapshot=source.snapshot_id,
        table=f"\n\n{listed}", first=next(iter(rows)), copy_first=COPY_FIRST,
    )  # fmt: skip
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
    return rows


def _scenario(source: Source, folder: Path, scenario: str) -> int:
    rows = 0
    with (folder / f"{scenario}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for example in source.examples(scenario):
            if not example.kept:
                continue
            found = chat(example)
            path = folder / found["images"][0]
            if not path.exists():
                path.write_bytes(example.image)
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
            rows += 1
    return rows
