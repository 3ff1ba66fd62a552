"""What models are shown, for sheets about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.labelling.sheet import Item
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot


def pictures(snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    """Return the picture of each scene that is asked about and that all filters keep, without those
    that show one again in another style, as its id and the SHA-256 of its bytes; none where clean
    was not run."""
    images: pa.Table | None = snapshot.images.get(CLEAN)
    if images is None:
        return {}
    kept = images.filter(pc.is_in(images["scene_id"], value_set=snapshot.kept_scenes))
    kept = kept.filter(pc.is_in(kept["scene_id"], value_set=snapshot.questions["scene_id"]))
    return {
        row["scene_id"]: (row["image_id"], row["sha256"])
        for row in kept.select(["scene_id", "image_id", "sha256"]).to_pylist()
        if row["sha256"]
    }


def in_order(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return rows by their subtasks in the order in which they come, then by level."""
    rows = list(rows)
    subtasks = list(dict.fromkeys(row["subtask"] for row in rows))
    levels = [*LEVELS, *sorted({row["level"] or "" for row in rows} - {*LEVELS})]
    place = {name: n for n, name in enumerate([*subtasks, *levels])}
    return sorted(rows, key=lambda row: (place[row["subtask"]], place[row["level"] or ""]))


def once(items: Iterable[Item]) -> list[Item]:
    """Return items without those that look like an earlier one."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.item_id, item)
    return list(found.values())
