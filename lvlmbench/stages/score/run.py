"""From files of answers to a file of scores, some thousands of answers at a time."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import params_id
from lvlmbench.stages.score import rows, vectors
from lvlmbench.stages.score.captions import Compare, similarities
from lvlmbench.stages.score.encoder import SentenceEncoder

#: Answers scored at once: of as many, some 800 are captions, enough to sort them by length.
WINDOW = 1 << 12


def score_files(
    params: Params,
    *,
    answers: Sequence[Path],
    questions: Sequence[Path],
    scenes: Sequence[Path],
    images: Sequence[Path],
    out: Path,
    cache: Path,
) -> None:
    """Read answers, questions, scenes and what was done to the images; write scores.

    Answers are read shard by shard and scores written as they come, so memory does not grow with
    their number; the scores do not depend on how answers are split into shards. What is asked is
    held as a whole, in few columns. How far it has come is said on stderr.

    Parameters
    ----------
    answers
        Shards of the answers of a model in a scenario.
    questions, scenes
        All shards of the corpus.
    images
        Shards of the scenario's images; only their id and perturbation are read.
    out
        The shard of scores, there when all is done.
    cache
        File of similarities and vectors computed before; see :mod:`lvlmbench.stages.score.vectors`.

    Raises
    ------
    UserError
        A file cannot be read, does not belong to the others, or the encoder cannot be loaded.
    """
    prompts = params.score.reference == "prompt"
    asked = rows.Asked(
        tables.read(questions, tables.QUESTIONS, rows.QUESTIONS),
        tables.read(scenes, tables.SCENES, [*rows.SCENES, *["prompt"] * prompts]),
        tables.read(images, tables.IMAGES, rows.IMAGES),
        prompts=prompts,
    )
    pa.default_memory_pool().release_unused()
    compare = comparing(params, cache) if headline_of(params).captions else None
    total, done = _count(answers), 0
    with tables.writing(out, tables.SCORES, params_id(params)) as write:
        for some in _windows(answers):
            write(rows.score_rows(some, asked, compare, params.score.strategy))
            done += some.num_rows
            model, scenario = some["model"][0], some["scenario"][0]
            print(f"{model}/{scenario}: {done}/{total} answers", file=sys.stderr, flush=True)


def comparing(params: Params, cache: Path) -> Compare:
    """Return what compares captions with references, and keeps in ``cache`` what it computed."""
    name, batch_size = params.score.caption_encoder, params.score.batch_size
    encoder, known_as = SentenceEncoder(name), vectors.identity(name)
    if known_as is None:
        return functools.partial(similarities, encoder=encoder, batch_size=batch_size)
    return vectors.kept(encoder, known_as, cache, batch_size)


def _count(paths: Sequence[Path]) -> int:
    """Rows of some shards."""
    n = 0
    for path in paths:
        with tables.open_shard(path) as shard:
            n += shard.metadata.num_rows
    return n


def _windows(paths: Sequence[Path]) -> Iterator[pa.Table]:
    """The answers in tables of :data:`WINDOW` rows, the last one of fewer."""
    held = tables.read([], tables.ANSWERS, rows.ANSWERS)
    for path in paths:
        held = pa.concat_tables([held, tables.read([path], tables.ANSWERS, rows.ANSWERS)])
        while held.num_rows >= WINDOW:
            yield held.slice(0, WINDOW).combine_chunks()
            held = held.slice(WINDOW)
    if held.num_rows:
        yield held.combine_chunks()
