"""Which scenes the browser shows, and the images that belong to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.snapshot.reader import Snapshot

Row = dict[str, Any]
_IMAGE = ["image_id", "scene_id", "question_id", "perturbation", "width", "height", "sha256"]


@dataclass(frozen=True)
class Shown:
    """One image of a scenario; ``sha256`` is None where it is shown without an image."""

    scenario: str
    row: Row

    @property
    def sha256(self) -> str | None:
        """Hash of the image's bytes."""
        return self.row["sha256"] if self.row["width"] is not None else None


def scenarios(snapshot: Snapshot, names: Iterable[str]) -> list[str]:
    """Scenarios that the browser shows: not the curves, which show each image in many forms."""
    return [name for name in names if name not in snapshot.curves]


def attacked(snapshot: Snapshot) -> set[str]:
    """Scenarios whose images differ from clean ones by less than eyes see."""
    kinds = ((spec.name, spec.made_by()) for spec in snapshot.params.scenarios.noisy)
    return {name for name, kind in kinds if kind is not None and kind.faint}


def candidates(snapshot: Snapshot, names: Sequence[str]) -> list[Candidate]:
    """Scenes asked about in any of these scenarios, in the order of the scenes."""
    asked: dict[str, dict[str, tuple[str, str]]] = {}
    for name in names:
        columns = ["scene_id", "question_id", "subtask", "question_type"]
        for row in snapshot.asked[name].select(columns).to_pylist():
            pair = (row["subtask"], row["question_type"])
            asked.setdefault(row["scene_id"], {})[row["question_id"]] = pair
    scenes = snapshot.scenes.select(["scene_id", "subtask", "style"]).to_pylist()
    return [
        Candidate(s["scene_id"], s["subtask"], s["style"], tuple(asked[s["scene_id"]].values()))
        for s in scenes
        if s["scene_id"] in asked
    ]


def chosen(found: Sequence[Candidate], count: int) -> list[str]:
    """Ids of up to ``count`` scenes, spread over subtasks and styles; fewer are their beginning."""
    return [c.scene_id for c in choose(found, min(count, len(found)))]


def rows_of(table: pa.Table, column: str, ids: Sequence[str]) -> list[Row]:
    """Rows of a table whose ``column`` is among ``ids``."""
    wanted = pa.array(list(ids), pa.string())
    return list(table.filter(pc.is_in(table[column], value_set=wanted)).to_pylist())


def images_of(
    snapshot: Snapshot, names: Sequence[str], ids: Sequence[str]
) -> dict[str, list[Shown]]:
    """Scene id -> its images in these scenarios; of a question's own images those that are asked.

    A scene that filters removed has none: nobody was asked about it.
    """
    out: dict[str, list[Shown]] = {scene: [] for scene in ids}
    for name in names:
        asked = set(snapshot.asked[name]["question_id"].to_pylist())
        for row in rows_of(snapshot.images[name].select(_IMAGE), "scene_id", ids):
            if row["question_id"] is None or row["question_id"] in asked:
                out[row["scene_id"]].append(Shown(name, row))
    return out
