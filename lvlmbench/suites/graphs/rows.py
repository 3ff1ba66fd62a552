"""Planned graphs as rows of the table scenes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, flat
from lvlmbench.suites.graphs.stock import Stock
from lvlmbench.suites.graphs.wording import Words
from lvlmbench.tables import SCENES


def wanted(params: Params, start: int, stop: int) -> Iterator[tuple[str, int]]:
    """Yield subtask and ordinal of the scenes with global indices ``start`` to ``stop``."""
    for subtask, (first, last) in subtask_ranges(params).items():
        for at in range(max(start, first), min(stop, last)):
            yield subtask, at - first


def table_of(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows whose graphs are nested columns, with the flat columns beside them."""
    if not rows:
        return SCENES.empty_table()
    graphs = pa.Table.from_pylist(list(rows), SCENES.schema)
    columns = {name: graphs[name] for name in SCENES.names} | flat(graphs)
    return pa.table(columns, schema=SCENES.schema)


def caption_of(graph: Graph, stock: Stock, words: Words) -> str:
    """Return what a scene holds, in a sentence."""
    said = enumeration([words.counted(thing) for thing in graph.objects])
    behind = stock.phrase(graph.setting.background)
    return capitalized(f"{said}{f' {behind}' if behind else ''}.")
