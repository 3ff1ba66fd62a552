"""How many pictures and features there are of each subset, as a table."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.labels import plain
from lvlmbench.scene.claims import ANYTHING
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import Cell, Column, Row, Table
from lvlmbench.suites.suite import suite_of

_DASH = "\N{EN DASH}"
_SCHEMA = pa.schema(
    [("subtask", pa.string()), ("images", pa.int64()), ("kind", pa.string()),
     ("features", pa.int64())]
)  # fmt: skip
_NOTES = (
    "Features that an answer owes, of the pictures that are asked about in the first scenario; "
    "what may be said and need not be is not among them.",
)


@figure(
    "hallucination_features",
    "How many pictures and features there are of each subset",
    "VALOR-Eval, table 2",
)
def hallucination_features(sources: Sources) -> Drawn:
    """Pictures, features by kind, and features a picture, of every subset that is described."""
    snapshot = sources.snapshot
    asked = snapshot.asked[snapshot.first_scenario].select(["scene_id", "subtask", "question_type"])
    free = [row for row in asked.to_pylist() if row["question_type"] == "free_form"]
    subset = {row["scene_id"]: row["subtask"] for row in free}
    scopes = suite_of(snapshot.params).scopes(snapshot.params)
    counts: dict[str, Counter[str]] = {name: Counter() for name in dict.fromkeys(subset.values())}
    columns = ["scene_id", "kind", "relation", "optional"]
    for row in snapshot.read(tables.TRUTH, columns).to_pylist():
        name = subset.get(row["scene_id"])
        scope = scopes.get(name or "", ANYTHING)
        if name and not row["optional"] and scope.names(row["kind"], row["relation"]):
            counts[name][row["kind"]] += 1
    kinds = list(dict.fromkeys(kind for each in counts.values() for kind in sorted(each)))
    if not kinds:
        raise NotApplicable("No free answer was held against its picture.")
    images = Counter(subset.values())
    rows = [
        {"subtask": name, "images": images[name], "kind": kind, "features": each[kind]}
        for name, each in counts.items()
        for kind in kinds
        if each[kind]
    ]
    lines = [
        Row(
            (
                Cell(plain(name)),
                Cell(f"{images[name]:,}"),
                *(Cell(f"{each[kind]:,}" if each[kind] else _DASH) for kind in kinds),
                Cell(f"{each.total():,}"),
                Cell(f"{each.total() / images[name]:.1f}"),
            )
        )
        for name, each in counts.items()
    ]
    heads = [Column("Subset", "left"), Column("Pictures")]
    heads += [Column(plain(kind), group="Owed features") for kind in kinds]
    heads += [Column("All"), Column("A picture")]
    table = Table("Features", heads, lines, _NOTES)
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))
