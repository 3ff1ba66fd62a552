"""What judges say of the models' free answers, with how much of it could not be said."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.hallucination.reading import judged_models
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.making import same_model
from lvlmbench.suites.suite import suite_of

_SUMS = ("true_claims", "wrong_claims", "false_denials", "unverifiable", "unsure")


@dataclass(frozen=True)
class Judged:
    """The free answers of a model in a scenario, as a judge sees them.

    Attributes
    ----------
    answers, judged
        How many there are, and how many of them were judged.
    others
        What came of the others, with how many, most frequent first.
    sums
        Counts by the columns of ``judgements``.
    """

    judge: str
    model: str
    scenario: str
    answers: int
    judged: int
    others: list[tuple[str, int]]
    sums: dict[str, int]

    @property
    def claims(self) -> int:
        """Claims that count."""
        return self.sums["true_claims"] + self.sums["wrong_claims"]


def build(snapshot: Snapshot) -> list[Judged]:
    """Return what each judge says of each model in each scenario that has free answers.

    Of dialogue, claims are read of those that describe alone: others are compared.
    """
    params = snapshot.params
    tasks = suite_of(params).dialogue(params)
    compared_alone = pa.array([name for name, t in tasks.items() if not t.rated], pa.string())
    found = []
    for judge in params.judge.judges:
        for scenario in params.scenarios.names:
            for model in judged_models(snapshot, judge.name, scenario):
                names = {"judge": judge.name, "model": model, "scenario": scenario}
                columns = ["subtask", "status", *_SUMS]
                rows = snapshot.read(tables.JUDGEMENTS, columns, **names)
                rows = rows.filter(pc.invert(pc.is_in(rows["subtask"], value_set=compared_alone)))
                if len(rows):
                    found.append(_judged(rows, names))
    return found


def _judged(rows: pa.Table, names: dict[str, str]) -> Judged:
    good = rows.filter(pc.equal(rows["status"], "judged"))
    statuses = Counter(rows["status"].to_pylist())
    del statuses["judged"]
    return Judged(
        **names,
        answers=len(rows),
        judged=len(good),
        others=statuses.most_common(),
        sums={name: pc.sum(good[name]).as_py() or 0 for name in _SUMS},
    )


def own(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return the judges that are also judged, each with the models that it is itself, by the
    parameters or by what servers say has answered."""
    params, found = snapshot.params, dict[str, list[str]]()
    served = {m.name: _served(snapshot, tables.ANSWERS, model=m.name) for m in params.answer.models}
    for judge in params.judge.judges:
        for model in params.answer.models if judge.models else ():
            names = {"judge": judge.name, "model": model.name}
            said = _served(snapshot, tables.REQUESTS, **names), served[model.name]
            if any(same_model(each, model, said) for each in judge.models.values()):
                found.setdefault(judge.name, []).append(model.name)
    return found


def _served(snapshot: Snapshot, table: tables.Table, **names: str) -> set[str]:
    """What servers say has answered, in all scenarios."""
    found: set[str] = set()
    for scenario in snapshot.params.scenarios.names:
        if snapshot.folder(table, scenario=scenario, **names).exists():
            rows = snapshot.read(table, ["served_model"], scenario=scenario, **names)
            found |= {name for name in rows["served_model"].unique().to_pylist() if name}
    return found
