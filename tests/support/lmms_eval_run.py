"""Runs exported tasks in lmms-eval with a model that says what it is given; run by a test.

python lmms_eval_run.py TASK_FOLDER ANSWERS.json OUTPUT_FOLDER: one JSON object a line, about the
tasks, about each request, and about the results. Logged samples go where lmms-eval puts them.
"""

import hashlib
import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from lvlmbench.core import torchvision_hook

torchvision_hook.install()

from lmms_eval import evaluator  # noqa: E402
from lmms_eval.api.model import lmms  # noqa: E402
from lmms_eval.loggers import EvaluationTracker  # noqa: E402
from lmms_eval.tasks import TaskManager, get_task_dict  # noqa: E402


class Given(lmms):  # type: ignore[misc]
    """Answers by task and number; what a request holds is told on standard output."""

    is_simple = True

    def __init__(self, answers: dict[str, str], docs: dict[str, Any]) -> None:
        super().__init__()
        self._answers, self._docs = answers, docs

    def generate_until(self, requests: list[Any]) -> list[str]:
        """What is given for each request."""
        for request in requests:
            context, settings, visual, number, task, split = request.args
            (image,) = visual(self._docs[task][split][number])
            pixels = hashlib.sha256(image.tobytes()).hexdigest()
            told = {"task": task, "number": number, "prompt": context, "pixels": pixels}
            print(json.dumps({"request": told | {"settings": settings}}))
        return [self._answers[f"{r.args[4]}/{r.args[3]}"] for r in requests]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        """No task asks for it."""
        raise NotImplementedError

    def generate_until_multi_round(self, requests: list[Any]) -> list[str]:
        """No task asks for it."""
        raise NotImplementedError


def main() -> None:
    """Load every task of the folder's group, ask, score, log."""
    folder, answers, out = (Path(argument) for argument in sys.argv[1:])
    manager = TaskManager("ERROR", include_path=str(folder), include_defaults=False)
    print(json.dumps({"tasks": manager.all_tasks}))
    (group,) = get_task_dict(["lvlmbench"], manager, "simple").values()
    model = Given(json.loads(answers.read_text()), {n: t.dataset for n, t in group.items()})
    media = Namespace(process_with_media=False)  # as the command line has it
    found = evaluator.evaluate(
        lm=model, task_dict=dict(group), cli_args=media, log_samples=True, bootstrap_iters=0
    )
    print(json.dumps({"results": found["results"]}))
    tracker = EvaluationTracker(output_path=str(out))
    tracker.general_config_tracker.log_experiment_args("given", "", "", "", False)
    tracker.date_id = "now"
    for name, samples in found["samples"].items():
        tracker.save_results_samples(task_name=name, samples=samples)


if __name__ == "__main__":
    main()
