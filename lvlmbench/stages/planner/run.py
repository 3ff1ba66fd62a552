"""From parameters to files of what a model has planned, one picture of each chain at a time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.examiner.making import EXAMINER
from lvlmbench.stages.planner.planning import Planning
from lvlmbench.suites.planned import Planned
from lvlmbench.suites.suite import suite_of


class Outs(NamedTuple):
    """The one shard of each table that is made."""

    aspects: Path
    descriptions: Path
    requests: Path


def plan_files(params: Params, name: str, outs: Outs, cache: Path | None = None) -> None:
    """Have a model think of aspects and describe pictures, write what it says.

    Parameters
    ----------
    name
        Of the model, under ``examiner.examiners``.
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        There is no such model, or it cannot be asked.
    """
    suite, vocabulary = suite_of(params), load_vocabulary(vocabulary_dir(params))
    asker = EXAMINER._replace(name="planner").asker(
        params, params.examiner.examiners, name, params.examiner.repairs, cache
    )
    planning = Planning(asker, name, params.examiner.prompts)
    aspects = tables.PLANNED_ASPECTS.of(planning.aspects(suite.aspects_wanted(params)))
    rows: list[dict[str, object]] = []
    while True:
        planned = Planned(aspects, tables.PLANNED_DESCRIPTIONS.of(rows))
        wave = suite.pictures_wanted(params, vocabulary, planned)
        if not wave:
            break
        rows += planning.descriptions(wave)
        print(f"{name}: {len(rows)} descriptions", file=sys.stderr, flush=True)
    made_with = params_id(params)
    tables.write(planned.aspects, outs.aspects, tables.PLANNED_ASPECTS, made_with)
    tables.write(planned.descriptions, outs.descriptions, tables.PLANNED_DESCRIPTIONS, made_with)
    asked = sorted(asker.rows, key=lambda row: (row["request_id"], row["call"]))
    rows_of = tables.PLAN_REQUESTS.of({"planner": name, **row} for row in asked)
    tables.write(rows_of, outs.requests, tables.PLAN_REQUESTS, made_with)
