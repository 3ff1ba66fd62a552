"""Runs exported tasks in inspect_ai with a model that says what it is given; run by a test.

python inspect_ai_run.py FOLDER ANSWERS.json LOGS: for each task one JSON object about its log.
ANSWERS.json holds a list of {"task", "arguments", "answers" by sample id}.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ChatMessageUser, ContentImage, ModelOutput, ModelUsage, get_model

FOLDER, ANSWERS, LOGS = (Path(argument) for argument in sys.argv[1:])


def seen(sample: EvalSample) -> dict[str, Any]:
    """What a model was sent, and what came of it."""
    message = sample.messages[0]
    assert isinstance(message, ChatMessageUser) and not isinstance(message.content, str)
    images = [part.image for part in message.content if isinstance(part, ContentImage)]
    scores = sample.scores or {}
    return {
        "id": sample.id,
        "text": message.text,
        "images": [hashlib.sha256(image.encode()).hexdigest() for image in images],
        "scores": {n: [str(s.value), s.answer, s.reason] for n, s in scores.items()},
    }


def ran(task: str, arguments: dict[str, Any], answers: dict[str, str]) -> dict[str, Any]:
    """Summary of the log of a task."""
    waiting = list(answers.values())

    def output(*_: Any) -> ModelOutput:
        said = ModelOutput.from_content("mockllm/model", waiting.pop(0))
        said.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
        return said

    (log,) = evaluate(
        f"{FOLDER / 'lvlmbench_task.py'}@{task}",
        model=get_model("mockllm/model", custom_outputs=output),
        task_args=arguments, sample_id=list(answers), max_samples=1, display="none",
        log_dir=str(LOGS), log_images=True, log_format="json",
    )  # fmt: skip
    log = read_eval_log(log.location, resolve_attachments=True)
    scores = log.results.scores if log.results else []
    return {
        "task": task,
        "status": log.status,
        "error": log.error.message if log.error else None,
        "scores": {
            s.name: {n: str(m.value) for n, m in s.metrics.items()}
            | {"scored": s.scored_samples, "unscored": s.unscored_samples}
            for s in scores
        },
        "samples": [seen(sample) for sample in log.samples or []],
    }


for asked in json.loads(ANSWERS.read_text()):
    print(json.dumps(ran(**asked)))
