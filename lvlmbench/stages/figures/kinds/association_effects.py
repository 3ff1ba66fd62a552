"""Whether models claim an absent thing because what it goes with is there."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from lvlmbench.analysis.hallucination.association import SEEN, UNSEEN
from lvlmbench.analysis.labels import plain
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.hallucinated import First, first
from lvlmbench.stages.figures.tabular import signed

_CLAIMED, _EFFECT = "associated_claims", "associative_effect"
#: Arms that are compared: marker, color, and what the picture shows; others are small and gray.
_LOOKS = {
    UNSEEN: ("o", plotting.MODELS[0], "something that the absent thing does not go with"),
    SEEN: ("D", plotting.MODELS[1], "what the absent thing goes with"),
}
_OTHERS = ("|", "x", "+")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "model", "measure", "arm")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("n", pa.int64()),
    ]
)


@figure(
    "association_effects",
    "How much more often an absent thing is claimed where what it goes with is shown",
    "VALOR-Eval, table 5",
    place=19,
)
def association_effects(sources: Sources) -> Drawn:
    """Shares of pictures in which a model claims an absent thing, where its companion is shown and
    where it is not, and their difference, paired by layout."""
    found = first(sources)
    arms = found.numbers.strata(found.judge, found.scenario, _CLAIMED)
    rows = [row for model in found.models for row in _rows(found, model, arms)]
    models = list(dict.fromkeys(row["model"] for row in rows if row["arm"] in _LOOKS))
    if not models:
        raise NotApplicable("No scene of this snapshot is of a triplet that differs in one thing.")
    return _drawn(rows, models, arms)


def _rows(found: First, model: str, arms: list[str]) -> list[dict[str, Any]]:
    asked = [(_CLAIMED, arm, found.number(model, _CLAIMED, stratum=arm)) for arm in arms]
    asked.append((_EFFECT, "", found.number(model, _EFFECT)))
    return [
        {
            "judge": found.judge, "model": model, "measure": measure, "arm": arm or None,
            "value": number.value, "low": number.low, "high": number.high, "n": number.n,
        }
        for measure, arm, number in asked
        if number is not None and number.value is not None
    ]  # fmt: skip


def _drawn(rows: list[dict[str, Any]], models: list[str], arms: list[str]) -> Drawn:
    from matplotlib.lines import Line2D

    rest = [arm for arm in arms if arm not in _LOOKS]
    others = {arm: _OTHERS[at % len(_OTHERS)] for at, arm in enumerate(rest)}
    made, (ax,) = plotting.figure(8.6, 1.5 + 0.42 * len(models))
    for at, model in enumerate(models):
        mine = {row["arm"]: row for row in rows if row["model"] == model}
        ends = [mine[arm]["value"] for arm in _LOOKS if arm in mine]
        ax.plot([min(ends), max(ends)], [at, at], color=plotting.FLOOR, lw=4, zorder=1)
        for arm in arms:
            if arm not in mine:
                continue
            marker, color, _ = _LOOKS.get(arm, (others.get(arm, ""), plotting.MUTED, ""))
            row, shift = mine[arm], {SEEN: 0.12, UNSEEN: -0.12}.get(arm, 0.0)
            if arm in _LOOKS and row["low"] is not None:
                ax.plot([row["low"], row["high"]], [at + shift] * 2, color=color, lw=1.2, zorder=3)
            ax.plot(row["value"], at + shift, marker, color=color, ms=6, mec=color, zorder=4,
                    clip_on=False)  # fmt: skip
        effect = mine.get(None)
        if effect is not None:
            ends_of = (
                ""
                if effect["low"] is None
                else (f" ({signed(effect['low'], 1)} to {signed(effect['high'], 1)})")
            )
            ax.text(104, at, f"{signed(effect['value'], 1)}{ends_of}, {effect['n']:,} pairs",
                    va="center_baseline", fontsize=7.8)  # fmt: skip
    ax.text(104, -0.75, "effect in points", va="center_baseline", fontsize=7.8,
            color=plotting.MUTED)  # fmt: skip
    ax.set_yticks(range(len(models)), heat.short(models, 28))
    ax.set_ylim(len(models) - 0.4, -1.1)
    ax.set_xlim(0, 160)
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("pictures in which the absent thing is claimed (%)", loc="left")
    handles = [
        Line2D([], [], color=color, marker=marker, lw=1.2, ms=6, label=f"shown: {words}")
        for marker, color, words in _LOOKS.values()
    ]
    handles += [
        Line2D([], [], color=plotting.MUTED, marker=marker, lw=0, ms=6,
               label=f"other pictures: {plain(arm).lower()}")
        for arm, marker in others.items()
    ]  # fmt: skip
    made.legend(handles=handles, loc="outside upper left", ncols=1)
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))
