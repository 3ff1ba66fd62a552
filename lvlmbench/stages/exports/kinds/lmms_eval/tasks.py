"""YAML files by which lmms-eval finds the tasks: a task for each scenario, and a group of all."""

from __future__ import annotations

import json
from collections.abc import Sequence

#: The group's name, and the start of every task's.
GROUP = "lvlmbench"
#: What the tasks share. It has no suffix, so that it is not taken for a task.
TEMPLATE = "_default_template_yaml"

#: Metrics of a task: name, how its items are put together, whether more is better.
_METRICS = (
    ("accuracy", "mean", True),
    ("multiple_choice", "mean", True),
    ("true_false", "mean", True),
    ("short_answer", "mean", True),
    ("accuracy_kept", "mean", True),
    ("scored", "count", True),
    ("unscored", "count", False),
    ("refused", "count", False),
    ("captions", "count", True),
)

_TEMPLATE = """\
dataset_path: parquet
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
cluster_key: scene_id
score_key: score
generation_kwargs:
  max_new_tokens: 512
  temperature: 0
  do_sample: false
  until: []
metric_list:
{metrics}
metadata:
  version: 1
  snapshot: "{snapshot}"
"""

_METRIC = """\
  - metric: {name}
    aggregation: !function utils.{how}
    higher_is_better: {better}"""


def task_name(scenario: str) -> str:
    """Name of the task on a scenario."""
    return f"{GROUP}_{scenario}"


def template(snapshot: str, short: bool) -> str:
    """What all tasks share; ``short`` says whether there are questions for short answers."""
    metrics = "\n".join(
        _METRIC.format(name=name, how=how, better=str(better).lower())
        for name, how, better in _METRICS
        if short or name != "short_answer"
    )
    return _TEMPLATE.format(metrics=metrics, snapshot=snapshot)


def task(scenario: str, split: str, shards: Sequence[str]) -> str:
    """The task on a scenario.

    Parameters
    ----------
    scenario, split
        Its name, and the name that a split may have.
    shards
        Paths of its Parquet files from the task folder. lmms-eval takes them from the folder of
        the YAML file, as long as the files are there.
    """
    # A JSON string is one in YAML too, whatever stands in it.
    files = "\n".join(f"      - {json.dumps(shard)}" for shard in shards)
    return (
        f"include: {TEMPLATE}\ntask: {json.dumps(task_name(scenario))}\n"
        f"test_split: {json.dumps(split)}\n"
        f"dataset_kwargs:\n  data_files:\n    {json.dumps(split)}:\n{files}\n"
    )


def group(scenarios: Sequence[str]) -> str:
    """All tasks under one name."""
    tasks = "\n".join(f"  - {json.dumps(task_name(scenario))}" for scenario in scenarios)
    return f"group: {GROUP}\ntask:\n{tasks}\n"
