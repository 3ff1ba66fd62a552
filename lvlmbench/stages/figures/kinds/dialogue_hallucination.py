"""How much judges call made up, against what is counted exactly."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.stages.figures import legend, plotting
from lvlmbench.stages.figures.compared import MOST, SCHEMA, ends, first
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
    table 2)."""
    found = first(sources)
    both = {
        model: (made_up, exact)
        for model in found.models
        if (made_up := found.number(model, _MEASURES[0])) is not None
        and (exact := found.number(model, _MEASURES[1])) is not None
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
    ax.set_xlabel("claims that are not so, of 1,000")
    ax.set_ylabel("made up as the judge says, of 1,000")
    ax.grid()
    ax.set_xlim(0, MOST)
    ax.set_ylim(0, MOST)
    legend.legend(made, {model: found.looks[model] for model in both})
    return Drawn(made, pa.Table.from_pylist(found.rows(_MEASURES), SCHEMA))
