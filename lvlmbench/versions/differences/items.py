"""Which scenes, questions and images two versions share: by id, as hashes, in little memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lvlmbench.snapshot.place import Place
from lvlmbench.tables import IMAGES, QUESTIONS, SCENES, VERDICTS, Table, of_scenario

Json = dict[str, Any]

U64 = NDArray[np.uint64]

#: Rows that are read at once.
_ROWS = 4096


class Items(NamedTuple):
    """Rows of a table as 64-bit hashes; 18 bytes a row.

    ``groups`` are indices into ``names``; all three arrays have shape (n,).
    """

    ids: U64
    rows: U64
    groups: NDArray[np.uint16]
    names: list[str]


def _hash(value: object) -> int:
    text = value if isinstance(value, str) else repr(value)
    data = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(data, "little")


def read_items(
    view: Place,
    table: Table,
    rest: Sequence[str],
    group: Sequence[str] = (),
    newer: Sequence[str] = (),
    chosen: Callable[[pa.Table], pa.Table] | None = None,
    **names: str,
) -> Items:
    """The rows of a table.

    Parameters
    ----------
    rest
        Columns that make a row another one if they differ.
    group
        Columns by whose values rows are counted.
    newer
        More of ``rest``, which a version may lack; that is as good as nothing in them.
    chosen
        Which rows of a table; None for all.
    names
        Which folder of the table.
    """
    (key,) = table.key
    ids, rows, groups = [], [], []
    known: dict[str, int] = {}
    columns = list(dict.fromkeys((key, *rest, *group)))
    for batch in view.batches(table, columns, _ROWS, newer=newer, **names):
        told = (batch if chosen is None else chosen(batch)).to_pylist()
        ids.append(np.array([_hash(row[key]) for row in told], dtype=np.uint64))
        more = [[row[name] for name in newer if row.get(name) is not None] for row in told]
        content = [
            _hash([row[name] for name in rest] + m) for row, m in zip(told, more, strict=True)
        ]
        rows.append(np.array(content, dtype=np.uint64))
        of = [known.setdefault(" ".join(str(row[g]) for g in group), len(known)) for row in told]
        groups.append(np.array(of, dtype=np.uint16))
    none: list[Any] = [np.empty(0, np.uint64)]
    return Items(
        np.concatenate(ids or none),
        np.concatenate(rows or none),
        np.concatenate(groups or none).astype(np.uint16),
        list(known),
    )


def _by_group(items: Items, chosen: NDArray[Any]) -> dict[str, int]:
    """How many of the chosen rows each group has, where it has any."""
    counts = np.bincount(items.groups[chosen], minlength=len(items.names))
    return {name: int(n) for name, n in zip(items.names, counts, strict=True) if n}


def compare_items(a: Items, b: Items) -> Json:
    """Rows added, removed and changed, each counted by group; how many there were and are."""
    _, old, new = np.intersect1d(a.ids, b.ids, return_indices=True)
    changed = new[a.rows[old] != b.rows[new]]
    return {
        "old": len(a.ids),
        "new": len(b.ids),
        "added": _by_group(b, np.setdiff1d(np.arange(len(b.ids)), new)),
        "removed": _by_group(a, np.setdiff1d(np.arange(len(a.ids)), old)),
        "changed": _by_group(b, changed),
    }


_SCENE = (
    *("subtask", "foreground_list", "foreground", "attributes", "background", "style", "text"),
    *("prompt", "negative_prompt", "caption", "seed"),
)
_QUESTION = ("scene_id", "subtask", "question_type", "question", "options", "answer", "claim")
#: The same, of columns that older versions may lack.
_NEWER = ("replaced", "examiner")
#: What an image offers, beside its bytes.
_OFFERED = ("order",)


def scene_changes(a: Place, b: Place) -> Json:
    """Scenes by subtask."""
    sides = [read_items(v, SCENES, _SCENE, ["subtask"]) for v in (a, b)]
    return compare_items(*sides)


def question_changes(a: Place, b: Place) -> Json:
    """Questions by the subtask asked and by type; atomic checks are none."""
    group = ["subtask", "question_type"]
    sides = [
        read_items(v, QUESTIONS, ("key", *_QUESTION), group, _NEWER, of_scenario) for v in (a, b)
    ]
    return compare_items(*sides)


def folders(view: Place, top: str) -> list[str]:
    """Folders right below ``top`` that hold files, sorted."""
    parts = [path.removeprefix(f"{top}/").split("/") for path in view.files(top)]
    return sorted({each[0] for each in parts if len(each) > 1})


def image_changes(a: Place, b: Place, unchanged: set[str]) -> Json:
    """Scenario -> images by the hash of their bytes and the options that they offer.

    Scenarios in ``unchanged`` folders are left out.
    """
    found = {}
    for scenario in sorted({name for v in (a, b) for name in folders(v, v.where(IMAGES))}):
        if not {v.where(IMAGES, scenario=scenario) for v in (a, b)} <= unchanged:
            sides = [
                read_items(v, IMAGES, ["sha256"], newer=_OFFERED, scenario=scenario) for v in (a, b)
            ]
            found[scenario] = compare_items(*sides)
    return found


def kept_changes(a: Place, b: Place) -> Json:
    """Clean images that all filters keep."""
    (old_seen, old_dropped), (new_seen, new_dropped) = _verdicts(a), _verdicts(b)
    both = np.intersect1d(old_seen, new_seen)
    old, new = np.isin(both, old_dropped), np.isin(both, new_dropped)
    return {
        "old": len(old_seen) - len(old_dropped),
        "new": len(new_seen) - len(new_dropped),
        "of_old": len(old_seen),
        "of_new": len(new_seen),
        "in_both": len(both),
        "newly_kept": int((old & ~new).sum()),
        "newly_dropped": int((~old & new).sum()),
    }


def _verdicts(view: Place) -> tuple[U64, U64]:
    """Hashed ids of the images judged, and of those that a filter drops; each once, sorted."""
    seen, dropped = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for batch in view.batches(VERDICTS, ["image_id", "keep"]):
        told = batch.to_pylist()
        seen.append(np.array([_hash(row["image_id"]) for row in told], dtype=np.uint64))
        out = [_hash(row["image_id"]) for row in told if not row["keep"]]
        dropped.append(np.array(out, dtype=np.uint64))
    return np.unique(np.concatenate(seen)), np.unique(np.concatenate(dropped))
