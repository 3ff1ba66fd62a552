"""Results that papers print, as tables."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.core.registry import kinds_of
from lvlmbench.stages.figures import latex, published, tabular
from lvlmbench.stages.figures.figure import Drawn, Sources, figure
from lvlmbench.stages.figures.tabular import DOWN, UP, Cell, Column, Row, Table, by_rank

DASH = "\N{EN DASH}"
_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("language_model", pa.string()),
        ("visual_encoder", pa.string()),
        ("measure", pa.string()),
        ("value", pa.float64()),
        ("difference", pa.float64()),
        ("white_box", pa.bool_()),
        ("best", pa.bool_()),
    ]
)


def _heads() -> dict[str, tuple[str, bool | None]]:
    """Return the columns of the published table: name, heading, whether the highest value is the
    best of it; None where neither end is."""
    found: dict[str, tuple[str, bool | None]] = {}
    for name in published.scenarios().values():
        kind = kinds_of("scenarios").find(name)
        neither = kind is not None and kind.control
        label = plain(name)
        found[name] = (label, None) if neither else (f"{label} {UP}", True)
    return found | {"sq": (f"SQ {DOWN}", False), "sc": (f"SC {DOWN}", False)}


@figure(
    "published_results",
    "Results that Dysca publishes of 26 models, on its own images",
    "Dysca, table 3",
    place=15,
    scale=True,
    when=lambda params: params.figures.published,
)
def published_results(sources: Sources) -> Drawn:
    """The paper's Table 3, its differences to clean computed from its columns.

    Raises
    ------
    UserError
        The file of published results is missing or damaged.
    """
    rows = published.read(sources.published)
    heads = _heads()
    columns = {name: [row.number(name) for row in rows] for name in heads}
    shades = {name: by_rank(values, heads[name][1]) for name, values in columns.items()}
    best = {
        name: (max if highest else min)(columns[name])
        for name, (_, highest) in heads.items()
        if highest is not None
    }
    lines = [
        Row(
            (
                Cell(row.model), Cell(row.language_model or DASH),
                Cell(row.visual_encoder or DASH),
                *(published.cell(row, n, best.get(n), shades[n][i]) for n in heads),
            )
        )
        for i, row in enumerate(rows)
    ]  # fmt: skip
    about = ("Model", "Language model", "Visual encoder")
    table = Table(
        f"Results {published.PUBLISHED}",
        [
            *(Column(head, "left") for head in about),
            *(
                Column(head, group="Scenarios" if highest else "")
                for head, highest in heads.values()
            ),
        ],
        lines,
        [
            "As the paper prints them, in percent, SQ and SC in squared percentage points; it "
            "gives no intervals. In brackets: points against clean, computed from the columns.",
            "Darker: better rank within the column. Bold: the best of it. "
            f"{published.WHITE_BOX} white-box: attacked through this model's own encoder.",
        ],
    )
    csv = pa.Table.from_pylist(published.csv_rows(rows, best), _SCHEMA)
    return Drawn(tabular.draw(table), csv, latex.tabular(table))
