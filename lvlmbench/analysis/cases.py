"""Single answers worth looking at: one right, and one wrong about the same thing.

Which ones is decided by their ids and by what has been chosen already, never by what was answered:
a case is an example, and ``n_lost`` of ``n`` says how common it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Kind
from lvlmbench.analysis.robustness import Condition, conditions
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.reader import Snapshot

#: Candidates of a model and subtask that are looked at; bounds the work on big snapshots.
WINDOW = 64
_COLUMNS = ["question_id", "image_id", "scene_id", "subtask", "style", "question_type",
            "correct", "scored"]  # fmt: skip
_LUCK = {"multiple_choice": 0, "true_false": 1}


@dataclass(frozen=True)
class Place:
    """Where an answer stands: a question in a scenario, with the image it was asked about."""

    scenario: str
    question_id: str
    question_type: str
    image_id: str
    correct: bool


@dataclass(frozen=True)
class Case:
    """Two answers of one model, exactly one of them right.

    Of ``n`` such pairs of this model ``n_lost`` are right first and wrong then, ``n_gained`` the
    other way round.
    """

    model: str
    kind: Kind
    scene_id: str
    subtask: str
    style: str
    first: Place
    second: Place
    n: int
    n_lost: int
    n_gained: int


def _scored(snapshot: Snapshot, model: str, scenario: str) -> pa.Table:
    """Right and wrong answers to closed questions that the consensus does not doubt."""
    shards = [
        snapshot.counted(
            shard.filter(pc.and_(shard["scored"], tables.offers(shard["question_type"]))),
            "consensus",
        )
        for shard in snapshot.shards(tables.SCORES, _COLUMNS, model=model, scenario=scenario)
    ]
    empty = tables.SCORES.empty_table(_COLUMNS)
    return pa.concat_tables([empty, *shards]).combine_chunks()


def _pairs(first: pa.Table, second: pa.Table, keys: list[str]) -> pa.Table:
    """Answers of both tables that agree in ``keys``; columns of the second end in ``_then``."""
    kept = [*keys, *(c for c in ("question_id", "question_type", "image_id", "correct")
                     if c not in keys)]  # fmt: skip
    return first.join(second.select(kept), keys, join_type="inner", right_suffix="_then")


def _cases(
    pairs: pa.Table, model: str, kind: Kind, scenarios: tuple[str, str], gained_too: bool
) -> list[Case]:
    """Cases among the pairs of one model, some of each subtask."""
    lost = pc.and_(pairs["correct"], pc.invert(pairs["correct_then"]))
    gained = pc.and_(pc.invert(pairs["correct"]), pairs["correct_then"])
    counts = len(pairs), pc.sum(lost).as_py() or 0, pc.sum(gained).as_py() or 0
    found = pairs.filter(pc.or_(lost, gained) if gained_too else lost)
    keys = ["scene_id", *(c for c in found.column_names if c.startswith("question_id"))]
    found = found.sort_by([(key, "ascending") for key in keys])  # a join comes in any order
    rows: list[dict[str, Any]] = []
    for subtask in sorted(pc.unique(found["subtask"]).to_pylist()):
        rows += found.filter(pc.equal(found["subtask"], subtask)).slice(0, WINDOW).to_pylist()
    return [
        Case(
            model, kind, row["scene_id"], row["subtask"], row["style"] or "",
            _place(row, scenarios[0], ""), _place(row, scenarios[1], "_then"), *counts,
        )
        for row in rows
    ]  # fmt: skip


def _place(row: dict[str, Any], scenario: str, suffix: str) -> Place:
    def of(name: str) -> Any:
        return row.get(name + suffix, row[name])

    return Place(
        scenario, of("question_id"), of("question_type"), of("image_id"), row["correct" + suffix]
    )


class Spread:
    """Chooses cases: models under test first, then what has been shown least."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, object]] = Counter()
        self._scenes: set[str] = set()

    def _traits(self, case: Case) -> list[tuple[str, object]]:
        return [("subtask", case.subtask), ("model", case.model),
                ("right", case.first.correct), ("style", case.style)]  # fmt: skip

    def take(self, cases: Iterable[Case]) -> Case | None:
        """The next case, of a scene that has not been shown; ties go to the smaller id."""
        best = min(
            (case for case in cases if case.scene_id not in self._scenes),
            key=lambda case: (
                RANKS[case.kind], _LUCK.get(case.first.question_type, 2),
                *(self._seen[trait] for trait in self._traits(case)),
                case.scene_id, case.first.question_id, case.model,
            ),
            default=None,
        )  # fmt: skip
        if best is not None:
            self._scenes.add(best.scene_id)
            self._seen.update(self._traits(best))
        return best


def looking(leaderboard: Leaderboard) -> list[str]:
    """Models whose answers say something: those that guess only where there is no other."""
    looking = [m for m in leaderboard.models if m not in leaderboard.guessers]
    return looking or leaderboard.models


def across_types(snapshot: Snapshot, leaderboard: Leaderboard, count: int) -> list[Case]:
    """Same scene, same subtask, asked with several options and as true or false; one was right
    (Dysca, figure 5). In the main scenario; ``first`` is the question with several options.
    """
    scenario, found = snapshot.first_scenario, []
    for model in looking(leaderboard):
        scores = _scored(snapshot, model, scenario)
        choice, truth = (
            scores.filter(pc.equal(scores["question_type"], t))
            for t in ("multiple_choice", "true_false")
        )
        pairs = _pairs(choice, truth, ["scene_id", "subtask"])
        found += _cases(pairs, model, leaderboard.kind(model), (scenario, scenario), True)
    spread = Spread()
    taken = (spread.take(found) for _ in range(count))
    return [case for case in taken if case is not None]


def against_clean(
    snapshot: Snapshot, leaderboard: Leaderboard
) -> list[tuple[Condition, Case | None]]:
    """For each noisy scenario a question answered rightly in clean and wrongly there (Dysca,
    figure 4); None where no model made such a mistake.
    """
    if CLEAN not in leaderboard.scenarios:
        return []
    noisy = [c for c in conditions(snapshot.params, leaderboard.scenarios) if not c.control]
    models = looking(leaderboard)
    found: dict[str, list[Case]] = {c.name: [] for c in noisy}
    for model in models if noisy else []:
        clean = _scored(snapshot, model, CLEAN)
        for name, cases in found.items():
            pairs = _pairs(clean, _scored(snapshot, model, name), ["question_id"])
            cases += _cases(pairs, model, leaderboard.kind(model), (CLEAN, name), False)
    spread = Spread()
    return [(c, spread.take(found[c.name])) for c in noisy]


def questions_of(snapshot: Snapshot, cases: Sequence[Case]) -> dict[str, dict[str, Any]]:
    """Rows of the questions of these cases by id."""
    ids = sorted({place.question_id for case in cases for place in (case.first, case.second)})
    table = snapshot.questions
    rows = table.filter(pc.is_in(table["question_id"], value_set=pa.array(ids, pa.string())))
    return {row["question_id"]: row for row in rows.to_pylist()}
