"""Closed questions by group: how many each model gets right, and what guessing would.

Groups are subtasks, styles, or entries of one vocabulary list. Multiple choice and true or false
have a level of guessing and one scale; captions have neither, so they are left out here and stand
in the metrics table. Intervals are those of docs/metrics.md, over the same scenes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Z, wilson
from lvlmbench.stats.pool import CellSums, Pool
from lvlmbench.tables import OFFERING

#: Question types with options.
CLOSED = OFFERING
#: Decimals of values, as in the metrics table.
_DECIMALS = 6
_COLUMNS = [
    "question_id", "scene_id", "subtask", "style", "question_type", "scored", "correct",
]  # fmt: skip
_NO_ROWS = np.empty(0, dtype=np.int64)

#: Group of each row of a table of answers or questions, None where it is in none.
GroupsOf = Callable[[pa.Table], list[str | None]]


@dataclass(frozen=True)
class Grid:
    """Closed questions of one scenario by group and model.

    Attributes
    ----------
    groups
        In the order in which they are shown.
    values
        Model -> group -> accuracy in percent with its 95 % interval. A value of None says that the
        model was asked, and that answers are missing without which it would be on another scale.
    chance
        Group -> what guessing gets on average, in percent.
    asked
        Group -> closed questions asked about it.
    """

    groups: list[str]
    values: dict[str, dict[str, Value]]
    chance: dict[str, float]
    asked: dict[str, int]

    def value(self, model: str, group: str) -> float | None:
        """Accuracy in percent; None where it is unknown."""
        found = self.values.get(model, {}).get(group)
        return None if found is None else found.value


def above_chance(value: float, chance: float) -> float:
    """How far an accuracy is from guessing (0) to all right (1); below 0 where guessing beats it.

    Both in percent. This is the rescaling of Dysca, equation 1, with the questions' own chance.
    """
    return (value - chance) / (100 - chance) if chance < 100 else 0.0


def reaches_chance(value: Value, chance: float) -> bool:
    """Whether the 95 % interval holds what guessing gets; where there is none, it could."""
    if value.low is None or value.high is None:
        return True
    return value.low <= chance <= value.high


def spread(value: Value) -> float:
    """Standard error in percentage points, above 0 also where no spread was seen.

    It is the half of the 95 % interval over its quantile; of a cell without an interval, that of
    the Wilson interval at one scene.
    """
    if value.value is None:
        return math.nan
    if value.low is None or value.high is None:
        low, high = wilson(value.value / 100, 1)
        return 100 * (high - low) / 2 / Z
    return (value.high - value.low) / 2 / Z


def by_column(
    snapshot: Snapshot,
    models: Sequence[str],
    scenario: str,
    column: Literal["subtask", "style"],
    order: Sequence[str],
) -> Grid:
    """Accuracies by the subtask asked about, or by style as means over the subtasks: what the
    leaderboard shows where accuracy is the headline.

    ``order`` lists groups; those that it lacks follow by name.
    """
    styles = _column_of_scenes(snapshot, "style")

    def groups_of(table: pa.Table) -> list[str | None]:
        if column == "style" and "style" not in table.column_names:
            return [styles.get(s) for s in table["scene_id"].to_pylist()]
        return list(table[column].to_pylist())

    return _grid(snapshot, models, scenario, groups_of, order, over_subtasks=column == "style")


def by_entry(snapshot: Snapshot, models: Sequence[str], scenario: str, list_name: str) -> Grid:
    """Accuracies by the entry of a vocabulary list that an image shows (Dysca, section 4.3).

    Questions that ask about the list count, or, where no subtask of the suite asks about it, all
    questions on images that show one of its entries. An entry has few questions: they are taken
    together, whatever their type. Entries are sorted by name.
    """
    entries, whole = _column_of_scenes(snapshot, list_name), list_name not in snapshot.subtasks

    def groups_of(table: pa.Table) -> list[str | None]:
        pairs = zip(table["scene_id"].to_pylist(), table["subtask"].to_pylist(), strict=True)
        return [entries.get(s) if whole or about == list_name else None for s, about in pairs]

    return _grid(snapshot, models, scenario, groups_of, (), over_subtasks=False)


def _column_of_scenes(snapshot: Snapshot, name: str) -> dict[str, str]:
    """Scene -> the entry of the list ``name`` that it shows, for scenes that show one."""
    scenes = snapshot.scenes
    if name in ("background", "style", "text"):
        found = scenes[name]
    elif name in {f.name for f in tables.ATTRIBUTES} - {"number"}:
        found = pc.struct_field(scenes["attributes"], name)
    else:
        of_list = pc.equal(scenes["foreground_list"], name)
        found = pc.if_else(of_list, scenes["foreground"], pa.scalar(None, pa.string()))
    pairs = zip(scenes["scene_id"].to_pylist(), found.to_pylist(), strict=True)
    return {scene: entry for scene, entry in pairs if entry is not None}


def _grid(
    snapshot: Snapshot,
    models: Sequence[str],
    scenario: str,
    groups_of: GroupsOf,
    order: Sequence[str],
    over_subtasks: bool,
) -> Grid:
    """All groups: means over all answers, or over the means of subtasks."""
    answers = {m: _closed_answers(snapshot, m, scenario) for m in models}
    cells = {m: _cells(table, groups_of, over_subtasks) for m, table in answers.items()}
    known = {group for of_model in cells.values() for group, _ in of_model}
    names = [group for group in order if group in known]
    names += sorted(known - {*names}, key=lambda name: (name.casefold(), name))
    of = ("question_id", "level")
    levels = dict(zip(*(snapshot.questions[name].to_pylist() for name in of), strict=True))
    values = {m: _values(answers[m], cells[m], snapshot.clusters, levels) for m in models}
    questions = snapshot.asked.get(scenario)
    if questions is None:
        return Grid(names, values, {}, {})
    questions = snapshot.counted(questions)
    questions = questions.filter(pc.is_in(questions["question_type"], value_set=pa.array(CLOSED)))
    guessed = 100 * questions["chance"].to_numpy()
    by_group: dict[str, list[npt.NDArray[np.float64]]] = {}
    for (group, _), rows in _cells(questions, groups_of, over_subtasks).items():
        by_group.setdefault(group, []).append(guessed[rows])
    found = {group: by_group[group] for group in names if group in by_group}
    chance = {
        group: round(float(np.mean([part.mean() for part in parts])), _DECIMALS)
        for group, parts in found.items()
    }
    return Grid(names, values, chance, {g: sum(map(len, parts)) for g, parts in found.items()})


def _closed_answers(snapshot: Snapshot, model: str, scenario: str) -> pa.Table:
    """What became of the model's answers to closed questions that count."""
    shards = [tables.SCORES.empty_table(_COLUMNS)]
    for shard in snapshot.shards(tables.SCORES, _COLUMNS, model=model, scenario=scenario):
        closed = pc.is_in(shard["question_type"], value_set=pa.array(CLOSED))
        shards.append(snapshot.counted(shard.filter(closed)))
    return pa.concat_tables(shards)


