"""Questions without their answers, for people to answer (AutoDavis, sections L.2 and L.3)."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from lvlmbench.analysis.labels import inline
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.labelling.shown import in_order, once, pictures
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables.questions import offers

_CLEAR = "Is this question clear, and is exactly one of its options right?"


@SHEETS.register("questions", label="questions to answer")
def questions(snapshot: Snapshot) -> list[Item]:
    """Return two items for each question with options that models are asked: its answer, and
    whether it is clear; by subtask and level."""
    return once(_items(snapshot))


def _items(snapshot: Snapshot) -> Iterator[Item]:
    shown = pictures(snapshot)
    if not shown:
        return
    asked = snapshot.asked[CLEAN]
    rows = asked.filter(offers(asked["question_type"])).to_pylist()
    rows = in_order(row for row in rows if row["scene_id"] in shown)
    of = [inline(row["subtask"]) + (f", {row['level']}" if row["level"] else "") for row in rows]
    for row, words in zip(rows, of, strict=True):
        yield Item.to_answer(
            shown[row["scene_id"]], row["question"], row["options"], row["answer_index"],
            f"{words}: answers", row["question_id"],
        )  # fmt: skip
    for row, words in zip(rows, of, strict=True):
        listed = "\n".join(
            f"({ascii_uppercase[n]}) {text}" for n, text in enumerate(row["options"])
        )
        lines = [row["question"], listed]
        group = f"{words}: clear"
        yield Item.of(shown[row["scene_id"]], _CLEAR, lines, group, row["question_id"])
