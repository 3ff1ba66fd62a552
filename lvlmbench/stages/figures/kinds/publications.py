"""Results that papers print, as tables."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.stages.figures import (
    latex,
    published,
    tabular,
)
from lvlmbench.stages.figures.figure import (
    Drawn,
    Sources,
    figure,
)
from lvlmbench.stages.figures.tabular import (
    DOWN,
    UP,
    Cell,
    Column,
    Row,
    Table,
)

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

#: Columns of the published table: name, heading, whether the highest value is the best of it;
#: None where neither end is.
_HEADS: dict[str, tuple[str, bool | None]] = {
    "blind": ("Blind", None),
    CLEAN: (f"Clean {UP}", True),
    "corruption": (f"Corruption {UP}", True),
    "adversarial": (f"Adversarial attack {UP}", True),
    "print_attack": (f"Print attack {UP}", True),
    "sq": (f"SQ {DOWN}", False),
    "sc": (f"SC {DOWN}", False),
}


def _shades(values: list[float], highest: bool | None) -> list[float | None]:
    """Rank of each value from 0 (worst) to 1 (best), ties alike; ranks and not values, as a few
    large numbers of SQ would leave all others the same."""
    if highest is None:
        return [None] * len(values)
    order = sorted(set(values), reverse=not highest)
    return [order.index(v) / max(len(order) - 1, 1) for v in values]


@figure(
    "published_results", "Results that Dysca publishes of 26 models, on its own images",
    "Dysca, table 3",
)  # fmt: skip
def published_results(sources: Sources) -> Drawn:
    """The paper's Table 3, its differences to clean computed from its columns.

    Raises
    ------
    UserError
        The file of published results is missing or damaged.
    """
    rows = published.read(sources.published)
    columns = {name: [row.number(name) for row in rows] for name in _HEADS}
    shades = {name: _shades(values, _HEADS[name][1]) for name, values in columns.items()}
    best = {
        name: (max if highest else min)(columns[name])
        for name, (_, highest) in _HEADS.items()
        if highest is not None
    }
    lines = [
        Row(
            (
                Cell(row.model), Cell(row.language_model or DASH),
                Cell(row.visual_encoder or DASH),
                *(published.cell(row, n, best.get(n), shades[n][i]) for n in _HEADS),
            )
        )
        for i, row in enumerate(rows)
    ]  # fmt: skip
    heads = ("Model", "Language model", "Visual encoder")
    table = Table(
        f"Results {published.PUBLISHED}",
        [
            *(Column(head, "left") for head in heads),
            *(
                Column(head, group="" if name in ("blind", "sq", "sc") else "Scenarios")
                for name, (head, _) in _HEADS.items()
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
