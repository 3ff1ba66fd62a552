"""What became of the claims that models make."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.labels import plain
from lvlmbench.scene.claims import ANYTHING
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.hallucinated import First, first
from lvlmbench.suites.suite import suite_of

#: Verdicts as they are drawn, true ones first: how each is called, and its color.
_DRAWN = {
    "matched": ("\N{CHECK MARK} true", "#0c7a5b"),
    "narrower": ("\N{CHECK MARK} true, says more than is listed", "#5fb597"),
    "broader": ("~ true, says less", "#a9cbe6"),
    "unverifiable": ("? cannot be checked", plotting.FLOOR),
    "false_denial": ("\N{NOT SIGN} denies what is there", "#e8a33d"),
    "contradicted": ("\N{BALLOT X} otherwise in the picture", "#e07b4a"),
    "hallucinated": ("\N{BALLOT X} not there", "#a3330b"),
}
_DARK = ("matched", "contradicted", "hallucinated")
_WITH_IMAGE = ["question_id", "image_id", "claim"]
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "model", "verdict")),
        *((name, pa.int64()) for name in ("claims", "of")),
    ]
)


@figure("claim_verdicts", "What became of the claims that models make", place=18)
def claim_verdicts(sources: Sources) -> Drawn:
    """Claims of each model by verdict, as they were said: what is said twice counts twice."""
    found = first(sources)
    counted = {model: _counts(sources.snapshot, found, model) for model in found.models}
    rows: list[dict[str, Any]] = [
        {
            "judge": found.judge, "model": model, "verdict": verdict, "claims": counts[verdict],
            "of": counts.total(),
        }
        for model, counts in counted.items()
        for verdict in _DRAWN
        if counts[verdict]
    ]  # fmt: skip
    if not rows:
        raise NotApplicable(f"No claim was judged in the scenario {plain(found.scenario)}.")
    return _drawn(rows)


def _counts(snapshot: Snapshot, found: First, model: str) -> Counter[str]:
    """Claims by verdict, of what answers were to speak of."""
    names = {"judge": found.judge, "model": model, "scenario": found.scenario}
    said, matched = (
        tables.read(snapshot.folder(table, **names), table, [*_WITH_IMAGE, *columns])
        for table, columns in ((tables.CLAIMS, ["kind", "relation"]), (tables.MATCHES, ["verdict"]))
    )
    asked = snapshot.questions.select(["question_id", "subtask"])
    joined = _known(said).join(_known(matched), _WITH_IMAGE, join_type="inner")
    joined = joined.join(asked, "question_id", join_type="inner")
    keys = ["subtask", "kind", "relation", "verdict"]
    scopes = suite_of(snapshot.params).scopes(snapshot.params)
    counts = Counter[str]()
    for row in joined.group_by(keys).aggregate([([], "count_all")]).to_pylist():
        scope = scopes.get(row["subtask"], ANYTHING)
        if row["verdict"] in _DRAWN and scope.names(row["kind"], row["relation"]):
            counts[row["verdict"]] += row["count_all"]
    return counts


def _known(table: pa.Table) -> pa.Table:
    """The rows with an id of an image, be it empty: rows without one are joined, too."""
    at = table.schema.get_field_index("image_id")
    return table.set_column(at, "image_id", pc.fill_null(table["image_id"], ""))


def _drawn(rows: list[dict[str, Any]]) -> Drawn:
    from matplotlib.patches import Patch

    models = list(dict.fromkeys(row["model"] for row in rows))
    made, (ax,) = plotting.figure(8.2, 1.3 + 0.34 * len(models))
    for at, model in enumerate(models):
        mine = [row for row in rows if row["model"] == model]
        left = 0.0
        for row in mine:
            wide = 100 * row["claims"] / row["of"]
            ax.barh(at, wide, left=left, height=0.72, color=_DRAWN[row["verdict"]][1], lw=0)
            if wide > 4:
                ink = plotting.PAPER if row["verdict"] in _DARK else plotting.INK
                ax.text(left + wide / 2, at, f"{wide:.0f}", ha="center", va="center_baseline",
                        fontsize=7.6, color=ink)  # fmt: skip
            left += wide
        total = mine[0]["of"]
        ax.text(101.5, at, f"n {total:,}", va="center_baseline", fontsize=7.6, color=plotting.MUTED)
    ax.set_yticks(range(len(models)), heat.short(models, 28))
    ax.set_ylim(len(models) - 0.4, -0.6)
    ax.set_xlim(0, 112)
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("claims (%)")
    used = [name for name in _DRAWN if any(row["verdict"] == name for row in rows)]
    handles = [Patch(color=_DRAWN[name][1], lw=0, label=_DRAWN[name][0]) for name in used]
    made.legend(handles=handles, loc="outside upper left", ncols=min(len(handles), 4))
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))