def _cells(
    table: pa.Table, groups_of: GroupsOf, over_subtasks: bool
) -> dict[tuple[str, str], npt.NDArray[np.int64]]:
    """(Group, subtask if means are over subtasks) -> its rows, ascending."""
    parts = table["subtask"].to_pylist() if over_subtasks else [""] * len(table)
    found: dict[tuple[str, str], list[int]] = {}
    for i, (group, part) in enumerate(zip(groups_of(table), parts, strict=True)):
        if group is not None:
            found.setdefault((group, part), []).append(i)
    return {key: np.asarray(rows, dtype=np.int64) for key, rows in found.items()}


def _values(
    answers: pa.Table,
    cells: Mapping[tuple[str, str], npt.NDArray[np.int64]],
    clusters: Mapping[str, str],
    levels: Mapping[str, str | None],
) -> dict[str, Value]:
    """Group -> accuracy of one model, for groups that it was asked about; a cell of the pool is of
    one level, as in the metrics table."""
    scored = answers["scored"].to_numpy()
    right = pc.fill_null(answers["correct"], False).to_numpy().astype(np.float64)
    ids = answers["scene_id"].to_pylist()
    scene, cluster = (
        np.unique(names, return_inverse=True)[1].astype(np.int64)
        for names in (ids, [clusters.get(each, each) for each in ids])
    )
    keys = sorted(cells)
    usable = [cells[key][scored[cells[key]]] for key in keys]
    rows = np.concatenate([_NO_ROWS, *usable])
    known, level = np.unique(
        [levels.get(each) or "" for each in answers["question_id"].to_pylist()],
        return_inverse=True,
    )
    numbers, cell = np.unique(
        np.repeat(np.arange(len(keys)), [*map(len, usable)]) * len(known) + level[rows],
        return_inverse=True,
    )
    of = numbers // max(len(known), 1)
    pool = Pool(CellSums.of(right[rows], scene[rows], cluster[rows], cell, [0] * len(numbers)))
    answered = np.bincount(of, pool.n, minlength=len(keys))
    out = {}
    for group in dict.fromkeys(group for group, _ in keys):
        mine = [at for at, (name, _) in enumerate(keys) if name == group]
        n = round(float(answered[mine].sum()))
        unscored = sum(len(cells[keys[at]]) for at in mine) - n
        shares = np.where(np.isin(of, mine), pool.n / answered[of], 0.0)
        found = pool.mean_of(shares / max(np.count_nonzero(answered[mine]), 1))
        ends = (None,) * 3 if found is None else (found.value, found.low, found.high)
        value, low, high = (None if end is None else round(100 * end, _DECIMALS) for end in ends)
        out[group] = Value(value, low, high, n, unscored)
    return out
