"""Turns logs of inspect_ai into a file for `lvlmbench score`.

python to_answers.py LOG_FILE_OR_FOLDER ... > answers.jsonl

Answers of several models are not put together, nor two runs over the same questions: choose with
--model and --run. This file needs runs.py beside it, and inspect_ai, which reads its own logs.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log
from runs import Answer, arguments, chosen, files, write


def answers(path: Path) -> Iterator[Answer]:
    """The answers of a log, or of all logs of a folder from the oldest to the newest. A call of
    inspect eval is a run, with a log for each task."""
    logs = files(path, lambda file: file.suffix in (".eval", ".json"))
    for file in sorted(logs, key=lambda path: path.name):
        try:
            log = read_eval_log(str(file))
        except Exception as error:  # its readers raise whatever they run into
            sys.exit(f"{file}: cannot be read: {error}")
        for sample in log.samples or []:
            if "question_id" in (sample.metadata or {}):  # samples of other tasks have none
                yield Answer(log.eval.model, log.eval.run_id, str(sample.id), row(sample))


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
    asked = arguments(__doc__)
    found = (each for path in asked.paths for each in answers(Path(path)))
    lines = chosen(found, asked.model, asked.run)
    if not lines:
        sys.exit("no samples of lvlmbench tasks there")
    write(lines)


if __name__ == "__main__":
    main()
