"""Rows of a file of answers matched to a snapshot's questions and written as tables, a second.

Dysca's proportions: 46,700 scenes with 3.34 questions each, asked in four scenarios. The images are
empty: their bytes are not looked at here.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core.seeding import item_id as content_id
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import take_in

SCENARIOS = ["clean", "corruption", "print_attack", "adversarial"]
#: Rows of a shard here.
_SHARD = 4000
_OPTIONS = ["a red fox", "a barn owl", "a green sea turtle", "a hedgehog"]


def _params() -> Params:
    noisy: list[dict[str, Any]] = [{"name": name} for name in SCENARIOS[1:]]
    noisy[2]["adversarial"] = {"proxy": "reference_a", "objective": "option"}
    return validate(
        {
            "filter": {"filters": [{"name": "integrity"}]},
            "scenarios": {"names": SCENARIOS, "noisy": noisy},
        }
    )


def _write(rows: list[dict[str, object]], folder: Path, schema: Any, shard: int) -> None:
    tables.write_rows(rows, folder / tables.part_name(shard), schema, "benchmark")


def _questions(scene: str, count: int) -> Iterator[dict[str, object]]:
    for i in range(count):
        closed = i % 5 < 4
        yield {
            "question_id": content_id(scene, i),
            "scene_id": scene,
            "subtask": "animal",
            "question_type": "multiple_choice" if closed else "free_form",
            "question": "What is shown in this image?",
            "options": _OPTIONS if closed else [],
            "answer": _OPTIONS[0],
            "answer_index": 0 if closed else None,
        }


def _snapshot(data: Path, scenes: int) -> None:
    """Tables of a snapshot with ``scenes`` scenes, all of them kept."""
    for shard, start in enumerate(range(0, scenes, _SHARD)):
        ids = [content_id(n) for n in range(start, min(start + _SHARD, scenes))]
        counts = [(3, 3, 4)[n % 3] for n in range(len(ids))]
        questions = [q for s, n in zip(ids, counts, strict=True) for q in _questions(s, n)]
        _write(questions, data / "questions", tables.QUESTIONS, shard)
        verdicts: list[dict[str, object]] = [{"scene_id": s, "keep": True} for s in ids]
        for name in ("render", "integrity"):
            rows = [{**row, "filter": name} for row in verdicts]
            _write(rows, data / "verdicts" / name, tables.VERDICTS, shard)
        for scenario in SCENARIOS:
            images: list[dict[str, object]] = [
                {"image_id": content_id(s, scenario), "scene_id": s, "sha256": content_id(s) * 2}
                for s in ids
            ]
            _write(images, data / "images" / scenario, tables.IMAGES, shard)


def _answers(finished: Asked, path: Path) -> int:
    """Answers of about 200 characters to all that is asked, in no order; gives their number."""
    ids = [item_id(s, item) for s in SCENARIOS for item in finished.items(s)]
    random.Random(1).shuffle(ids)
    words = "The picture shows the animal in front of a wall, in soft light. " * 3
    with path.open("w", encoding="ascii") as file:
        for i, key in enumerate(ids):
            row = {"item_id": key, "answer": f"{words}So the answer is ({'ABCD'[i % 4]})."}
            file.write(json.dumps(row) + "\n")
    return len(ids)


def _take(root: Path) -> None:
    """Take the file in; print seconds and the peak of memory as JSON."""
    begin = time.perf_counter()
    file = AnswersFile(root / "a.jsonl")
    found = take_in(Asked(_params(), root / "data"), file, "bench", None, root / "out")
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"rows": found.n_rows, "seconds": seconds, "peak_mib": peak}))


def main() -> None:
    """Make a snapshot and answers, take them in within a process of its own, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=46_700)
    parser.add_argument("--take", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.take is not None:
        _take(args.take)
        return
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        _snapshot(root / "data", args.scenes)
        _answers(Asked(_params(), root / "data"), root / "a.jsonl")
        command = [sys.executable, __file__, "--take", str(root)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(done.stdout)
    rate = round(figures["rows"] / figures["seconds"])
    print(f"{figures['rows']:,} rows in {figures['seconds']:.1f} s")
    result = {"rows": figures["rows"], "rows_per_s": rate, "peak_mib": round(figures["peak_mib"])}
    print(json.dumps({"benchmark": "submissions", **result}))


if __name__ == "__main__":
    main()
