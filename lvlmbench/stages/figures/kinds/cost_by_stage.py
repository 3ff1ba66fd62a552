"""What each stage of an exam took, as a table."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.ledger import by_stage, costs
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import Cell, Column, Row, Table

DASH = "\N{EN DASH}"
_SCHEMA = pa.schema(
    [
        ("stage", pa.string()),
        ("models", pa.string()),
        ("requests", pa.int64()),
        ("failed", pa.int64()),
        ("prompt_tokens", pa.int64()),
        ("completion_tokens", pa.int64()),
        ("cost_usd", pa.float64()),
        ("unpriced", pa.int64()),
        ("seconds", pa.float64()),
    ]
)
_COUNTS = {
    "requests": "Requests", "failed": "Failures", "prompt_tokens": "Tokens in",
    "completion_tokens": "Tokens out",
}  # fmt: skip


@figure("cost_by_stage", "What each stage of the run has cost", "AutoDavis, table 18")
def cost_by_stage(sources: Sources) -> Drawn:
    """Requests, tokens, dollars and time by stage (AutoDavis, table 18)."""
    ledger = costs(sources.snapshot)
    rows = []
    for stage, sums in by_stage(ledger).items():
        names = {row["name"]: None for row in ledger if row["stage"] == stage}
        rows.append({"stage": stage, "models": ", ".join(names), **sums})
    if not rows:
        raise NotApplicable("No model was sent a request.")
    lines = [
        Row(
            (
                Cell(plain(row["stage"]), bold=row["stage"] == "all"), Cell(row["models"]),
                *(Cell(DASH if row[name] is None else f"{row[name]:,}") for name in _COUNTS),
                Cell(DASH if row["cost_usd"] is None else f"{row['cost_usd']:,.4f}"),
                Cell(f"{row['unpriced']:,}"),
                Cell(DASH if row["seconds"] is None else f"{row['seconds']:,.1f}"),
            )
        )
        for row in rows
    ]  # fmt: skip
    heads = [*_COUNTS.values(), "US dollars", "Without a price", "Seconds"]
    table = Table(
        "What each stage took",
        [Column("Stage", "left"), Column("Models", "left"), *(Column(head) for head in heads)],
        lines,
        [
            "A reply that several rows share counts once. Failures are requests without a reply "
            "that can be used. Dollars are summed over the requests whose price is known.",
        ],
    )
    csv = pa.Table.from_pylist(rows, _SCHEMA)
    return Drawn(tabular.draw(table), csv, latex.tabular(table))
