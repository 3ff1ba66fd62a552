"""From files of scenes to a file of what the exam found about the judges."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.core.seeding import digest
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.exam import natural
from lvlmbench.stages.judge.exam.natural import PER_TEXT
from lvlmbench.stages.judge.exam.outcome import Outcome
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import grounds
from lvlmbench.stages.judge.exam.run import calls, examine
from lvlmbench.stages.judge.judge import FREE_TEXT
from lvlmbench.stages.judge.making import judge_of, reads
from lvlmbench.stages.judge.truths import Truths
from lvlmbench.suites.suite import measuring, suite_of

#: Scenes that answers are planted about at most: more change no number by much.
SCENES = 400


def scenes_of(
    params: Params, scenes: Sequence[Path], layouts: Sequence[Path], truth: Sequence[Path]
) -> list[Ground]:
    """Return the scenes to plant answers about, drawn by the snapshot's seed.

    They are those that an answer owes something about: others, e.g. one to tell a story of, have no
    whole answer that another could be held against.

    Parameters
    ----------
    scenes, layouts, truth
        All shards of these tables.

    Raises
    ------
    UserError
        A file cannot be read.
    """
    seed = params.snapshot.seed
    known = tables.read(layouts, tables.LAYOUTS, ["scene_id"])["scene_id"].unique().to_pylist()
    owed = tables.read(truth, tables.TRUTH, ["scene_id", "optional"], ~pc.field("optional"))
    able = {*known} & {*owed["scene_id"].unique().to_pylist()}
    drawn = sorted(able, key=lambda name: digest(seed, "judge_exam", "draw", name))[:SCENES]
    found = Truths(params, scenes, layouts, truth, {*drawn})
    lexis = lexis_of(load_vocabulary(vocabulary_dir(params)), measuring(params))
    return grounds(found, lexis, seed)


def outcomes(
    params: Params, names: Sequence[str], scenes: Sequence[Ground], per_kind: int
) -> Iterator[Outcome]:
    """Yield what the exam finds about judges; what it asks of served ones is told first.

    Parameters
    ----------
    per_kind
        Answers of each treatment and kind, and pairs of each sort.

    Raises
    ------
    UserError
        A judge is not known, or cannot be asked.
    """
    judges = {name: judge_of(params, name) for name in names}
    served = [judge.name for judge in params.judge.judges if judge.name in judges and judge.model]
    texts = _natural(params)
    if served:
        n = calls(scenes, params.snapshot.seed, per_kind) + PER_TEXT * len(texts)
        most = n * (1 + params.judge.repairs)
        for name in served:
            print(
                f"judge {name}: {n:,} requests for the exam, at most {most:,} with repairs",
                file=sys.stderr,
                flush=True,
            )
    yield from examine(judges, scenes, params.snapshot.seed, per_kind)
    for name in sorted(judges):
        yield from natural.outcomes(name, judges[name], texts)


def _natural(params: Params) -> list[natural.Described]:
    """The natural descriptions that judges are examined with, where judges give the headline."""
    if headline_of(params).table is None:
        return []
    vocabulary = load_vocabulary(vocabulary_dir(params))
    return natural.descriptions(PROJECT_ROOT / natural.FOLDER, "test", vocabulary)


def examine_files(params: Params, files: Mapping[str, Sequence[Path]], out: Path) -> None:
    """Examine all judges of the parameters and write what was found.

    Where the suite asks nothing that is answered freely, nobody judges, and nobody is examined.

    Parameters
    ----------
    files
        Shards of ``scenes``, ``layouts`` and ``truth``.

    Raises
    ------
    UserError
        A file cannot be read, or a judge cannot be asked.
    """
    names = [judge.name for judge in params.judge.judges if reads(judge) == FREE_TEXT]
    found: list[Outcome] = []
    if names and params.judge.exam and suite_of(params).planned(params)[1]:
        scenes = scenes_of(params, files["scenes"], files["layouts"], files["truth"])
        found = list(outcomes(params, names, scenes, params.judge.exam))
    rows = [each.row() for each in found]
    tables.write_rows(rows, out, tables.JUDGE_EXAM, params_id(params))
