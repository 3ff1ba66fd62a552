"""Turns logs of inspect_ai into a file for `lvlmbench score`.

python to_answers.py LOG_FILE_OR_FOLDER ... > answers.jsonl

This file needs inspect_ai, which reads its own logs.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log


def samples(path: Path) -> Iterator[EvalSample]:
    """The samples of a log, or of all logs of a folder from the oldest to the newest."""
    logs = (
        [p for p in path.rglob("*") if p.suffix in (".eval", ".json")] if path.is_dir() else [path]
    )
    for log in sorted(logs, key=lambda path: path.name):
        try:
            found = read_eval_log(str(log)).samples
        except Exception as error:  # its readers raise whatever they run into
            sys.exit(f"{log}: cannot be read: {error}")
        yield from found or []


def row(sample: EvalSample) -> dict[str, Any]:
    """A line of the file: what the model said, word for word, and how it went."""
    found: dict[str, Any] = {"item_id": str(sample.id), "answer": sample.output.completion}
    usage = sample.output.usage
    if usage is not None:
        found |= {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}
    if sample.output.time is not None:
        found["latency_s"] = sample.output.time
    if sample.error is not None:
        found |= {"answer": "", "status": "error", "error": sample.error.message[:500]}
    elif sample.output.stop_reason == "content_filter":
        found["status"] = "refused"
    return found


def main() -> None:
    """Write a line for each sample, the last one where a question was asked again."""
    if not sys.argv[1:]:
        sys.exit(__doc__)
    rows = {
        str(sample.id): row(sample)
        for name in sys.argv[1:]
        for sample in samples(Path(name))
        if "question_id" in (sample.metadata or {})  # samples of other tasks have none
    }
    if not rows:
        sys.exit("no samples of lvlmbench tasks there")
    for line in rows.values():
        print(json.dumps(line))
    print(f"{len(rows):,} answers", file=sys.stderr)


if __name__ == "__main__":
    main()
