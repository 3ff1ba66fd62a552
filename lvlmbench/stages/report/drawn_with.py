"""What drew the images, as the renderer has recorded it: model, weights, device, versions."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.core.untrusted import Excerpt, excerpt
from lvlmbench.snapshot.reader import Snapshot

#: Records, and entries of one record, that are listed.
LISTED = 5
ENTRIES = 60
#: Entries that readers look for first; the others follow as they come.
FIRST = (
    *("model", "commit", "pipeline", "weights_sha256", "refiner", "device", "device_name"),
    *("libraries", "exact", "batch_size", "dtype", "scheduler", "steps", "guidance", "size"),
)
#: Parts of an entry that are written out; one with more of them is left to the whole record.
PARTS = 16
#: Characters of a whole record that the report holds.
WHOLE = 20_000
#: Digits of a hash that are enough to tell it from others.
DIGITS = 12

_HASH = re.compile(rf"\b([0-9a-f]{{{DIGITS}}})[0-9a-f]{{28,}}\b")


@dataclass(frozen=True)
class Record:
    """What a renderer says of itself, and how many images it drew with that.

    ``entries`` are (name, value) with hashes cut short, ``whole`` all of it as indented JSON. Of
    a renderer's second record, and of those after it, only the entries are listed that its first
    one does not have (``like_first``).
    """

    renderer: str
    version: str
    images: int
    entries: list[tuple[str, str]]
    whole: Excerpt
    like_first: bool = False


@dataclass(frozen=True)
class Records:
    """The records that most images share, and how many ``more`` there are.

    ``differing`` are renderers of which more than one was found.
    """

    listed: list[Record]
    more: int
    differing: list[str]


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return _HASH.sub("\\1\N{HORIZONTAL ELLIPSIS}", str(value))


def _part(name: str, value: Any) -> str:
    deep = isinstance(value, dict | list)
    return f"{name} {f'({len(value)} inside)' if deep else _scalar(value)}".strip()


def _value(value: Any) -> str:
    """A value of the record in one line; what lies deeper or is long is only counted."""
    if not isinstance(value, dict | list):
        return _scalar(value)
    if not value:
        return "none"
    if len(value) > PARTS:
        return f"{len(value)} entries, in the whole record"
    pairs = value.items() if isinstance(value, dict) else (("", v) for v in value)
    return ", ".join(_part(name, v) for name, v in pairs)


def _record(renderer: str, version: str, text: str, images: int) -> Record:
    """What is no JSON object is shown as it is."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return Record(renderer, version, images, [], excerpt(text, 0, WHOLE))
    whole = json.dumps(found, indent=1, ensure_ascii=False)
    order = [*(name for name in FIRST if name in found), *(n for n in found if n not in FIRST)]
    entries = [(name, _value(found[name])) for name in order]
    return Record(renderer, version, images, entries[:ENTRIES], excerpt(whole, 0, WHOLE))


def _shortened(records: list[Record]) -> Iterator[Record]:
    """The records, without what the first of the same renderer has said."""
    first: dict[str, Record] = {}
    for record in records:
        before = first.setdefault(record.renderer, record)
        if before is record or not record.entries:
            yield record
        else:
            new = [entry for entry in record.entries if entry not in before.entries]
            yield replace(record, entries=new, like_first=True)


def build(snapshot: Snapshot) -> Records:
    """Read the records shard by shard and each text once, since every row repeats all of them."""
    names = ["renderer", "renderer_version", "provenance"]
    found: Counter[tuple[str, str, str]] = Counter()
    for path in tables.ATTEMPTS.shards(snapshot.data):
        with tables.open_shard(path, read_dictionary=names) as file:
            shard = file.read(columns=[*names, "method"])
        drawn = pc.and_(shard["method"].is_valid(), shard["provenance"].is_valid())
        counts = shard.filter(drawn).group_by(names).aggregate([("method", "count")])
        for row in counts.to_pylist():
            found[row["renderer"], row["renderer_version"], row["provenance"]] += row[
                "method_count"
            ]
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    of_renderer = Counter(renderer for renderer, _, _ in found)
    return Records(
        list(_shortened([_record(*key, images) for key, images in ranked[:LISTED]])),
        len(ranked[LISTED:]),
        sorted(name for name, count in of_renderer.items() if count > 1),
    )
