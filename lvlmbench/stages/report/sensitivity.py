"""How much a model's score hangs on the question type (SQ) and on the style within scenes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow.compute as pc

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.snapshot.reader import Snapshot

#: p at which a difference between styles is called one.
LEVEL = 0.05
#: Base scenes, or answers, below which a reader is told that they are few.
ENOUGH = 20


@dataclass(frozen=True)
class Spread:
    """SQ of one model, in squared percentage points.

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
        return few if self.above is None else self.in_points

    @property
    def in_points(self) -> str:
        """How far the two scores stand apart, in points."""
        if self.value is None or self.value.low is None or self.value.high is None:
            return "not known"
        # The variance of two numbers is the square of half of what they differ by.
        least, most = (2 * end**0.5 for end in (self.value.low, self.value.high))
        if not self.above:
            return f"no difference shown: they differ by at most {most:.1f} points"
        return f"they differ by {least:.1f} to {most:.1f} points"


@dataclass(frozen=True)
class Line:
    """One model."""

    model: str
    kind: Kind
    sq: Spread


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
        """How far styles stand apart, in points, as a standard deviation over styles."""
        ends = None if self.corrected is None else (self.corrected.low, self.corrected.high)
        if self.p is None or ends is None:
            return "how much styles differ cannot be measured at this size"
        if ends[0] is None or ends[1] is None:
            return f"no answer to {self.questions:,} questions differs between styles"
        least, most = (end**0.5 for end in ends if end is not None)
        if self.p > LEVEL:
            return f"styles differ by at most {most:.1f} points"
        return f"styles differ by {least:.1f} to {most:.1f} points"

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

    ``within`` are lines of models about scenes that are shown again in other styles, where there
    are such ``pictures``.
    """

    lines: list[Line]
    top: float
    within: list[Within] = field(default_factory=list)
    pictures: Pictures | None = None

    def position(self, value: float | None) -> float:
        """Where a value stands on the scale of the bars, in percent; they go by its root, as
        squared points would let one model hide all others."""
        return 100 * (max(value or 0.0, 0.0) / self.top) ** 0.5 if self.top else 0.0


def build(snapshot: Snapshot, leaderboard: Leaderboard, scenario: str) -> Sensitivity:
    """SQ of every model that was asked in the scenario in both ways, and styles within scenes."""
    lines = []
    for row in leaderboard.ranked().get(scenario, []):
        value = leaderboard.value(row.model, scenario, "sq")
        if value is not None and value.value is not None:
            noise = leaderboard.value(row.model, scenario, "sq_noise")
            lines.append(Line(row.model, row.kind, Spread(value, noise.value if noise else None)))
    ends = [e for line in lines for e in (line.sq.noise, *_ends(line.sq.value)) if e is not None]
    within = _within(leaderboard, snapshot.again_in)
    pictures = _pictures(snapshot) if within else None
    return Sensitivity(lines, max(ends, default=0.0), within, pictures)


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
