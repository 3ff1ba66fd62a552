"""How much a model's score hangs on the question type (SQ) and the style (SC), beside noise."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow.compute as pc

from lvlmbench.analysis.leaderboard import Kind, Leaderboard, Value
from lvlmbench.snapshot.reader import Snapshot


@dataclass(frozen=True)
class Spread:
    """SQ or SC of one model, in squared percentage points.

    ``value`` counts the noise of sampling, its interval does not: that is about the true spread.
    ``noise`` is how much of ``value`` sampling adds on average; None where that is not known.
    """

    value: Value | None
    noise: float | None

    @property
    def above(self) -> bool | None:
        """Whether there is a spread beside that of sampling: whether the interval of the true one,
        in which no noise is left, stays above 0; None where there is no interval."""
        if self.value is None or self.value.value is None or self.value.low is None:
            return None
        return self.value.low > 0

    @property
    def words(self) -> str:
        """The same for readers."""
        names = {None: "not known", True: "differs", False: "may all be noise"}
        return names[self.above]


@dataclass(frozen=True)
class Line:
    """One model."""

    model: str
    kind: Kind
    sq: Spread
    sc: Spread


@dataclass(frozen=True)
class Sensitivity:
    """Lines in the order of the leaderboard; ``top`` is the end of the scale of the bars.

    ``fewest`` and ``most`` are a subtask and the number of styles that its scenes were asked about
    in; None without scenes.
    """

    lines: list[Line]
    top: dict[str, float]
    fewest: tuple[str, int] | None = None
    most: tuple[str, int] | None = None

    @property
    def guessing(self) -> Line | None:
        """The model that looks at no image: what it has is no matter of styles."""
        return next((line for line in self.lines if line.kind == "guesser"), None)

    def position(self, metric: str, value: float | None) -> float:
        """Where a value stands on the scale of the bars, in percent; they go by its root, as
        squared points would let one model hide all others."""
        top = self.top[metric]
        return 100 * (max(value or 0.0, 0.0) / top) ** 0.5 if top else 0.0


def _spread(leaderboard: Leaderboard, model: str, scenario: str, metric: str) -> Spread:
    noise = leaderboard.value(model, scenario, f"{metric}_noise")
    return Spread(leaderboard.value(model, scenario, metric), noise.value if noise else None)


def _styles(snapshot: Snapshot, scenario: str) -> list[tuple[str, int]]:
    """Subtasks with how many styles were met in their scenes, fewest first."""
    asked = pc.unique(snapshot.asked[scenario]["scene_id"])
    scenes = snapshot.scenes.select(["scene_id", "subtask", "style"])
    scenes = scenes.filter(pc.is_in(scenes["scene_id"], value_set=asked))
    counts = scenes.group_by("subtask").aggregate([("style", "count_distinct")]).to_pylist()
    found = [(row["subtask"], row["style_count_distinct"]) for row in counts]
    return sorted(found, key=lambda pair: (pair[1], pair[0]))


def build(snapshot: Snapshot, leaderboard: Leaderboard, scenario: str) -> Sensitivity:
    """SQ and SC of every model that was asked in the scenario."""
    lines = [
        Line(
            row.model, row.kind, _spread(leaderboard, row.model, scenario, "sq"),
            _spread(leaderboard, row.model, scenario, "sc"),
        )
        for row in leaderboard.ranked().get(scenario, [])
        if row.kind != "floor"
    ]  # fmt: skip
    top = {}
    for metric in ("sq", "sc"):
        spreads: list[Spread] = [getattr(line, metric) for line in lines]
        ends = [e for s in spreads for e in (s.noise, *_ends(s.value)) if e is not None]
        top[metric] = max(ends, default=0.0)
    met = _styles(snapshot, scenario) if scenario in snapshot.asked else []
    ends_of = (met[0], met[-1]) if met else (None, None)
    return Sensitivity(lines, top, *ends_of)


def _ends(value: Value | None) -> tuple[float | None, float | None]:
    return (None, None) if value is None else (value.value, value.high)
