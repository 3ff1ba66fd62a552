"""What the consensus of the best models dropped (Dysca, section 3.3, step 3), with examples."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.config import SUBTASKS
from lvlmbench.core.untrusted import Excerpt, excerpt
from lvlmbench.snapshot.reader import CONSENSUS, Snapshot
from lvlmbench.stages.report.asked import Question, questions_of
from lvlmbench.stages.report.filters import THUMBNAIL

#: Dropped questions shown.
SHOWN = 4
#: Fewer models than this are no consensus.
FEWEST = 2


@dataclass(frozen=True)
class Share:
    """Closed questions about one subtask: how many were looked at and how many dropped."""

    subtask: str
    looked_at: int
    dropped: int


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
    """

    models: list[str]
    wrong: int | None
    looked_at: int
    dropped: int
    kept: int
    others: int
    shares: list[Share]
    examples: list[Example]

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
    small = thumbnails.of(
        snapshot.folder(tables.IMAGES, scenario=scenario), set(image_of.values()), size
    )
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
    seen = asked.filter(pc.is_in(asked["question_id"], value_set=pc.unique(table["question_id"])))
    lost = asked.filter(pc.is_in(asked["question_id"], value_set=snapshot.dropped))
    looked, dropped = (
        {r["values"]: r["counts"] for r in pc.value_counts(t["subtask"]).to_pylist()}
        for t in (seen, lost)
    )
    return Consensus(
        models,
        snapshot.params.consensus.wrong,
        len(seen),
        len(lost),
        len(snapshot.counted(asked, CONSENSUS)),
        len(asked) - len(seen),
        [Share(s, looked[s], dropped.get(s, 0)) for s in SUBTASKS if s in looked],
        _examples(snapshot, models, lost) if len(lost) else [],
    )
