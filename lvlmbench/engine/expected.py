"""Roughly how long the jobs of a run take, and what room their files need.

Jobs that ran here before take as long as then. Of others the figures below know: seconds of a
processor as of 2026, measured with the default snapshot on one core of the machine that
docs/performance.md names. A model behind a server takes as long as it takes; it is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import NamedTuple

from lvlmbench.config import Params, Project
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.engine.builds import STATE
from lvlmbench.stages.answer.resources import images_in_shard
from lvlmbench.stages.report.timings import MEASURED

#: Seconds before the first job works, and how much longer all take than measured work does: cores
#: wait for one another, and files are put in place (the small snapshot and the default, 2 cores).
_START, _BESIDE = 10.0, 1.3
#: Seconds of a job of each rule, with what is beside its work: whatever it does, and for each scene
#: that it looks at.
_SECONDS = {
    "planner": (1.4, 0.004),
    "scenes": (0.7, 0.004),
    "examiner": (1.4, 0.001),
    "check": (1.4, 0.001),
    "questions": (1.4, 0.001),
    "render": (0.7, 0.04),
    "filter": (1.6, 0.008),
    "scenario": (0.8, 0.028),
    "answer": (0.5, 0.018),
    "judge": (1.8, 0.0),
    "examine": (16.0, 0.0),
    "score": (0.5, 0.0),
    "metrics": (3.2, 0.008),
    "comparisons": (0.6, 0.001),
    "distances": (0.6, 0.036),
    "figure": (8.0, 0.0),
    "export": (0.5, 0.002),
    "report": (4.0, 0.09),
}
#: Of a job of any other rule.
_OTHERS = (0.5, 0.0)
#: Seconds of a step of training and of a scene drawn for it, for each image of a batch.
_STEP, _DRAWN = 0.01, 0.02
#: Bytes of a drawn picture for each pixel, and how many times its clean images all exports hold.
#: The default's five suites take 1.2 GB (data, results), which build folders share by hard links.
_PNG, _EXPORTED = 0.6, 1.0
#: Bytes of what else a suite has, at least: tables, figures, its part of the report.
_TABLES = 1_500_000


class Job(NamedTuple):
    """A job of a run.

    Its number, its rule, its name among the measured ones, its log, and whose it is: the name of
    its suite, its model and so on.
    """

    number: int
    rule: str
    name: str
    log: str
    of: Mapping[str, str] = {}


def _measured() -> dict[str, float]:
    """Processor time of jobs that ran here before, by name."""
    found = {}
    for path in Path(STATE, MEASURED).glob("**/*.usage.json"):
        try:
            found[path.name.removesuffix(".usage.json")] = float(
                json.loads(path.read_text(encoding="utf-8"))["cpu_s"]
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def seconds(project: Project, jobs: Iterable[Job]) -> dict[int, float]:
    """Roughly what each job takes on one core with what is beside its work, by its number."""
    known, training = _measured(), project.reference.training
    shipped = {}
    if project.reference.weights == "trained":
        shipped["reference"] = _STEP * training.steps * training.batch_size
        shipped["reference_scenes"] = _DRAWN * project.reference.scenes.shard_scenes

    def guess(job: Job) -> float:
        fixed, each = _SECONDS.get(job.rule, _OTHERS)
        return shipped.get(job.rule, fixed + each * _scenes(project, job))

    return {job.number: _BESIDE * known.get(job.name, 0.0) or guess(job) for job in jobs}


def whole(project: Project, jobs: Iterable[Job], cores: int) -> float:
    """Roughly the seconds that a run takes."""
    return _START + sum(seconds(project, jobs).values()) / max(1, cores)


def _scenes(project: Project, job: Job) -> int:
    """Roughly the scenes that a job looks at: a shard of its suite, or of the largest."""
    own = [suite for suite in project.suites if suite in job.name.split("-")]
    planned = max(project.suite(suite).corpus.n_scenes for suite in own or project.suites)
    return min(project.render.shard_images, planned)


def room(project: Project, rules: Iterable[str]) -> int:
    """Roughly the bytes that the files of some rules need."""
    asked = set(rules)
    pictures = sum(_pictures(project.suite(suite), asked) for suite in project.suites)
    others = _TABLES * len(project.suites) if "metrics" in asked else 0
    return int(pictures * _PNG * project.render.size**2) + others


def _pictures(params: Params, rules: Set[str]) -> float:
    """Roughly the pictures that the files of some rules hold."""
    shards, found = -(-params.corpus.n_scenes // params.render.shard_images), 0.0
    if "render" in rules:
        found += params.corpus.n_scenes
    if "scenario" in rules:
        names = {CLEAN, *params.scenarios.names}
        found += sum(images_in_shard(params, name) * shards for name in names)
    if "export" in rules:
        found += _EXPORTED * params.corpus.n_scenes * len(params.exports.formats)
    return found
