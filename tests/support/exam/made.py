"""Exams that were planned, drawn and asked about, without a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params, validate
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import behind_bases
from support.render_scenes import vocabulary

KIND = "autodavis"
REQUESTS = subtasks_of(KIND)
#: Aspects of a request, times levels.
ROUND = 24 * 3


def params_of(
    rounds: int = 1,
    requests: tuple[str, ...] = REQUESTS,
    seed: int = 5,
    size: int = 512,
    **own: Any,
) -> Params:
    """Parameters of an exam: so many pictures of each aspect and level."""
    scenes = own.pop("scenes", ROUND * rounds)
    corpus = {
        "drawable_by": "pictograph", "subtasks": list(requests), "scenes_per_subtask": scenes,
        KIND: own,
    }  # fmt: skip
    return validate(
        {
            "suite": KIND, "kind": KIND, "snapshot": {"seed": seed}, "render": {"size": size},
            "corpus": corpus,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Exam:
    """All tables of an exam."""

    params: Params
    scenes: pa.Table
    descriptions: pa.Table
    images: pa.Table
    verdicts: pa.Table
    attempts: pa.Table
    layouts: pa.Table
    questions: pa.Table
    validation: pa.Table


def drawn(params: Params, renderer: PictographRenderer | None = None) -> Exam:
    """Return an exam of these parameters."""
    suite, known, n = suite_of(params), vocabulary(), params.corpus.n_scenes
    scenes = suite.scenes(params, known, 0, n)
    again = suite.restyled(params, known, scenes)
    scenes = behind_bases(pa.concat_tables([scenes, again])) if len(again) else scenes
    images, verdicts, attempts, layouts = render_shard(params, known, scenes, renderer)
    return Exam(
        params, scenes, suite.described(params, known, 0, n),
        images, verdicts, attempts, layouts,
        suite.questions(params, known, scenes, layouts),
        suite.validated(params, known, scenes, layouts),
    )  # fmt: skip


@cache
def exam(
    rounds: int = 1, requests: tuple[str, ...] = REQUESTS, seed: int = 5, size: int = 512
) -> Exam:
    """Return an exam with all settings at their defaults; made once."""
    return drawn(params_of(rounds, requests, seed, size))
