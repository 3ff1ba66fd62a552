"""From files of pictures to a file of what a validator sees in them, a shard at a time."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.check.checking import Checking
from lvlmbench.stages.check.making import VALIDATOR
from lvlmbench.suites.posed import Posed
from lvlmbench.suites.suite import suite_of

#: Pictures whose bytes are in memory at a time.
_AT_ONCE = 256


class Files(NamedTuple):
    """What is read: all shards."""

    scenes: Sequence[Path]
    layouts: Sequence[Path]
    images: Sequence[Path]
    checks: Sequence[Path] = ()


class Outs(NamedTuple):
    """The one shard of each table that is made."""

    answers: Path
    requests: Path


def check_files(
    params: Params, name: str, files: Files, outs: Outs, cache: Path | None = None
) -> None:
    """Read what was planned and drawn, have a validator look, write what it sees.

    Pictures are read a few at a time. Scenes and layouts are read whole, as a check may be asked
    of the picture of any other scene.

    Parameters
    ----------
    name
        Of the validator, under ``validator.validators``.
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        There is no such validator, a file cannot be read, or the validator cannot be asked.
    """
    checks = _by_picture(params, files, name)
    own = params.validator
    asker = VALIDATOR.asker(params, own.validators, name, own.repairs, cache)
    checking = Checking(asker, name, own.prompts)
    done = 0
    with tables.writing(outs.answers, tables.CHECK_ANSWERS, params_id(params)) as add:
        for pictures in _pictures(files.images):
            posed = [check for scene_id in pictures for check in checks.get(scene_id, ())]
            rows = checking.rows(posed, pictures)
            add(tables.CHECK_ANSWERS.of(rows))
            done += len(rows)
            print(f"{name}: {done} checks", file=sys.stderr, flush=True)
    asked = sorted(asker.rows, key=lambda row: (row["request_id"], row["call"]))
    rows_of = tables.CHECK_REQUESTS.of({"validator": name, **row} for row in asked)
    tables.write(rows_of, outs.requests, tables.CHECK_REQUESTS, params_id(params))


def _by_picture(params: Params, files: Files, name: str) -> Mapping[str, list[Posed]]:
    """Scene -> what is asked about its picture: its own checks, then planted ones."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    scenes = tables.read(files.scenes, tables.SCENES)
    layouts = tables.read(files.layouts, tables.LAYOUTS)
    seen = tables.read(files.checks, tables.ATTEMPT_CHECKS)
    found: dict[str, list[Posed]] = defaultdict(list)
    planted = params.validator.planted
    posed = suite_of(params).posed(params, vocabulary, scenes, layouts, planted, seen, name)
    for check in sorted(posed, key=lambda check: check.planted):
        found[check.shown_id].append(check)
    return found


def _pictures(images: Sequence[Path]) -> Iterator[dict[str, tuple[str, bytes]]]:
    """Yield scene -> id and file of its picture, some at a time, in their order."""
    columns = ["image_id", "scene_id", "image"]
    for path in images:
        shard = tables.read([path], tables.IMAGES, columns)
        for start in range(0, len(shard), _AT_ONCE):
            rows = shard.slice(start, _AT_ONCE).to_pylist()
            yield {row["scene_id"]: (row["image_id"], row["image"]["bytes"]) for row in rows}
