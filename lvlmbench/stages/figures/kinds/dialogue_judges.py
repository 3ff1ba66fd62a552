"""How far judges agree with one another and with people, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.dialogue.results import PEOPLE
from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.compared import First, first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MEASURES = ("agreement", "kappa", "alpha")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "beside", "model", "measure")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        *((name, pa.int64()) for name in ("n", "answers", "unjudged")),
    ]
)


@figure(
    "dialogue_judges",
    "How far judges agree with one another and with people",
    "TouchStone, figure 4",
    place=24,
    scale=True,
)
def dialogue_judges(sources: Sources) -> Drawn:
    """Share of answers that two judges, or a judge and people, find better, tied or worse alike,
    with Cohen's kappa below it (TouchStone, figure 4)."""
    found = first(sources)
    rows: list[dict[str, Any]] = [
        {"judge": judge, "beside": beside, "model": model, "measure": measure, **vars(number)}
        for judge in found.numbers.judges
        for beside in found.numbers.besides(judge, found.scenario, _MEASURES[0])
        for model in (ALL, *found.numbers.models)
        for measure in _MEASURES
        if (number := _number(found, judge, beside, model, measure)) is not None
    ]
    if not rows:
        raise NotApplicable("One judge alone, and nobody has labelled answers.")
    across = list(dict.fromkeys([*found.numbers.judges, *(row["beside"] for row in rows)]))
    across = [name for name in across if name != PEOPLE] + [PEOPLE] * (PEOPLE in across)
    down = found.numbers.judges
    made, (ax,) = plotting.apart(2.9 + 1.05 * len(across), 1.5 + 0.62 * len(down), (1,))
    for y, judge in enumerate(down):
        for x, beside in enumerate(across):
            _cell(ax, found, judge, beside, (x, y))
    _look(ax, down, across)
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))


def _number(found: First, judge: str, beside: str, model: str, measure: str) -> Number | None:
    number = found.numbers.number(judge, model, found.scenario, measure, ALL, beside)
    return number if number is not None and number.value is not None else None


def _over_models(found: First, judge: str, beside: str, measure: str) -> Number | None:
    """The number over all models; where there is none, that of the first model."""
    models = (ALL, *found.models)
    return next((n for m in models if (n := _number(found, judge, beside, m, measure))), None)


def _cell(ax: Axes, found: First, judge: str, beside: str, at: tuple[int, int]) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    agreement = _over_models(found, judge, beside, "agreement") or _over_models(
        found, beside, judge, "agreement"
    )
    if judge == beside or agreement is None:
        text, color = ("itself" if judge == beside else "not known"), plotting.PAPER
    else:
        color = heat.shade((agreement.value or 0.0) / 100)
        text = f"{agreement.value:.0f} %"
        kappa = _over_models(found, judge, beside, "kappa") or _over_models(
            found, beside, judge, "kappa"
        )
        if kappa is not None:
            text += f"\n\N{GREEK SMALL LETTER KAPPA} {kappa.value:.2f}".replace("-", "\u2212")
    ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, fc=color, ec=plotting.GRID, lw=0.6))
    quiet = color == plotting.PAPER
    ax.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=8,
            color=plotting.MUTED if quiet else heat.ink_on(color))  # fmt: skip


def _look(ax: Axes, down: Sequence[str], across: Sequence[str]) -> None:
    ax.set_xlim(0, len(across))
    ax.set_ylim(len(down), 0)
    ax.set_xticks([i + 0.5 for i in range(len(across))], heat.short(across, 14))
    ax.set_yticks([i + 0.5 for i in range(len(down))], heat.short(down, 22))
    ax.xaxis.tick_top()
    ax.spines["bottom"].set_visible(False)
