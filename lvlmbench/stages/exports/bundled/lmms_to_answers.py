"""Turns what `lmms-eval --log_samples` wrote into a file for `lvlmbench score`.

python to_answers.py OUTPUT_FOLDER_OR_SAMPLES_FILE ... > answers.jsonl

Answers of several models are not put together, nor two runs over the same questions: choose with
--model and --run. This file needs Python and runs.py beside it alone.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runs import Answer, arguments, chosen, files, write

#: Between the time at which a run ended, by which it is known, and the task.
_SAMPLES = "_samples_"


def answers(path: Path) -> Iterator[Answer]:
    """The answers of a file, or of all files of a folder: the tool keeps a folder for each model,
    and in it files for each run and task."""
    for file in files(path, lambda file: file.match("*samples_*.jsonl")):
        model, run = file.resolve().parent.name, file.name.partition(_SAMPLES)[0]
        for sample in samples(file):
            item = item_id(sample)
            if item is not None:
                yield Answer(model, run, item, {"item_id": item, "answer": answer(sample)})


def samples(file: Path) -> Iterator[dict[str, Any]]:
    """The logged samples of a file."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from (dict(json.loads(line)) for line in lines if line.strip())
    except (OSError, ValueError, TypeError) as error:
        sys.exit(f"{file}: cannot be read: {error}")


def answer(sample: dict[str, Any]) -> str:
    """What the model said, word for word: the response, or where it is not told apart what is left
    of it after filters."""
    said = sample.get("resps", sample.get("filtered_resps"))
    while isinstance(said, list):
        said = said[0] if said else None
    return "" if said is None else str(said)


def item_id(sample: dict[str, Any]) -> str | None:
    """What was asked; None for samples of other tasks."""
    for metric in ("scored", "captions"):
        value = sample.get(metric)
        if isinstance(value, dict) and "item_id" in value:
            return str(value["item_id"])
    return None


def main() -> None:
    """Write a line for each answer, the last one where a question was asked again."""
    asked = arguments(__doc__)
    found = (each for path in asked.paths for each in answers(Path(path)))
    lines = chosen(found, asked.model, asked.run)
    if not lines:
        sys.exit("no samples of lvlmbench tasks there: run lmms-eval with --log_samples")
    write(lines)


if __name__ == "__main__":
    main()
