"""From scenes planned to questions asked."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis import funnel
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.figure import Drawn, Sources, figure


@figure(
    "funnel",
    "From scenes planned to questions asked",
    place=12,
)
def funnel_chart(sources: Sources) -> Drawn:
    """Scenes from plan to question, and questions planned and asked."""
    steps = funnel.build(sources.snapshot).steps
    made, (ax,) = plotting.figure(7.6, 0.5 + 0.38 * len(steps))
    colors = {
        "scenes": plotting.STAYS,
        "images": plotting.GUESSER,
        "questions": plotting.TYPES["true_false"],
    }
    position, labels, positions = 0.0, [], []
    for i, step in enumerate(steps):
        first = next(s.count for s in steps if s.unit == step.unit)
        if i and steps[i - 1].unit != step.unit:
            position += 0.45
        share = 100 * step.count / first if first else 0.0
        ax.barh(position, 100, height=0.66, color=plotting.GRID, lw=0)
        color = colors[step.unit]
        ax.barh(position, share, height=0.66, color=color, lw=0)
        among = "" if step.unit == "images" else f"  ({share:.1f}%)"
        ax.text(101.5, position, f"{step.count:,}{among}", va="center")
        positions.append(position)
        labels.append(step.label)
        position += 1
    ax.set_yticks(positions, labels)
    ax.set_ylim(position - 0.4, -0.6)
    ax.set_xlim(0, 126)
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    columns = {
        "step": [step.label for step in steps],
        "unit": [step.unit for step in steps],
        "count": [step.count for step in steps],
    }
    return Drawn(made, pa.table(columns))
