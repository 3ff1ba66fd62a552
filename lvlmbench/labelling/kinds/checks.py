"""Checks of self-validation, for people to answer themselves (AutoDavis, Table 14)."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench import tables
from lvlmbench.analysis.labels import inline
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.labelling.shown import once, pictures
from lvlmbench.snapshot.reader import Snapshot


def _validated(snapshot: Snapshot) -> bool:
    return any(len(part) for part in snapshot.shards(tables.VALIDATION, ["check_id"]))


@SHEETS.register("checks", label="checks of pictures", when=_validated)
def checks(snapshot: Snapshot) -> list[Item]:
    """Return each check that the validator has answered of a picture which models are shown; right
    is what the validator says, by request. Nobody is told what that is, nor what the description
    says."""
    return once(_items(snapshot)) if _validated(snapshot) else []


def _items(snapshot: Snapshot) -> Iterator[Item]:
    shown = pictures(snapshot)
    scenes = snapshot.scenes.select(["scene_id", "subtask"]).to_pylist()
    requests = {row["scene_id"]: row["subtask"] for row in scenes}
    order = list(dict.fromkeys(requests.values()))
    rows = [
        row
        for row in snapshot.read(tables.VALIDATION).to_pylist()
        if row["scene_id"] in shown and row["answered_index"] is not None
    ]
    for row in sorted(rows, key=lambda row: order.index(requests[row["scene_id"]])):
        scene = row["scene_id"]
        yield Item.to_answer(
            shown[scene], row["question"], row["options"], row["answered_index"],
            f"checks of {inline(requests[scene])}",
        )  # fmt: skip
