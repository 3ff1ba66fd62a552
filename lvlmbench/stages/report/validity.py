"""How the snapshot compares with other benchmarks and other images (Dysca, section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.analysis.labels import TYPE_LABELS, inline
from lvlmbench.stages.validity.files import COLUMNS, read
from lvlmbench.stages.validity.rankings import AND

Row = Mapping[str, Any]

#: p-values below this tell two image sets apart.
LEVEL = 0.05
#: How the column ``styles`` of the correlations reads.
STYLES = {"all": "all styles", "realistic": "realistic images"}
#: Spearman's rho at which the overview calls the agreement by a name, from the top.
_AGREEMENT = ((0.8, "strong"), (0.5, "moderate"), (0.2, "weak"))


@dataclass(frozen=True)
class Correlation:
    """One benchmark over one choice of styles, and the models that it rests on."""

    row: Row
    styles: str
    models: list[Row]

    @property
    def on(self) -> str:
        """Return what is compared, and how theirs came about where it is not as printed."""
        if self.row["basis"] == "whole":
            made = f"; theirs {self.row['made']}" if self.row["made"] else ""
            return inline(self.row["measure"]) + made if self.row["measure"] else ""
        names = [inline(name) for name in str(self.row["subtasks"]).split(AND) if name]
        kinds = [TYPE_LABELS[k].lower() for k in str(self.row["types"]).split(AND) if k]
        return f"{', '.join(names)}: {', '.join(kinds)}" if names else "tasks in common"


@dataclass(frozen=True)
class Validity:
    """All of the section; ``line`` is one sentence for the overview."""

    correlations: list[Correlation]
    distances: list[Row]
    labels: Mapping[str, str]
    sets: list[Row]
    line: str

    @property
    def apart(self) -> int:
        """Pairs of image sets that differ by more than chance."""
        return sum(row["p"] is not None and row["p"] < LEVEL for row in self.distances)


def _correlations(tables: Mapping[str, list[Row]]) -> list[Correlation]:
    models: dict[tuple[str, str, str], list[Row]] = {}
    for row in tables["rankings.csv"]:
        models.setdefault((row["benchmark"], row["styles"], row["basis"]), []).append(row)
    return [
        Correlation(
            row, STYLES.get(str(row["styles"]), str(row["styles"])),
            models.get((row["benchmark"], row["styles"], row["basis"]), []),
        )
        for row in tables["correlations.csv"]
    ]  # fmt: skip


def _line(correlations: list[Correlation]) -> str:
    """The benchmark with most models in common; equals in the order of the file."""
    found = [c.row for c in correlations if c.row["spearman"] is not None]
    if not found:
        return "No published ranking has three models in common with this one."
    row = max(found, key=lambda r: (r["models"], r["styles"] == "all", r["basis"] == "whole"))
    rho = row["spearman"]
    words = next((word for least, word in _AGREEMENT if rho >= least), "no")
    low, high = row["spearman_low"], row["spearman_high"]
    known = low is not None and high is not None
    shown = "agreement could be shown" if known and low <= 0 <= high else "agreement"
    words = "no" if shown != "agreement" else words
    text = f"{words} {shown} with the ranking of {row['benchmark']}: Spearman's rho {_two(rho)}"
    if known:
        text += f" (95% interval {_two(low)} to {_two(high)})"
    return f"{text[0].upper()}{text[1:]}, over {row['models']} models."


def _two(value: float) -> str:
    """Two digits, with a real minus."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def build(folder: Path | None) -> Validity | None:
    """Read what the stage ``validity`` has left; None where it was not run.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    if folder is None or not folder.is_dir():
        return None
    tables: dict[str, list[Row]] = {name: read(folder, name).to_pylist() for name in COLUMNS}
    correlations = _correlations(tables)
    sets = tables["image_sets.csv"]
    return Validity(
        correlations, tables["distances.csv"], {row["name"]: row["label"] for row in sets}, sets,
        _line(correlations),
    )  # fmt: skip
