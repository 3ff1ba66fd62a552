"""Turns what `lmms-eval --log_samples` wrote into a file for `lvlmbench score`.

python to_answers.py OUTPUT_FOLDER_OR_SAMPLES_FILE ... > answers.jsonl

This file needs Python alone.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def samples(path: Path) -> Iterator[dict[str, Any]]:
    """The logged samples of a file, or of all files of a run's folder."""
    files = sorted(path.rglob("*samples_*.jsonl")) if path.is_dir() else [path]
    for file in files:
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
    if not sys.argv[1:]:
        sys.exit(__doc__)
    rows: dict[str, str] = {}
    for name in sys.argv[1:]:
        for sample in samples(Path(name)):
            item = item_id(sample)
            if item is not None:
                rows[item] = answer(sample)
    if not rows:
        sys.exit("no samples of lvlmbench tasks there: run lmms-eval with --log_samples")
    for item, text in rows.items():
        print(json.dumps({"item_id": item, "answer": text}))
    print(f"{len(rows):,} answers", file=sys.stderr)


if __name__ == "__main__":
    main()
