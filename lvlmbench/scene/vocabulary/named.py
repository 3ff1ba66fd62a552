"""The entries that scenes name: as rows of a table, and as a vocabulary of these alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.seeding import digest
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.scene.vocabulary.keys import required_lists
from lvlmbench.scene.vocabulary.load import Vocabulary
from lvlmbench.tables import ENTRIES

#: (list, label).
Name = tuple[str, str]


def named(scene: Mapping[str, Any]) -> list[Name]:
    """Return what a row of :data:`lvlmbench.tables.SCENES` names, each once, as (list, label)."""
    graph = Graph.of(scene)
    found = dict.fromkeys(graph.entries())
    for name, label in (
        ("weather", graph.setting.weather),
        (scene["foreground_list"], scene["foreground"]),
        ("style", scene["style"]),
        ("background", scene["background"]),
    ):
        if name is not None and label is not None:
            found[name, label] = None
    return list(found)


def entries_named(vocabulary: Vocabulary, scenes: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Return what a vocabulary says of the entries that scenes name, rows of
    :data:`lvlmbench.tables.ENTRIES`; what is in no list, such as a chart or a word, has none."""
    lists, written = vocabulary.lists, dict[Name, str | None]()
    able = {name: sorted(each.renderers) for name, each in lists.items()}
    rows = []
    for scene in scenes:
        for name, label in named(scene):
            if name not in lists:
                continue
            if (name, label) not in written:
                entry = lists[name].by_label.get(label)
                written[name, label] = None if entry is None else _written(entry)
            rows.append({
                "scene_id": scene["scene_id"], "list": name, "label": label,
                "entry": written[name, label], "renderers": able[name],
            })  # fmt: skip
    return ENTRIES.of(rows)


def vocabulary_of(entries: pa.Table, scenes: pa.Table) -> Vocabulary:
    """Return a vocabulary of the entries that these scenes name, in lists by label.

    It has no words, nouns or look-alikes: nothing that tells of entries which no scene names.
    """
    wanted = pc.is_in(entries["scene_id"], value_set=scenes["scene_id"].combine_chunks())
    rows = entries.filter(wanted).drop_columns(["scene_id"]).to_pylist()
    found = {(row["list"], row["label"]): row for row in rows}
    parts: dict[str, list[Entry]] = {name: [] for name in required_lists()}
    beside: dict[str, frozenset[str]] = {}
    for (name, label), row in sorted(found.items()):
        held = parts.setdefault(name, [])
        beside[name] = frozenset(row["renderers"])
        if row["entry"] is not None:
            held.append(_read(label, row["entry"]))
    lists = {
        name: VocabularyList(name, {}, tuple(held), beside.get(name, frozenset()))
        for name, held in parts.items()
    }
    told = json.dumps([found[key] for key in sorted(found)], sort_keys=True)
    return Vocabulary(lists, (), digest("entries", told).hex())


def _written(entry: Entry) -> str:
    """All of an entry but its label and its place in the file."""
    held = {each.name: getattr(entry, each.name) for each in fields(entry)}
    del held["label"], held["line"]
    held["renderers"] = sorted(entry.renderers)
    return json.dumps(held, sort_keys=True, ensure_ascii=False)


def _read(label: str, text: str) -> Entry:
    held: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in json.loads(text).items()
    }
    held["renderers"] = frozenset(held["renderers"])
    return Entry(label=label, line=0, **held)
