"""From files of answers to files of what a judge says, some thousands of answers at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.judge import FREE_TEXT, Judge
from lvlmbench.stages.judge.judging import ANSWERS, Judging, Question, windows
from lvlmbench.stages.judge.making import judge_of, reads
from lvlmbench.stages.judge.recused import Recused
from lvlmbench.stages.judge.truths import Truths
from lvlmbench.suites.suite import suite_of

#: Answers judged at once.
WINDOW = 2048

_QUESTIONS = [
    *("question_id", "question_type", "scene_id", "subtask", "question", "answer"),
    *("accepted", "rivals", "description", "turns"),
]


class Files(NamedTuple):
    """What is read: shards of the answers of a model in a scenario, and all of the others."""

    answers: Sequence[Path]
    questions: Sequence[Path]
    scenes: Sequence[Path]
    layouts: Sequence[Path]
    truth: Sequence[Path]


class Outs(NamedTuple):
    """The one shard of each table that is made."""

    claims: Path
    matches: Path
    judgements: Path
    pairwise: Path
    requests: Path


def judge_files(
    params: Params, name: str, whose: tuple[str, str], files: Files, outs: Outs
) -> None:
    """Read answers and have a judge look at those that are free; write what it says.

    Answers are read in windows and rows written as they come, so memory does not grow with their
    number.

    Parameters
    ----------
    name
        Of the judge, under ``judge.judges``.
    whose
        Model and scenario of the answers.

    Raises
    ------
    UserError
        There is no such judge, a file cannot be read or is of others, or the judge cannot be
        asked.
    """
    questions = _asked(files.questions, _types(params, name))
    answers = _answers(files.answers, whose, pa.array(questions, pa.string()))
    if len(answers):
        scenes = {question.scene_id for question in questions.values()}
        truths = Truths(params, files.scenes, files.layouts, files.truth, scenes)
        judge = Recused() if _recused(params, name, whose[0]) else judge_of(params, name)
        _write(params, name, judge, questions, truths, answers, outs)
    else:
        for table, path in _named(outs).items():
            tables.write(table.empty_table(), path, table, params_id(params))


def _recused(params: Params, name: str, answering: str) -> bool:
    """Whether a judge leaves a model's answers to others."""
    return any(j.name == name and answering in j.leaves for j in params.judge.judges)


def _named(outs: Outs) -> dict[tables.Table, Path]:
    made = (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS, tables.PAIRWISE, tables.REQUESTS)
    return dict(zip(made, outs, strict=True))


def _types(params: Params, name: str) -> tuple[str, ...]:
    """The types of questions whose answers a judge judges."""
    return next((reads(judge) for judge in params.judge.judges if judge.name == name), FREE_TEXT)


def _asked(paths: Sequence[Path], types: Sequence[str]) -> dict[str, Question]:
    """The questions of some types, by id."""
    asked = tables.read(paths, tables.QUESTIONS, _QUESTIONS)
    free = asked.filter(pc.is_in(asked["question_type"], value_set=pa.array(types, pa.string())))
    return {
        row["question_id"]: Question(
            row["scene_id"],
            row["subtask"],
            row["question"],
            row["answer"],
            tuple(row["accepted"] or ()),
            tuple(row["rivals"] or ()),
            row["description"],
            tuple((turn["question"], turn["answer"]) for turn in row["turns"] or ()),
        )
        for batch in free.to_batches()
        for row in batch.to_pylist()
    }


def _answers(paths: Sequence[Path], whose: tuple[str, str], free: pa.Array) -> pa.Table:
    """Those of all answers that are to free questions.

    Raises
    ------
    UserError
        Some are of another model or scenario.
    """
    found = [tables.ANSWERS.empty_table(ANSWERS)]
    for path in paths:
        rows = tables.read([path], tables.ANSWERS, ANSWERS)
        for given, name in zip(whose, ("model", "scenario"), strict=True):
            if others := set(pc.unique(rows[name]).to_pylist()) - {given}:
                raise UserError(
                    str(path), f"holds answers of the {name} '{min(others)}'",
                    f"give those of '{given}' alone",
                )  # fmt: skip
        found.append(rows.filter(pc.is_in(rows["question_id"], value_set=free)))
    return pa.concat_tables(found)


def _write(
    params: Params,
    name: str,
    judge: Judge,
    questions: Mapping[str, Question],
    truths: Mapping[str, Truth],
    answers: pa.Table,
    outs: Outs,
) -> None:
    suite = suite_of(params)
    judging = Judging(
        judge, name, questions, truths, params.judge.pairs, suite.scopes(params),
        suite.dialogue(params),
    )  # fmt: skip
    done = 0
    with ExitStack() as stack:
        add = {
            table.name: stack.enter_context(tables.writing(path, table, params_id(params)))
            for table, path in _named(outs).items()
        }
        for some in windows(_rows(answers), WINDOW):
            found = judging.rows(some)
            for table in (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS, tables.PAIRWISE):
                add[table.name](table.of(getattr(found, table.name)))
            done += len(some)
            who = f"{some[0]['model']}/{some[0]['scenario']}"
            print(f"{name} on {who}: {done}/{len(answers)} answers", file=sys.stderr, flush=True)
        about = {"judge": name, "model": answers["model"][0], "scenario": answers["scenario"][0]}
        asked = sorted(judge.requests, key=lambda row: (row["request_id"], row["call"]))
        add[tables.REQUESTS.name](tables.REQUESTS.of({**about, **row} for row in asked))


def _rows(answers: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in answers.to_batches(max_chunksize=WINDOW):
        yield from batch.to_pylist()
