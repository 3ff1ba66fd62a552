"""What free answers make up and leave out: the numbers of the table ``hallucination`` by name, and
how other scenarios differ from clean on the same scenes (docs/valor.md)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import CellSums, Pool, Row
from lvlmbench.stats.ratios import Sums

#: In place of one judge, subtask or stratum.
ALL = "all"
#: Columns of ``judgements`` whose sums make a share, by measure: what is over, what is under.
_SHARES = {
    "faithfulness": (("true_claims",), ("true_claims", "wrong_claims")),
    "coverage": (("covered",), ("owed",)),
}
_KEY = ("judge", "model", "scenario", "subtask", "stratum", "measure")
#: Scene -> what its answer adds to a share.
ByScene: TypeAlias = Mapping[str, Sums]


@dataclass(frozen=True)
class Number:
    """A number with its 95 % interval, clustered by scene; in percent, but for counts and
    correlations.

    Attributes
    ----------
    n
        Claims, features, answers or scenes that it rests on.
    answers, unjudged
        Answers that were asked for, and how many of them were not judged.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    answers: int = 0
    unjudged: int = 0


class Hallucination:
    """The numbers of a snapshot.

    Attributes
    ----------
    judges, models, scenarios
        Names in the order of the parameters, of those that have numbers. What needs no judge has
        :data:`ALL` in its place, which is none of them.
    subtasks
        In the order in which the table has them.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot, params = snapshot, snapshot.params
        rows = _rows(snapshot)
        self._numbers = {tuple(row[name] for name in _KEY): number_of(row) for row in rows}

        def in_order(column: str, names: Iterable[str]) -> list[str]:
            found = dict.fromkeys(row[column] for row in rows)
            known = dict.fromkeys(names)
            return [name for name in {**known, **found} if name in found]

        judges = in_order("judge", (judge.name for judge in params.judge.judges))
        self.judges = [name for name in judges if name != ALL]
        self.models = in_order("model", (model.name for model in params.answer.models))
        self.scenarios = in_order("scenario", params.scenarios.names)
        self.subtasks = [name for name in in_order("subtask", ()) if name != ALL]

    def __bool__(self) -> bool:
        """Return whether there is any number."""
        return bool(self._numbers)

    def number(
        self,
        judge: str,
        model: str,
        scenario: str,
        measure: str,
        subtask: str = ALL,
        stratum: str = ALL,
    ) -> Number | None:
        """Return a number; None where there is none."""
        return self._numbers.get((judge, model, scenario, subtask, stratum, measure))

    def strata(self, judge: str, scenario: str, measure: str, subtask: str = ALL) -> list[str]:
        """Return the strata of a measure, in the order of the table."""
        wanted = (judge, scenario, subtask, measure)
        found = (
            stratum
            for j, _, s, about, stratum, name in self._numbers
            if (j, s, about, name) == wanted
        )
        return list(dict.fromkeys(found))

    def change(self, judge: str, model: str, scenario: str, measure: str) -> Number | None:
        """Return by how many points ``faithfulness`` or ``coverage`` differs from the first
        scenario, over scenes judged in both: the unweighted mean over subtasks of the difference,
        its interval clustered by scene; None where no scene was, or where one of the subtasks has
        no number."""
        first = self._by_subtask[judge, model, self._snapshot.first_scenario, measure]
        other = self._by_subtask[judge, model, scenario, measure]
        shared = [_both(first[name], other[name]) for name in first if name in other]
        rows = [
            self._row(scene, 2 * subtask + side, sums)
            for subtask, sides in enumerate(shared)
            for side in (0, 1)
            for scene, sums in sides[side].items()
        ]
        pool = Pool(CellSums.named(rows, [0, 1] * len(shared)))
        if not shared or not pool.n.all():
            return None
        weights = np.array([-1.0, 1.0] * len(shared)) / len(shared)
        value = math.fsum((weights * pool.mean).tolist())
        moved = pool.influence(weights, pool.clusters).tolist()
        n = len({scene for one, _ in shared for scene in one})
        return Number(*_percent(Estimate.from_influence(value, moved, n).within(-1.0, 1.0)), n)

    def _row(self, scene: str, cell: int, sums: Sums) -> Row:
        cluster = self._snapshot.clusters.get(scene, scene)
        return Row(scene, cell, cluster, sums.under, sums.over, sums.over)

    @cached_property
    def arms(self) -> dict[str, str]:
        """Scene -> its arm, of suites that design scenes (table ``designs``)."""
        folder = self._snapshot.folder(tables.DESIGNS)
        found = tables.read(folder, tables.DESIGNS, ["scene_id", "arm"])
        return dict(zip(*(found[name].to_pylist() for name in found.column_names), strict=True))

    def of_arm(self, judge: str, model: str, arm: str, measure: str) -> Number | None:
        """Return ``faithfulness`` or ``coverage`` in the first scenario over the scenes of an arm,
        in percent, without a value where nothing counts in them; None where none was asked about
        (VALOR-Eval, table 5)."""
        subtasks = self._by_subtask[judge, model, self._snapshot.first_scenario, measure]
        scenes = {
            scene: sums
            for of in subtasks.values()
            for scene, sums in of.items()
            if self.arms.get(scene) == arm
        }
        n = int(sum(sums.under for sums in scenes.values()))
        asked = self._asked[judge, model].items()
        mine = [counts for scene, counts in asked if self.arms.get(scene) == arm]
        answers, unjudged = (sum(counts[i] for counts in mine) for i in (0, 1))
        if not answers:
            return None
        rows = [self._row(scene, 0, sums) for scene, sums in scenes.items()]
        found = Pool(CellSums.named(rows, [0])).mean_of(np.ones(1))
        if found is None:
            return Number(None, None, None, n, answers, unjudged)
        return Number(*_percent(found), n, answers, unjudged)

    @cached_property
    def _asked(self) -> dict[tuple[str, str], dict[str, list[int]]]:
        """Judge and model -> scene -> answers in the first scenario, and how many are unjudged."""
        found: dict[tuple[str, str], dict[str, list[int]]] = {}
        for judge in self.judges:
            for model in self.models:
                names = {"judge": judge, "model": model, "scenario": self._snapshot.first_scenario}
                rows = self._snapshot.read(tables.JUDGEMENTS, ("scene_id", "status"), **names)
                scenes = found.setdefault((judge, model), defaultdict(lambda: [0, 0]))
                for row in rows.to_pylist():
                    scenes[row["scene_id"]][0] += 1
                    scenes[row["scene_id"]][1] += row["status"] != "judged"
        return found

    @cached_property
    def _by_subtask(self) -> dict[tuple[str, str, str, str], dict[str, ByScene]]:
        found: dict[tuple[str, str, str, str], dict[str, ByScene]] = defaultdict(dict)
        for judge in self.judges:
            for model in self.models:
                for scenario in self.scenarios:
                    for measure, sums in self._sums(judge, model, scenario).items():
                        found[judge, model, scenario, measure] = sums
        return found

    def _sums(self, judge: str, model: str, scenario: str) -> dict[str, dict[str, ByScene]]:
        """Measure -> subtask -> scene -> sums of its judged answers."""
        names = {"judge": judge, "model": model, "scenario": scenario}
        columns = dict.fromkeys(c for share in _SHARES.values() for side in share for c in side)
        table = tables.read(
            self._snapshot.folder(tables.JUDGEMENTS, **names),
            tables.JUDGEMENTS,
            ["scene_id", "subtask", "status", *columns],
        )
        rows = table.filter(pc.equal(table["status"], "judged")).to_pylist()
        out: dict[str, dict[str, ByScene]] = {}
        for measure, sides in _SHARES.items():
            of: dict[str, dict[str, Sums]] = defaultdict(dict)
            for row in rows:
                over, under = (float(sum(row[name] for name in side)) for side in sides)
                before = of[row["subtask"]].get(row["scene_id"], Sums(0.0, 0.0))
                of[row["subtask"]][row["scene_id"]] = Sums(before.over + over, before.under + under)
            out[measure] = dict(of)
        return out


def _rows(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The table; no rows where nobody has counted."""
    path = snapshot.folder(tables.HALLUCINATION)
    found = tables.read([path] if path.is_file() else [], tables.HALLUCINATION)
    return list(found.to_pylist())


def _both(first: ByScene, other: ByScene) -> tuple[ByScene, ByScene]:
    """What is added up in two scenarios of the scenes that are in both."""
    scenes = [scene for scene in first if scene in other]
    return {scene: first[scene] for scene in scenes}, {scene: other[scene] for scene in scenes}


def _percent(found: Estimate) -> tuple[float, float | None, float | None]:
    low, high = (None if end is None else 100 * end for end in (found.low, found.high))
    return 100 * found.value, low, high


def number_of(row: Mapping[str, Any]) -> Number:
    """Return the number of a row; what is not finite is none."""
    value, low, high = (_finite(row[name]) for name in ("value", "low", "high"))
    n, answers, unjudged = (row[name] or 0 for name in ("n", "answers", "unjudged"))
    return Number(value, low, high, n, answers, unjudged)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
