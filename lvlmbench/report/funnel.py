"""From scenes planned to questions asked, and what was lost on the way and why."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import SUBTASKS
from lvlmbench.report.inputs import Snapshot
from lvlmbench.report.labels import plain

#: Distinct reasons of one step that the table names; the rarer ones share a row.
MAX_REASONS = 30


@dataclass(frozen=True)
class Step:
    """One bar of the funnel."""

    label: str
    count: int
    unit: str


@dataclass(frozen=True)
class Loss:
    """Scenes lost at one step for one reason; ``subtasks`` counts them by subtask."""

    step: str
    reason: str
    count: int
    subtasks: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Funnel:
    """Steps in order and the losses between them."""

    steps: list[Step]
    losses: list[Loss]
    undrawn_subtasks: list[str]


def _losses(step: str, dropped: pa.Table, subtask_of: dict[str, str]) -> list[Loss]:
    """Dropped rows (scene_id, reason) grouped by reason, the most frequent first."""
    groups: dict[str, dict[str, int]] = {}
    for scene, reason in zip(
        dropped["scene_id"].to_pylist(), dropped["reason"].to_pylist(), strict=True
    ):
        by_subtask = groups.setdefault(reason or "no reason given", {})
        subtask = subtask_of.get(scene, "unknown")
        by_subtask[subtask] = by_subtask.get(subtask, 0) + 1
    ranked = sorted(groups.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    if len(ranked) > MAX_REASONS:
        rest: dict[str, int] = {}
        for _, by_subtask in ranked[MAX_REASONS:]:
            for subtask, count in by_subtask.items():
                rest[subtask] = rest.get(subtask, 0) + count
        ranked = [*ranked[:MAX_REASONS], (f"{len(ranked) - MAX_REASONS} rarer reasons", rest)]
    order = list(SUBTASKS)
    return [
        Loss(
            step,
            reason,
            sum(by_subtask.values()),
            tuple(
                sorted(
                    by_subtask.items(),
                    key=lambda item: order.index(item[0]) if item[0] in order else len(order),
                )
            ),
        )
        for reason, by_subtask in ranked
    ]


def build(snapshot: Snapshot) -> Funnel:
    """The funnel of a snapshot; each filter is counted among what the ones before it kept."""
    scenes, rendered = snapshot.scenes, snapshot.rendered
    subtask_of = dict(
        zip(scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist(), strict=True)
    )
    steps = [Step("Scenes planned", len(scenes), "scenes")]
    losses = _losses("Render", rendered.filter(pc.invert(rendered["keep"])), subtask_of)
    kept = rendered.filter(rendered["keep"])["scene_id"]
    drawn = set(kept.to_pylist())
    steps.append(Step("Rendered", len(kept), "scenes"))
    for name, verdicts in snapshot.filtered.items():
        here = verdicts.filter(pc.is_in(verdicts["scene_id"], value_set=pc.unique(kept)))
        label = f"Filter: {plain(name)}"
        losses += _losses(label, here.filter(pc.invert(here["keep"])), subtask_of)
        unjudged = len(kept) - len(here)
        if unjudged:
            losses.append(Loss(label, "no verdict", unjudged, ()))
        kept = here.filter(here["keep"])["scene_id"]
        steps.append(Step(f"Kept by {name.replace('_', ' ')}", len(kept), "scenes"))
    asked = snapshot.asked[snapshot.first_scenario]
    steps.append(Step("Asked about", pc.count_distinct(asked["scene_id"]).as_py(), "scenes"))
    steps.append(Step("Questions planned", len(snapshot.questions), "questions"))
    steps.append(Step("Questions asked", len(asked), "questions"))
    planned = set(subtask_of.values())
    visible = {subtask_of[s] for s in drawn if s in subtask_of}
    return Funnel(steps, losses, [s for s in SUBTASKS if s in planned - visible])
