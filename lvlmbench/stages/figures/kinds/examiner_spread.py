"""How far models lie apart, asked by one examiner and by several (AutoDavis, figure 3a)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.examiners import BASELINE, SINGLE
from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stats.ratios import variance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Any]

#: In place of a model: how much models' accuracies vary, in squared percentage points.
_VARIANCE = "variance of models"
_LONGEST = 24
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("condition", "examiner", "model")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("n", pa.int64()),
    ]
)


@figure(
    "examiner_spread",
    "Accuracies of models and how much they vary, by one examiner and by all",
    "AutoDavis, figure 3a",
)
def examiner_spread(sources: Sources) -> Drawn:
    """Accuracy of each model by all examiners and by each alone, and the variance of models'
    accuracies (AutoDavis, figure 3a). Models that guess are left out."""
    snapshot = sources.snapshot
    if len({*snapshot.questions["examiner"].to_pylist()} - {None}) < 2:
        raise NotApplicable("Fewer than two examiners asked.")
    scenario = snapshot.first_scenario
    found = [
        row
        for row in snapshot.agreement.to_pylist()
        if row["scenario"] == scenario and row["figure"] == "accuracy"
        and row["condition"] in (BASELINE, SINGLE)
    ]  # fmt: skip
    lines: dict[tuple[str, str], list[Row]] = {}
    for row in sorted(found, key=lambda row: row["condition"] != BASELINE):
        lines.setdefault((row["condition"], row["examiner"]), []).append(row)
    rows: list[Row] = []
    for (condition, examiner), mine in lines.items():
        values = [row["value"] for row in mine]
        if len(values) < 2 or None in values:
            continue
        spread = {
            "condition": condition, "examiner": examiner, "model": _VARIANCE,
            "value": round(variance(values), 6), "n": sum(row["n"] for row in mine),
        }  # fmt: skip
        rows += [*({name: row[name] for name in _SCHEMA.names} for row in mine), spread]
    if not rows:
        raise NotApplicable("Fewer than two models have a scored answer by each examiner.")
    return Drawn(_drawn(rows, sources), pa.Table.from_pylist(rows, _SCHEMA))


def _drawn(rows: Sequence[Row], sources: Sources) -> Any:
    shown = list(dict.fromkeys((row["condition"], row["examiner"]) for row in rows))
    models = [m for m in dict.fromkeys(row["model"] for row in rows) if m != _VARIANCE]
    looks = legend.looks(models[: legend.MAX_MODELS], sources.leaderboard)
    made, (left, right) = plotting.figure(
        9.4, 1.3 + len(shown) * max(0.34, 0.12 * len(looks) + 0.1), 2
    )
    names = heat.short([examiner for _, examiner in shown], _LONGEST)
    labels = [
        f"All {len(shown) - 1} examiners" if condition == BASELINE else f"{name} alone"
        for (condition, _), name in zip(shown, names, strict=True)
    ]
    for y, line in enumerate(shown):
        mine = [row for row in rows if (row["condition"], row["examiner"]) == line]
        for row in mine:
            if row["model"] == _VARIANCE:
                _bar(right, y, row["value"], line[0] == BASELINE)
            elif row["model"] in looks:
                at = list(looks).index(row["model"]) - (len(looks) - 1) / 2
                _point(left, y + at * 0.7 / len(looks), row, looks[row["model"]])
    left.set_title("Accuracy, 95% interval over aspects", fontsize=9)
    left.set_xlabel("accuracy (%)")
    left.set_yticks(range(len(labels)), labels)
    left.set_ylim(len(labels) - 0.4, -0.6)
    left.set_xlim(0, 100)
    left.grid(axis="x")
    right.set_title("Variance of the models' accuracies", fontsize=9)
    right.set_xlabel("squared percentage points\n(fewer questions vary more by chance)")
    right.set_xlim(0, 1.25 * max(row["value"] for row in rows if row["model"] == _VARIANCE) or 1)
    right.grid(axis="x")
    legend.legend(made, looks)
    return made


def _point(ax: Axes, y: float, row: Row, look: tuple[str, str]) -> None:
    color, marker = look
    if row["low"] is not None and row["high"] is not None:
        ax.plot([row["low"], row["high"]], [y, y], color=color, lw=1.4, zorder=2)
    ax.plot(row["value"], y, marker, color=color, ms=5, mec=plotting.PAPER, mew=0.6, zorder=3)


def _bar(ax: Axes, y: float, value: float, whole: bool) -> None:
    ax.barh(y, value, height=0.5, color=plotting.STAYS if whole else plotting.FLOOR, lw=0)
    ax.text(value, y, f"  {value:.1f}", va="center_baseline", fontsize=7.6, color=plotting.INK)
