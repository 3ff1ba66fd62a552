"""What the consensus of the best models dropped (Dysca, section 3.3, step 3), with examples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.core.untrusted import Excerpt, excerpt
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import CONSENSUS, Snapshot
from lvlmbench.stages.report.asked import Question, questions_of
from lvlmbench.stages.report.filters import THUMBNAIL

#: Dropped questions shown.
SHOWN = 4
#: Fewer models than this are no consensus.
FEWEST = 2


@dataclass(frozen=True)
class Share:
    """Closed questions about one subtask: how many were looked at, how many the models missed,
    how many of those were dropped, and what share of bad ones was expected among those missed, in
    percent; None where none was missed."""

    subtask: str
    looked_at: int
    missed: int
    dropped: int
    expected_bad: float | None


@dataclass(frozen=True)
class Example:
    """A dropped question; its answers are those of the models that dropped it."""

    question: Question
    subtask: str
    caption: Excerpt
    thumbnail: str | None
    n_models: int
    n_wrong: int
    n_none: int


@dataclass(frozen=True)
class Consensus:
    """Who was asked, and what they dropped.

    ``models`` are those whose answers counted; ``wrong`` is how many of them it takes, None for
    all. ``others`` counts the free-form questions and those that no counted model was asked.
    ``unreliable`` counts questions that enough of them missed and that stay, as the voters are
    wrong too often themselves; ``off`` those that stay as nothing is to be dropped; ``above`` is
    how far each is above guessing where they missed these, in percent, on average.
    """

    models: list[str]
    wrong: int | None
    looked_at: int
    dropped: int
    kept: int
    others: int
    shares: list[Share]
    examples: list[Example]
    unreliable: int = 0
    off: int = 0
    above: tuple[tuple[str, float], ...] = ()

    @property
    def on(self) -> bool:
        """Whether there were enough models to drop anything."""
        return len(self.models) >= FEWEST

    @property
    def needed(self) -> str:
        """How many models it takes, in words."""
        if self.wrong is None or self.wrong == len(self.models):
            return "both" if len(self.models) == FEWEST else f"all {len(self.models)}"
        return f"at least {self.wrong} of {len(self.models)}"


def _examples(snapshot: Snapshot, models: list[str], asked: pa.Table) -> list[Example]:
    """A few dropped questions, spread over subtasks, styles and question types."""
    scenario = snapshot.first_scenario
    planned = snapshot.scenes
    planned = planned.filter(pc.is_in(planned["scene_id"], value_set=pc.unique(asked["scene_id"])))
    scenes = {row["scene_id"]: row for row in planned.to_pylist()}
    first: dict[str, dict[str, object]] = {}
    for row in asked.sort_by("question_id").to_pylist():
        first.setdefault(row["scene_id"], row)
    chosen = choose(
        [
            Candidate(
                scene, str(row["subtask"]), scenes[scene]["style"],
                ((str(row["subtask"]), str(row["question_type"])),),
            )
            for scene, row in first.items()
        ],
        SHOWN,
    )  # fmt: skip
    rows = [first[c.scene_id] for c in chosen]
    questions = questions_of(snapshot, Leaderboard(snapshot), rows, models, scenario)
    images = snapshot.images[scenario].select(["image_id", "scene_id"])
    wanted = pa.array([c.scene_id for c in chosen], pa.string())
    images = images.filter(pc.is_in(images["scene_id"], value_set=wanted))
    image_of = {row["scene_id"]: row["image_id"] for row in images.to_pylist()}
    size = min(snapshot.params.report.thumbnail_size, THUMBNAIL)
    small = thumbnails.of(thumbnails.folder_of(snapshot, scenario), set(image_of.values()), size)
    table = snapshot.consensus
    ids = pa.array([str(row["question_id"]) for row in rows], pa.string())
    said = table.filter(pc.is_in(table["question_id"], value_set=ids)).to_pylist()
    verdict = {row["question_id"]: row for row in said}
    out = []
    for candidate in chosen:
        (question,) = questions[candidate.scene_id]
        row = verdict[question.question_id]
        out.append(
            Example(
                question, candidate.subtask, excerpt(scenes[candidate.scene_id]["caption"], 300),
                small.get(image_of.get(candidate.scene_id, "")),
                row["n_models"], row["n_wrong"], row["n_none"],
            )
        )  # fmt: skip
    return out


def build(snapshot: Snapshot) -> Consensus:
    """The consensus over what was asked in the scenario that speaks for the others."""
    asked = snapshot.asked[snapshot.first_scenario]
    table = snapshot.consensus
    counted = {m for models in table["models"].to_pylist() for m in models or []}
    configured = [m.name for m in snapshot.params.answer.models]
    models = [m for m in configured if m in counted] + sorted(counted - set(configured))
    table = table.filter(pc.is_in(table["question_id"], value_set=pc.unique(asked["question_id"])))
    lost = asked.filter(pc.is_in(asked["question_id"], value_set=snapshot.dropped))
    about = zip(asked["question_id"].to_pylist(), asked["subtask"].to_pylist(), strict=True)
    subtask = dict(about)
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        rows.setdefault(subtask[row["question_id"]], []).append(row)
    verdicts = table["verdict"].to_pylist()
    return Consensus(
        models,
        snapshot.params.consensus.wrong,
        len(table),
        len(lost),
        len(snapshot.counted(asked, CONSENSUS)),
        len(asked) - len(table),
        [_share(name, rows[name]) for name in sorted(rows, key=subtask_order)],
        _examples(snapshot, models, lost) if len(lost) else [],
        verdicts.count("unreliable"),
        verdicts.count("off"),
        _above(table.to_pylist()),
    )


def _share(subtask: str, rows: list[dict[str, Any]]) -> Share:
    missed = [row for row in rows if row["verdict"] != "kept"]
    bad = [row["expected_bad"] for row in missed]
    dropped = sum(not row["keep"] for row in rows)
    return Share(
        subtask, len(rows), len(missed), dropped, 100 * math.fsum(bad) / len(bad) if bad else None
    )


def _above(rows: list[dict[str, Any]]) -> tuple[tuple[str, float], ...]:
    """How far each model is above guessing, the mean over questions that were not dropped."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["verdict"] == "unreliable":
            for name, skill in zip(row["models"], row["above_guessing"], strict=True):
                found.setdefault(name, []).append(skill)
    return tuple((name, 100 * math.fsum(v) / len(v)) for name, v in sorted(found.items()))
