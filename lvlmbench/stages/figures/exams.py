"""What an examiner planned, as figures look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.averages import Answer, Cell
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import NotApplicable

Row: TypeAlias = Mapping[str, Any]


def planned(snapshot: Snapshot) -> list[Row]:
    """Return the rows of the table ``descriptions``, in their order.

    Raises
    ------
    NotApplicable
        There is none.
    """
    folder = snapshot.folder(tables.DESCRIPTIONS)
    rows: list[Row] = tables.read(folder, tables.DESCRIPTIONS).to_pylist()
    if not rows:
        raise NotApplicable("No examiner planned the pictures of this suite.")
    return rows


def described(snapshot: Snapshot) -> list[Row]:
    """Return those of :func:`planned` that say what a picture is to show.

    Raises
    ------
    NotApplicable
        There is none.
    """
    rows = [row for row in planned(snapshot) if row["status"] == "made"]
    if not rows:
        raise NotApplicable("No picture could be described.")
    return rows


def levels_in(rows: Iterable[Row]) -> list[str]:
    """Return the levels of some rows, easy ones first."""
    found = {row["level"] for row in rows} - {None}
    return [name for name in LEVELS if name in found] + sorted(found - {*LEVELS})


def answered(
    snapshot: Snapshot, model: str, scenario: str, cell: Callable[[str, str], Cell | None]
) -> Iterator[Answer]:
    """Yield a model's scored answers to questions with options, of those that are counted.

    Parameters
    ----------
    cell
        Returns what an answer is counted under, by question and scene; None where it is not.
    """
    columns = ["question_id", "scene_id", "question_type", "correct"]
    for shard in snapshot.shards(tables.SCORES, columns, model=model, scenario=scenario):
        scored = shard.filter(
            pc.and_(tables.offers(shard["question_type"]), pc.is_valid(shard["correct"]))
        )
        rows = snapshot.counted(scored)
        keys = (rows[name].to_pylist() for name in ("question_id", "scene_id", "correct"))
        for question, scene, right in zip(*keys, strict=True):
            under = cell(question, scene)
            if under is not None:
                yield Answer(question, under, scene, right)
