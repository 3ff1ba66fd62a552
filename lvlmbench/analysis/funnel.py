"""From scenes planned to questions asked, and what was lost on the way and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.labels import inline, plain
from lvlmbench.core.amounts import amount
from lvlmbench.scene.exclusion import EXCLUDED
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import CONSENSUS, Snapshot

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
    """Scenes or questions lost at one step for one reason; ``subtasks`` counts them by subtask."""

    step: str
    reason: str
    count: int
    subtasks: tuple[tuple[str, int], ...]
    unit: str = "scenes"


@dataclass(frozen=True)
class Funnel:
    """Steps in order and the losses between them. ``undrawn_subtasks`` are those of which the
    renderer draws nothing, though not all of their scenes were excluded."""

    steps: list[Step]
    losses: list[Loss]
    undrawn_subtasks: list[str]
    n_excluded: int


def tally(
    reasons: Iterable[tuple[str, str]], most: int = MAX_REASONS
) -> list[tuple[str, dict[str, int]]]:
    """(reason, subtask) pairs as counts by subtask for each reason, the most frequent first.

    Beyond the first ``most`` the rarer ones are added up under one heading.
    """
    groups: dict[str, dict[str, int]] = {}
    for reason, subtask in reasons:
        by_subtask = groups.setdefault(reason, {})
        by_subtask[subtask] = by_subtask.get(subtask, 0) + 1
    ranked = sorted(groups.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    if len(ranked) > most:
        rest: dict[str, int] = {}
        for _, by_subtask in ranked[most:]:
            for subtask, count in by_subtask.items():
                rest[subtask] = rest.get(subtask, 0) + count
        ranked = [*ranked[:most], (f"{len(ranked) - most} rarer reasons", rest)]
    return ranked


def in_order(by_subtask: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Counts by subtask in the canonical order of subtasks, unknown ones last."""
    return tuple((name, by_subtask[name]) for name in sorted(by_subtask, key=subtask_order))


def _losses(step: str, dropped: pa.Table, subtask_of: dict[str, str]) -> list[Loss]:
    """Dropped rows (scene_id, reason) grouped by reason."""
    pairs = zip(dropped["scene_id"].to_pylist(), dropped["reason"].to_pylist(), strict=True)
    ranked = tally(
        (reason or "no reason given", subtask_of.get(s, "unknown")) for s, reason in pairs
    )
    return [Loss(step, reason, sum(by.values()), in_order(by)) for reason, by in ranked]


def _consensus(snapshot: Snapshot, asked: pa.Table) -> tuple[list[Step], list[Loss]]:
    """The step after the last question, if the consensus drops any of them."""
    kept = snapshot.counted(asked, CONSENSUS)
    if len(kept) == len(asked):
        return [], []
    lost = asked.filter(pc.is_in(asked["question_id"], value_set=snapshot.dropped))
    (by,) = [by for _, by in tally(("", s) for s in lost["subtask"].to_pylist())]
    reason = "answered wrongly by the best models together"
    return (
        [Step("Kept by consensus", len(kept), "questions")],
        [Loss("Consensus", reason, len(lost), in_order(by), "questions")],
    )


def build(snapshot: Snapshot) -> Funnel:
    """The funnel of a snapshot; each filter is counted among what the ones before it kept."""
    scenes, rendered = snapshot.scenes, snapshot.rendered
    subtask_of = dict(
        zip(scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist(), strict=True)
    )
    steps = [Step("Scenes planned", len(scenes), "scenes")]
    out = rendered.filter(pc.invert(rendered["keep"]))
    named = pc.fill_null(pc.starts_with(out["reason"], EXCLUDED), False)
    excluded, undrawn = out.filter(named), out.filter(pc.invert(named))
    losses = _losses("Vocabulary", excluded, subtask_of)
    if len(excluded):
        steps.append(Step("After exclusions", len(scenes) - len(excluded), "scenes"))
    losses += _losses("Render", undrawn, subtask_of)
    kept = rendered.filter(rendered["keep"])["scene_id"]
    if len(snapshot.drawings) > len(snapshot.of_images):
        steps.append(Step("Images drawn", len(snapshot.drawings), "images"))
    drawn = set(kept.to_pylist())
    steps.append(Step("Given" if snapshot.given else "Rendered", len(kept), "scenes"))
    for name, verdicts in snapshot.filtered.items():
        here = verdicts.filter(pc.is_in(verdicts["scene_id"], value_set=pc.unique(kept)))
        label = f"Filter: {plain(name)}"
        losses += _losses(label, here.filter(pc.invert(here["keep"])), subtask_of)
        unjudged = len(kept) - len(here)
        if unjudged:
            losses.append(Loss(label, "no verdict", unjudged, ()))
        kept = here.filter(here["keep"])["scene_id"]
        steps.append(Step(f"Kept by {inline(name)}", len(kept), "scenes"))
    asked = snapshot.asked[snapshot.first_scenario]
    steps.append(Step("Asked about", pc.count_distinct(asked["scene_id"]).as_py(), "scenes"))
    steps.append(Step("Questions planned", len(snapshot.questions), "questions"))
    steps.append(Step("Questions asked", len(asked), "questions"))
    more, lost = _consensus(snapshot, asked)
    missed = {subtask_of[s] for s in undrawn["scene_id"].to_pylist() if s in subtask_of}
    visible = {subtask_of[s] for s in drawn if s in subtask_of}
    undrawn_subtasks = sorted(missed - visible, key=subtask_order)
    return Funnel([*steps, *more], losses + lost, undrawn_subtasks, len(excluded))


def nothing_asked(snapshot: Snapshot) -> str:
    """Return why no question could be asked, in a sentence; empty where some were."""
    if any(len(asked) for asked in snapshot.asked.values()):
        return ""
    found = build(snapshot)
    planned = amount(found.steps[0].count, "planned scene")
    most = max(found.losses, key=lambda loss: loss.count, default=None)
    said = f": {most.count:,} lost at '{most.step}' ({most.reason})" if most else ""
    return f"no question could be asked about {planned}{said}"
