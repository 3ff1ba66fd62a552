"""How much a model's score hangs on the question type (SQ) and the style (SC), beside noise."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow.compute as pc

from lvlmbench.analysis.leaderboard import Kind, Leaderboard, Value
from lvlmbench.snapshot.reader import Snapshot

#: p at which a difference between styles is called one.
LEVEL = 0.05
#: Base scenes, or answers, below which a reader is told that they are few.
ENOUGH = 20


@dataclass(frozen=True)
class Spread:
    """SQ or SC of one model, in squared percentage points.

    ``value`` counts the noise of sampling, its interval does not: that is about the true spread.
    ``noise`` is how much of ``value`` sampling adds on average; None where that is not known.
    """

    value: Value | None
    noise: float | None

    @property
    def corrected(self) -> float | None:
        """The value less the noise, not below 0; None where one of them is not known."""
        if self.value is None or self.value.value is None or self.noise is None:
            return None
        return max(self.value.value - self.noise, 0.0)

    @property
    def above(self) -> bool | None:
        """Whether there is a spread beside that of sampling: whether the interval of the true one,
        in which no noise is left, stays above 0; None where there is no interval, or so few answers
        that those to one type may all be alike by chance."""
        if self.value is None or self.value.low is None or self.value.n < ENOUGH:
            return None
        return self.value.low > 0

    @property
    def words(self) -> str:
        """The same for readers; nothing where there is no value, as without such questions."""
        if self.value is None or self.value.value is None:
            return ""
        few = "too few to tell" if self.value.n < ENOUGH else "not known"
        return {None: few, True: "differs", False: "may all be noise"}[self.above]


@dataclass(frozen=True)
class Line:
    """One model."""

    model: str
    kind: Kind
    sq: Spread
    sc: Spread


@dataclass(frozen=True)
class Within:
    """SC of one model within scenes: the same questions about the same scene in several styles.

    ``value`` and ``noise`` are in squared points; ``p`` and the counts are None or 0 where nothing
    could be compared.
    """

    model: str
    kind: Kind
    value: float | None
    noise: float | None
    corrected: Value | None
    p: float | None
    styles: int
    questions: int
    scenes: int

    @property
    def words(self) -> str:
        """Whether there is an effect of style, for readers."""
        if self.p is None:
            return "too few to tell"
        return "differs" if self.p <= LEVEL else "may all be noise"

    @property
    def small(self) -> bool:
        """Whether so few base scenes are compared that a style must matter much to be seen."""
        return self.scenes < ENOUGH


@dataclass(frozen=True)
class Pictures:
    """How many pictures there are for it: planned, drawn, and what each filter took of these.

    ``removed`` counts a picture once, at the first filter that rejects it.
    """

    planned: int
    drawn: int
    removed: list[tuple[str, int]]
    scenes: int

    @property
    def shown(self) -> int:
        """Pictures that were asked about."""
        return self.drawn - sum(n for _, n in self.removed)


@dataclass(frozen=True)
class Sensitivity:
    """Lines in the order of the leaderboard; ``top`` is the end of the scale of the bars.

    ``fewest`` and ``most`` are a subtask and the number of styles that its scenes were asked about
    in; None without scenes. ``within`` are lines of models about scenes that are shown again in
    other styles, where there are such ``pictures``.
    """

    lines: list[Line]
    top: dict[str, float]
    fewest: tuple[str, int] | None = None
    most: tuple[str, int] | None = None
    within: list[Within] = field(default_factory=list)
    pictures: Pictures | None = None

    @property
    def uneven(self) -> bool:
        """Whether one subtask was asked about in more styles than another."""
        return self.fewest is not None and self.most is not None and self.fewest[1] < self.most[1]

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
    """Subtasks with how many styles were met in their scenes, fewest first; over the questions that
    ``statistics.questions`` counts, as SC is."""
    asked = pc.unique(snapshot.counted(snapshot.asked[scenario])["scene_id"])
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
    within = _within(leaderboard, snapshot.again_in)
    pictures = _pictures(snapshot) if within else None
    met = _styles(snapshot, scenario) if scenario in snapshot.asked else []
    fewest, most = (met[0], met[-1]) if met else (None, None)
    return Sensitivity(lines, top, fewest, most, within, pictures)


def _within(leaderboard: Leaderboard, scenario: str | None) -> list[Within]:
    """A line for each model that was asked about scenes shown again."""
    lines = []
    for model in leaderboard.models if scenario is not None else ():
        found = {
            name: leaderboard.value(model, scenario or "", f"sc_paired{name}")
            for name in ("", "_noise", "_corrected", "_p", "_styles", "_questions", "_scenes")
        }
        if found["_styles"] is None:
            continue
        plain = {name: None if each is None else each.value for name, each in found.items()}
        corrected = found["_corrected"]
        known = corrected is not None and corrected.value is not None
        styles, questions, scenes = (
            int(plain[f"_{name}"] or 0) for name in ("styles", "questions", "scenes")
        )
        kind, kept = leaderboard.kind(model), corrected if known else None
        value, noise, p = plain[""], plain["_noise"], plain["_p"]
        lines.append(Within(model, kind, value, noise, kept, p, styles, questions, scenes))
    return lines


def _pictures(snapshot: Snapshot) -> Pictures:
    """What became of the pictures of scenes shown again."""
    again = snapshot.again
    left = again["scene_id"].combine_chunks()
    counts = []
    for verdicts in snapshot.verdicts.values():
        kept = verdicts.filter(verdicts["keep"])["scene_id"]
        rest = left.filter(pc.is_in(left, value_set=pc.unique(kept)))
        counts.append(len(left) - len(rest))
        left = rest
    removed = list(zip(snapshot.params.filter.names, counts[1:], strict=True))
    shown = again.filter(pc.is_in(again["scene_id"], value_set=left))
    scenes = pc.count_distinct(shown["base"]).as_py()
    return Pictures(len(again), len(again) - counts[0], removed, scenes)


def _ends(value: Value | None) -> tuple[float | None, float | None]:
    return (None, None) if value is None else (value.value, value.high)
