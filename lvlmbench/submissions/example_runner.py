"""Asks a model every question of this folder and writes answers.jsonl.

Put your model into ask(), then: python run.py
Stopped and started again, it goes on where it was. This file needs Python alone (for
questions.parquet also pyarrow) and knows nothing of lvlmbench: change it as you like.
"""

import base64
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def ask(prompt: str, image: bytes | None, turns: list[dict[str, str]]) -> str:
    """What the model says. ``image`` is a PNG file; None: ask without one.

    ``turns`` is what was said before, each with ``question`` and ``answer``; the image belongs to
    the first of them. Where there are none, the prompt begins the dialogue.
    """
    return "(A)"  # put your model here


def questions() -> Iterator[dict[str, Any]]:
    """The rows of whichever file of questions is here."""
    if (HERE / "questions.jsonl").exists():
        with (HERE / "questions.jsonl").open(encoding="utf-8") as file:
            yield from map(json.loads, file)
    elif (HERE / "questions.csv").exists():
        with (HERE / "questions.csv").open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
    else:
        import pyarrow.parquet as pq

        for batch in pq.ParquetFile(HERE / "questions.parquet").iter_batches(64):
            yield from batch.to_pylist()


def picture(image: Any) -> bytes | None:
    """The image's bytes from a file's name, a data URL or a column that holds them."""
    if not image:
        return None
    if isinstance(image, dict):
        data: bytes = image["bytes"]
        return data
    if image.startswith("data:"):
        return base64.b64decode(image.partition(",")[2])
    return Path(HERE, image).read_bytes()


def said_before(row: dict[str, Any]) -> list[dict[str, str]]:
    """The turns before the prompt; CSV has them as JSON."""
    turns = row["turns"] or []
    return json.loads(turns) if isinstance(turns, str) else turns


def main() -> None:
    """Ask what was not answered yet."""
    path = HERE / "answers.jsonl"
    known = set()
    if path.exists():
        lines = path.read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        path.write_bytes(b"".join(whole))  # without a line that a crash cut short
        known = {json.loads(line)["item_id"] for line in whole}
    asked = 0
    with path.open("a", encoding="utf-8") as out:
        for row in questions():
            if row["item_id"] not in known:
                asked += 1
                answer = ask(row["prompt"], picture(row["image"]), said_before(row))
                out.write(json.dumps({"item_id": row["item_id"], "answer": answer}) + "\n")
                out.flush()
    print(f"{path}: {asked} answers more, {asked + len(known)} in all")


if __name__ == "__main__":
    main()
