"""How the answers were obtained and read: a mean hides what could not be scored, this does not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.spending import counted
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import judged

_COLUMNS = ["question_id", "question_type", "status", "parse_method", "scored"]


@dataclass(frozen=True)
class Reading:
    """Counts of one model in one scenario.

    ``status`` counts all answers, ``declined`` those that came back and decline in words;
    ``parse`` those to questions with right answers that came back, by the way in which the answer
    was found.
    """

    model: str
    scenario: str
    total: int
    unscored: int
    status: Counter[str]
    declined: int
    parse: Counter[str]


def readings(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Reading]:
    """One row for each model in each scenario that it was asked in, over the questions that the
    leaderboard counts."""
    out = []
    for scenario in [*leaderboard.scenarios, *leaderboard.curves]:
        for model in leaderboard.models:
            found = _reading(snapshot, leaderboard, model, scenario)
            out += [found] if found.total else []
    return out


def _reading(snapshot: Snapshot, leaderboard: Leaderboard, model: str, scenario: str) -> Reading:
    total, scored, declined = 0, 0, 0
    status: Counter[str] = Counter()
    parse: Counter[str] = Counter()
    for shard in snapshot.shards(tables.SCORES, _COLUMNS, model=model, scenario=scenario):
        table = snapshot.counted(shard, leaderboard.questions)
        back = table.filter(pc.is_in(table["status"], pa.array(["answered", "truncated"])))
        closed = back.filter(judged(back["question_type"]))
        total += len(table)
        scored += pc.sum(table["scored"]).as_py() or 0
        declined += pc.sum(pc.equal(back["parse_method"], "refusal")).as_py() or 0
        status.update(counted(table["status"]))
        parse.update(counted(closed["parse_method"]))
    return Reading(model, scenario, total, total - scored, status, declined, parse)
