"""From files of scenes to a file of what an examiner proposes to ask, some thousands at a time."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.examiner.making import EXAMINER
from lvlmbench.stages.examiner.proposing import Proposing
from lvlmbench.suites.suite import suite_of


class Files(NamedTuple):
    """What is read: all shards; aspects where a model has thought of some, checks where validators
    have looked at attempts."""

    scenes: Sequence[Path]
    layouts: Sequence[Path]
    aspects: Sequence[Path] = ()
    checks: Sequence[Path] = ()


class Outs(NamedTuple):
    """The one shard of each table that is made."""

    proposals: Path
    requests: Path


def propose_files(
    params: Params, name: str, files: Files, outs: Outs, cache: Path | None = None
) -> None:
    """Read what was planned and drawn, have an examiner write questions, write what it proposes.

    Scenes are read a shard at a time, so memory does not grow with their number but for the rows
    about requests.

    Parameters
    ----------
    name
        Of the examiner, under ``examiner.examiners``.
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        There is no such examiner, a file cannot be read, or the examiner cannot be asked.
    """
    suite, vocabulary = suite_of(params), load_vocabulary(vocabulary_dir(params))
    own = params.examiner
    asker = EXAMINER.asker(params, own.examiners, name, own.repairs, cache)
    proposing = Proposing(asker, name, own.adjust, own.prompts)
    aspects, done = tables.read(files.aspects, tables.PLANNED_ASPECTS), 0
    with tables.writing(outs.proposals, tables.PROPOSALS, params_id(params)) as add:
        for path in files.scenes:
            scenes = tables.read([path], tables.SCENES)
            about = pc.field("scene_id").isin(scenes["scene_id"].combine_chunks())
            layouts = tables.read(files.layouts, tables.LAYOUTS, where=about)
            seen = tables.read(files.checks, tables.ATTEMPT_CHECKS, where=about)
            told = suite.briefs(params, vocabulary, scenes, layouts, name, aspects, seen)
            rows = proposing.rows(told)
            add(tables.PROPOSALS.of(rows))
            done += len(rows)
            print(f"{name}: {done} items", file=sys.stderr, flush=True)
    asked = sorted(asker.rows, key=lambda row: (row["request_id"], row["call"]))
    rows_of = tables.EXAM_REQUESTS.of({"examiner": name, **row} for row in asked)
    tables.write(rows_of, outs.requests, tables.EXAM_REQUESTS, params_id(params))
