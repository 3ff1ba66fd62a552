"""What was asked: questions by type and by subtask."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.tables import QUESTION_TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _count_axis(ax: Axes) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.grid(axis="x")


def _types(asked: pa.Table, known: Container[str]) -> list[str]:
    """Types of questions that are asked, or can be requested, in the order of tables."""
    there = {*asked["question_type"].to_pylist()}
    return [t for t in QUESTION_TYPES if t in there or t in known]


@figure(
    "question_types",
    "Questions asked by type, and the shares requested",
    place=10,
    counted=True,
)
def question_types(sources: Sources) -> Drawn:
    """Questions asked by type, with the shares that the parameters request."""
    snapshot = sources.snapshot
    asked = snapshot.counted(snapshot.asked[snapshot.first_scenario])
    wanted = snapshot.params.corpus.type_proportions.model_dump()
    types = _types(asked, wanted)
    counts = [pc.sum(pc.equal(asked["question_type"], t)).as_py() or 0 for t in types]
    total = sum(counts)
    if not total:
        raise NotApplicable("No question was asked.")
    made, (ax,) = plotting.figure(7.6, 0.7 + 0.35 * len(types))
    for y, (kind, count) in enumerate(zip(types, counts, strict=True)):
        ax.barh(y, count, height=0.62, color=plotting.TYPES[kind], lw=0)
        target = wanted.get(kind, 0) * total
        if kind in wanted:
            ax.plot([target] * 2, [y - 0.42, y + 0.42], color=plotting.INK, lw=1.4)
        ax.text(
            max(count, target) + 0.012 * total, y, f"{count:,}  ({100 * count / total:.1f}%)",
            va="center",
        )  # fmt: skip
    ax.set_yticks(range(len(types)), [TYPE_LABELS[t] for t in types])
    ax.set_ylim(len(types) - 0.4, -0.6)
    ax.set_xlim(0, 1.22 * max(*counts, *(share * total for share in wanted.values())))
    ax.set_xlabel("questions asked; the line marks the share requested")
    _count_axis(ax)
    columns = {
        "question_type": types,
        "questions": counts,
        "share": [count / total for count in counts],
        "requested": [wanted.get(t) for t in types],
    }
    return Drawn(made, pa.table(columns))


@figure(
    "subtask_distribution",
    "Questions asked by subtask and type",
    "Dysca, figure 2",
    place=11,
    counted=True,
)
def subtask_distribution(sources: Sources) -> Drawn:
    """Questions asked about each subtask, by type (Dysca, figure 2)."""
    snapshot = sources.snapshot
    asked = snapshot.counted(snapshot.asked[snapshot.first_scenario])
    pairs = asked.group_by(["subtask", "question_type"]).aggregate([("question_id", "count")])
    counts = {(r["subtask"], r["question_type"]): r["question_id_count"] for r in pairs.to_pylist()}
    types = _types(asked, snapshot.params.corpus.type_proportions.model_dump())
    rows = sorted(snapshot.params.corpus.subtasks, key=subtask_order)
    rows += sorted({s for s, _ in counts} - set(rows))
    totals = [sum(counts.get((s, t), 0) for t in types) for s in rows]
    made, (ax,) = plotting.figure(7.6, 1.0 + 0.25 * len(rows))
    left = [0] * len(rows)
    for kind in types:
        values = [counts.get((s, kind), 0) for s in rows]
        ax.barh(range(len(rows)), values, left=left, height=0.7, lw=0,
                color=plotting.TYPES[kind], label=TYPE_LABELS[kind])  # fmt: skip
        left = [a + b for a, b in zip(left, values, strict=True)]
    most = max([*totals, 1])
    for y, total in enumerate(totals):
        ax.text(total + 0.01 * most, y, f"{total:,}", va="center", fontsize=8)
    ax.set_yticks(range(len(rows)), [plain(s) for s in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 1.08 * most)
    ax.set_xlabel("questions asked about this subtask")
    _count_axis(ax)
    made.legend(loc="outside upper left", ncols=len(types))
    pairs = [(s, t) for s in rows for t in types]
    columns = {
        "subtask": [s for s, _ in pairs],
        "question_type": [t for _, t in pairs],
        "questions": [counts.get(pair, 0) for pair in pairs],
    }
    return Drawn(made, pa.table(columns))
