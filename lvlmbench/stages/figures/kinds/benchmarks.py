"""Benchmarks beside each other: how much they ask, of what, in which form."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis import statistics
from lvlmbench.analysis.labels import TYPE_LABELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import latex, published_benchmarks, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.published_benchmarks import Benchmark
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from lvlmbench.tables import QUESTION_TYPES, QUESTIONS

_DASH = "\N{EN DASH}"
_NOTES = (
    "As the paper prints it, a dash where it gives no number. It has a mark of its own for "
    "benchmarks that mix new with known images, which the text that these facts come from has "
    "lost; JourneyDB's and Dysca's question types share lines of one cell there.",
    "* The paper's released data; more can be generated. The last row counts the questions asked "
    "in the scenarios that are conditions of the image, and the subtasks that they ask about.",
)
_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("benchmark", pa.string()),
        ("questions", pa.int64()),
        ("tasks", pa.int64()),
        ("automatic_annotation", pa.bool_()),
        ("novel", pa.bool_()),
        ("types", pa.string()),
        ("automatic_evaluation", pa.bool_()),
    ]
)


def _kinds(names: Iterable[str]) -> tuple[str, ...]:
    found = set(names)
    return tuple(kind for kind in QUESTION_TYPES if kind in found)


def _own(snapshot: Snapshot) -> Benchmark:
    """This snapshot's row: what was asked, over the scenarios that the paper counts."""
    asked = pa.concat_tables([QUESTIONS.empty_table(), *statistics.counted(snapshot).values()])
    if not len(asked):
        raise NotApplicable("No question was asked.")
    tasks = pc.count_distinct(asked["subtask"]).as_py()
    kinds = _kinds(pc.unique(asked["question_type"]).to_pylist())
    name = f"This snapshot ({snapshot.params.suite})"
    return Benchmark(name, f"{len(asked):,}", len(asked), tasks, True, True, kinds, True)


def _row(one: Benchmark) -> Row:
    marks = ("yes" if mark else "no" for mark in (one.automatic_annotation, one.novel))
    kinds = ", ".join(TYPE_LABELS[kind].lower() for kind in _kinds(one.kinds))
    return Row(
        (
            Cell(one.name), Cell(one.scale or _DASH),
            Cell(_DASH if one.tasks is None else str(one.tasks)),
            *map(Cell, marks), Cell(kinds), Cell("yes" if one.automatic_evaluation else "no"),
        )
    )  # fmt: skip


def _record(one: Benchmark, source: str) -> dict[str, object]:
    return {
        "source": source, "benchmark": one.name, "questions": one.questions, "tasks": one.tasks,
        "automatic_annotation": one.automatic_annotation, "novel": one.novel,
        "types": ";".join(_kinds(one.kinds)), "automatic_evaluation": one.automatic_evaluation,
    }  # fmt: skip


@figure("table1_benchmarks", "This snapshot among other benchmarks", "Dysca, table 1", counted=True)
def table1_benchmarks(sources: Sources) -> Drawn:
    """The benchmarks that the paper compares, and this snapshot with its own numbers (Dysca, table
    1).

    Raises
    ------
    UserError
        The file of the paper's table is missing or damaged.
    """
    notes = [*_NOTES, *statistics.notes(sources.snapshot)]
    own, printed = _own(sources.snapshot), published_benchmarks.read(sources.published)
    heads = [
        Column("Benchmark", "left"), Column("Questions"), Column("Tasks"),
        Column("Automatic annotation", "left"), Column("Novel images, questions", "left"),
        Column("Question types", "left"), Column("Automatic evaluation", "left"),
    ]  # fmt: skip
    lines: list[Row | Heading] = [*map(_row, printed), Heading("From this run"), _row(own)]
    table = Table("This snapshot among other benchmarks", heads, lines, notes)
    rows = [*(_record(p, "published") for p in printed), _record(own, "snapshot")]
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))
