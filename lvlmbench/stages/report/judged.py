"""What judges say of the models' free answers, with how much of it could not be said."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.making import same_model
from lvlmbench.stages.judge.pairs import Rounds
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, ratio, share
from lvlmbench.suites.suite import suite_of

_SCORES = ["scene_id", "as_first", "reference_second", "as_second", "reference_first"]
_SUMS = ("true_claims", "wrong_claims", "covered", "owed", "false_denials", "unverifiable")


@dataclass(frozen=True)
class Pairs:
    """A model's answers beside the reference answers, each pair in both orders.

    Attributes
    ----------
    wins
        Share of the pairs in which the model's answer has more points over both orders; None
        where none was scored.
    bias
        How many points whoever stands first has more, on average.
    scored, unscored
        Pairs in which both orders were judged, and the others.
    """

    wins: Estimate | None
    bias: Estimate | None
    scored: int
    unscored: int


@dataclass(frozen=True)
class Judged:
    """The free answers of a model in a scenario, as a judge sees them.

    Attributes
    ----------
    answers, judged
        How many there are, and how many of them were judged.
    others
        What came of the others, with how many, most frequent first.
    faithfulness, coverage
        Over all claims and all owed features (micro); None where there are none.
    sums
        Counts by the columns of ``judgements``.
    pairs
        Its answers beside the references; None where nobody compared them.
    """

    judge: str
    model: str
    scenario: str
    answers: int
    judged: int
    others: list[tuple[str, int]]
    faithfulness: Estimate | None
    coverage: Estimate | None
    sums: dict[str, int]
    pairs: Pairs | None = None

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
            for model in params.answer.models:
                names = {"judge": judge.name, "model": model.name, "scenario": scenario}
                columns = ["scene_id", "subtask", "status", *_SUMS]
                rows = snapshot.read(tables.JUDGEMENTS, columns, **names)
                rows = rows.filter(pc.invert(pc.is_in(rows["subtask"], value_set=compared_alone)))
                if len(rows):
                    compared = snapshot.read(tables.PAIRWISE, _SCORES, **names)
                    found.append(_judged(rows, names, _pairs(compared)))
    return found


def _pairs(rows: pa.Table) -> Pairs | None:
    """What came of the pairs, by scene."""
    wins: dict[str, list[bool]] = defaultdict(list)
    bias: dict[str, list[float]] = defaultdict(list)
    unscored = 0
    for scene, *scores in zip(*(rows[name].to_pylist() for name in _SCORES), strict=True):
        given, swapped = (scores[0], scores[1]), (scores[2], scores[3])
        rounds = Rounds("judged", None, *((given, swapped) if None not in scores else ()))
        if rounds.margin is None or rounds.bias is None:
            unscored += 1
            continue
        wins[scene].append(rounds.margin > 0)
        bias[scene].append(rounds.bias)
    if not len(rows):
        return None
    return Pairs(
        share((sum(each), len(each)) for each in wins.values()),
        ratio([Sums(math.fsum(each), float(len(each))) for each in bias.values()]),
        len(rows) - unscored,
        unscored,
    )


def _judged(rows: pa.Table, names: dict[str, str], pairs: Pairs | None) -> Judged:
    good = rows.filter(pc.equal(rows["status"], "judged"))
    statuses = Counter(rows["status"].to_pylist())
    del statuses["judged"]
    by_scene = good.group_by("scene_id").aggregate([(name, "sum") for name in _SUMS])
    sums = {name: by_scene[f"{name}_sum"].to_pylist() for name in _SUMS}
    true, wrong = sums["true_claims"], sums["wrong_claims"]
    return Judged(
        **names,
        answers=len(rows),
        judged=len(good),
        others=statuses.most_common(),
        faithfulness=share((yes, yes + no) for yes, no in zip(true, wrong, strict=True)),
        coverage=share(zip(sums["covered"], sums["owed"], strict=True)),
        sums={name: sum(values) for name, values in sums.items()},
        pairs=pairs,
    )


def own(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return the judges that are also judged, each with the models that it is itself, by the
    parameters or by what servers say has answered."""
    params, found = snapshot.params, dict[str, list[str]]()
    served = {m.name: _served(snapshot, tables.ANSWERS, model=m.name) for m in params.answer.models}
    for judge in params.judge.judges:
        for model in params.answer.models if judge.model is not None else ():
            names = {"judge": judge.name, "model": model.name}
            said = _served(snapshot, tables.REQUESTS, **names), served[model.name]
            if judge.model is not None and same_model(judge.model, model, said):
                found.setdefault(judge.name, []).append(model.name)
    return found


def _served(snapshot: Snapshot, table: tables.Table, **names: str) -> set[str]:
    """What servers say has answered, in all scenarios."""
    found: set[str] = set()
    for scenario in snapshot.params.scenarios.names:
        rows = snapshot.read(table, ["served_model"], scenario=scenario, **names)
        found |= {name for name in rows["served_model"].unique().to_pylist() if name}
    return found
