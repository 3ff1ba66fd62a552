"""Print attacks: how often a model answers with what is printed, beside its clean answers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.pool import CellSums, Pool
from lvlmbench.tables import OFFERING

_COLUMNS = ["question_id", "scene_id", "question_type", "parsed_index", "scored"]


@dataclass(frozen=True)
class Believed:
    """Closed questions of one type that a model answered with the option printed for them.

    ``clean`` is the share of the same questions that it answers so without the print, None where
    the clean scenario was not run.
    """

    model: str
    kind: Kind
    question_type: str
    printed: Value
    clean: Value | None


@dataclass(frozen=True)
class Deception:
    """One scenario that prints options, and what each model made of it."""

    scenario: str
    rows: list[Believed]


def printed_options(snapshot: Snapshot, scenario: str) -> dict[str, int]:
    """Question -> place of the option that is printed for it."""
    said = {
        row["question_id"]: (row["perturbation"] or {}).get("printed_text")
        for row in snapshot.images[scenario].select(["question_id", "perturbation"]).to_pylist()
        if row["question_id"] is not None
    }
    asked = snapshot.counted(snapshot.asked[scenario])
    rows = asked.select(["question_id", "options"]).to_pylist()
    return {
        row["question_id"]: row["options"].index(said[row["question_id"]])
        for row in rows
        if row["options"] and said.get(row["question_id"]) in row["options"]
    }


def share(answers: list[tuple[str, bool | None]]) -> Value:
    """The percentage of true ones, its interval clustered by scene.

    Parameters
    ----------
    answers
        Scene of each answer, and whether it is so; None where the answer is not scored.
    """
    scored = [(scene, so) for scene, so in answers if so is not None]
    left_out = len(answers) - len(scored)
    at = np.unique([scene for scene, _ in scored], return_inverse=True)[1]
    values = np.array([float(so) for _, so in scored])
    sums = CellSums.of(values, at, at, np.zeros(len(at), dtype=np.int64), [0])
    found = Pool(sums).mean_of(np.ones(1))
    if found is None:
        return Value(None, None, None, 0, left_out)
    shown = found.scaled(100.0)
    return Value(shown.value, shown.low, shown.high, len(scored), left_out)


def _answers(
    snapshot: Snapshot, model: str, scenario: str, printed: dict[str, int]
) -> dict[str, list[tuple[str, bool | None]]]:
    """By question type: scene of each answer, and whether it is the printed option."""
    found: dict[str, list[tuple[str, bool | None]]] = defaultdict(list)
    shards = list(snapshot.shards(tables.SCORES, _COLUMNS, model=model, scenario=scenario))
    rows: list[dict[str, Any]] = pa.concat_tables(shards).to_pylist() if shards else []
    for row in rows:
        if row["question_id"] in printed:
            so = row["parsed_index"] == printed[row["question_id"]] if row["scored"] else None
            found[row["question_type"]].append((row["scene_id"], so))
    return found


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Deception]:
    """Every scenario in which an option is printed on the image of a question."""
    out = []
    for scenario in snapshot.params.scenarios.counted:
        printed = printed_options(snapshot, scenario)
        rows = []
        for model in leaderboard.models if printed else ():
            under = _answers(snapshot, model, scenario, printed)
            clean = _answers(snapshot, model, CLEAN, printed)
            rows += [
                Believed(
                    model,
                    leaderboard.kind(model),
                    kind,
                    share(under[kind]),
                    share(clean[kind]) if clean.get(kind) else None,
                )
                for kind in OFFERING
                if kind in under
            ]
        if rows:
            out.append(Deception(scenario, rows))
    return out
