"""How much judges call made up, against what is counted exactly."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.compared import MOST, SCHEMA, First, ends, first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure

_MEASURES = ("hallucination", "exact_hallucination")


@figure(
    "dialogue_hallucination",
    "How much of descriptions a judge calls made up, against what is counted exactly",
    "TouchStone, table 2",
    place=21,
)
def dialogue_hallucination(sources: Sources) -> Drawn:
    """The judge's degree of invention against false claims of all, both of 1,000 (TouchStone,
    table 2). Where it has read no claims, those count that another judge has read."""
    found = first(sources)
    counted_by = {judge: replace(found, judge=judge) for judge in _own_first(found)}
    by = next((j for j, of in counted_by.items() if of.rows(_MEASURES[1:])), found.judge)
    both = {
        model: (made_up, exact)
        for model in found.models
        if (made_up := found.number(model, _MEASURES[0])) is not None
        and (exact := counted_by[by].number(model, _MEASURES[1])) is not None
    }
    if not both:
        raise NotApplicable("No description was both rated and counted.")
    made, (ax,) = plotting.figure(5.6, 4.6)
    ax.plot([0, MOST], [0, MOST], color=plotting.GRID, lw=1, zorder=1)
    for model, (made_up, exact) in both.items():
        color, marker = found.looks[model]
        x, y = exact.value or 0.0, made_up.value or 0.0
        ax.plot(ends(exact), [y, y], color=color, lw=1.3, solid_capstyle="butt", zorder=3)
        ax.plot([x, x], ends(made_up), color=color, lw=1.3, solid_capstyle="butt", zorder=3)
        ax.plot(x, y, marker, color=color, ms=6.5, mec=plotting.PAPER, mew=0.8, zorder=4,
                clip_on=False)  # fmt: skip
    [judge, counter] = heat.short([found.judge, by], 22) if by != found.judge else [found.judge] * 2
    ax.set_xlabel(f"claims that are not so, of 1,000, as {counter} reads them")
    ax.set_ylabel(f"made up, of 1,000, as {judge} says")
    ax.grid()
    ax.set_xlim(0, MOST)
    ax.set_ylim(0, MOST)
    legend.legend(made, {model: found.looks[model] for model in both})
    rows = [*found.rows(_MEASURES[:1]), *counted_by[by].rows(_MEASURES[1:])]
    return Drawn(made, pa.Table.from_pylist(rows, SCHEMA))


def _own_first(found: First) -> list[str]:
    return [found.judge, *(judge for judge in found.numbers.judges if judge != found.judge)]
