"""What has to hold of a table's rows beyond the types of their columns.

Every file of a table is held against this when it is read: columns that are never null, rows that
are there once, words of which there are few, numbers in their range. So what another program wrote,
or an edited file, ends in one line that names the row, and not in a wrong number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError

_FIX = "delete it and run again, or restore it with 'dvc checkout'"

#: The question types, and what may come of asking.
_TYPES = ("multiple_choice", "true_false", "free_form")
_STATUSES = ("answered", "refused", "truncated", "error", "timeout")


@dataclass(frozen=True)
class Rules:
    """Rules of one table.

    Attributes
    ----------
    filled
        Columns without nulls.
    once
        Columns that together name a row.
    words
        Column -> the values that it may have.
    ranges
        Column -> least and largest value; null and NaN are let through.
    """

    filled: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)


SCENES = Rules(
    filled=("scene_id", "subtask", "ordinal", "foreground_list", "foreground", "caption"),
    once=("scene_id",),
    ranges={"ordinal": (0, 2**31)},
)
QUESTIONS = Rules(
    filled=("question_id", "scene_id", "subtask", "question_type", "question", "answer"),
    once=("question_id",),
    words={"question_type": _TYPES},
    ranges={"chance": (0, 1), "answer_index": (0, 127)},
)
IMAGES = Rules(
    filled=("image_id", "scene_id", "scenario"),
    once=("image_id",),
    ranges={"width": (1, 2**15), "height": (1, 2**15)},
)
VERDICTS = Rules(
    filled=("image_id", "scene_id", "filter", "keep"),
    once=("image_id", "filter"),
)
ANSWERS = Rules(
    filled=("model", "scenario", "question_id", "status"),
    once=("model", "scenario", "question_id", "image_id"),
    words={"status": _STATUSES},
    ranges={"latency_s": (0, 1e9), "cost_usd": (0, 1e9)},
)
SCORES = Rules(
    filled=("model", "scenario", "question_id", "scene_id", "subtask", "question_type", "scored"),
    once=("model", "scenario", "question_id", "image_id"),
    words={"question_type": _TYPES, "status": _STATUSES},
    ranges={"similarity": (-101, 101), "severity": (0, 127)},
)
CONSENSUS = Rules(filled=("question_id", "scene_id", "keep"), once=("question_id",))
ATTEMPTS = Rules(filled=("image_id", "scene_id", "attempt", "outcome"))
METRICS = Rules(filled=("questions", "model", "scenario", "metric"))
COMPARISONS = Rules(filled=("family", "model", "scenario", "baseline_model"))


def _row(mask: pa.ChunkedArray | pa.Array) -> int:
    """Number of the first row for which ``mask`` is true, from 1; 0 where there is none."""
    return int(pc.index(mask, pa.scalar(True)).as_py()) + 1


def _twice(table: pa.Table, names: tuple[str, ...]) -> int:
    """Number of the first row that stands in the table before, from 1; 0 where there is none."""
    texts = [pc.fill_null(table[name].cast(pa.string()), "") for name in names]
    key = pc.binary_join_element_wise(*texts, "\x1f") if len(texts) > 1 else texts[0]
    if pc.count_distinct(key).as_py() == len(table):
        return 0
    seen: set[object] = set()
    for row, value in enumerate(key.to_pylist(), 1):
        if value in seen:
            return row
        seen.add(value)
    return 0


def _options(table: pa.Table) -> Iterator[tuple[int, str]]:
    """Closed questions have two options or more, none of them null, the right one among them."""
    if not {"question_type", "options"} <= {*table.column_names}:
        return
    options, closed = table["options"], pc.not_equal(table["question_type"], "free_form")
    count = pc.fill_null(pc.list_value_length(options), 0)
    yield _row(pc.and_(closed, pc.less(count, 2))), "is a closed question with fewer than 2 options"
    if pc.list_flatten(options).null_count:
        yield (
            next(n for n, o in enumerate(options.to_pylist(), 1) if None in (o or ())),
            "has an option that is null",
        )
    if "answer_index" in table.column_names:
        index = table["answer_index"]
        wrong = pc.or_(pc.is_null(index), pc.greater_equal(pc.fill_null(index, 0), count))
        yield _row(pc.and_(closed, wrong)), "names no option as the right one"


def check_rows(table: pa.Table, rules: Rules, path: Path) -> None:
    """Hold the rows of one file against the rules, as far as their columns were read.

    Raises
    ------
    UserError
        The first row that breaks one, by its number.
    """
    for row, what in _broken(table, rules):
        if row:
            raise UserError(f"{path}: row {row}", what, _FIX)


def _broken(table: pa.Table, rules: Rules) -> Iterator[tuple[int, str]]:
    names = {*table.column_names}
    for name in rules.filled:
        if name in names and table[name].null_count:
            yield _row(pc.is_null(table[name])), f"has no {name}"
    for name in (n for n in rules.words if n in names):
        known = pc.is_in(table[name], value_set=pa.array(rules.words[name]))
        row = _row(pc.invert(pc.or_(known, pc.is_null(table[name]))))
        if row:
            yield row, f"has the {name} '{table[name][row - 1]}', of which nothing is known"
    for name in (n for n in rules.ranges if n in names):
        low, high = rules.ranges[name]
        column = table[name]
        out = pc.or_(pc.less(column, low), pc.greater(column, high))
        row = _row(pc.fill_null(out, False))
        if row:
            yield row, f"has the {name} {column[row - 1]}, not one from {low:g} to {high:g}"
    if names.issuperset(rules.once) and rules.once and len(table):
        yield _twice(table, rules.once), f"stands there twice, by its {' and '.join(rules.once)}"
    yield from _options(table)
