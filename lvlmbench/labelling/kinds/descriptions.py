"""What an examiner described, held against the picture (AutoDavis, section L)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lvlmbench import tables
from lvlmbench.analysis.labels import plain
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.labelling.shown import in_order, once, pictures
from lvlmbench.snapshot.reader import Snapshot


class _Criterion(NamedTuple):
    rated: str
    asks: str
    with_aspect: bool = False


#: Name of the sheet, and what it calls a picture that shows what is described.
SHEET, ALIGNED = "descriptions", "shown as described"
_CRITERIA = (
    _Criterion(ALIGNED, "Does the picture show all that the description says?"),
    _Criterion("specific and clear", "Is this description specific and clear?"),
    _Criterion("of its aspect", "Do picture and description fit this aspect?", with_aspect=True),
)


def _described(snapshot: Snapshot) -> bool:
    return any(len(part) for part in snapshot.shards(tables.DESCRIPTIONS, ["scene_id"]))


@SHEETS.register(SHEET, label="descriptions of pictures", when=_described)
def descriptions(snapshot: Snapshot) -> list[Item]:
    """Return what people are to say of each description whose picture models are shown: alignment,
    specificity and clarity, relevance to its aspect; by level."""
    return once(_items(snapshot)) if _described(snapshot) else []


def _items(snapshot: Snapshot) -> Iterator[Item]:
    shown = pictures(snapshot)
    rows = snapshot.read(tables.DESCRIPTIONS).to_pylist()
    rows = [row for row in rows if row["scene_id"] in shown and row["description"]]
    by_level = in_order({**row, "subtask": ""} for row in rows)
    requests = {row["scene_id"]: row["subtask"] for row in rows}
    for criterion in _CRITERIA:
        for row in by_level:
            scene = row["scene_id"]
            aspect = [
                f"Request: {plain(requests[scene])}",
                f"Aspect: {row['called']} ({row['general']})",
            ]
            lines = [*(aspect if criterion.with_aspect else ()), row["description"]]
            group = f"{criterion.rated}: {row['level']}"
            yield Item.of(shown[scene], criterion.asks, lines, group, together=scene)
