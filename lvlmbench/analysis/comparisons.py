"""Whether differences are more than chance: models against each other, scenarios against clean.

Every figure here is read from the comparisons table; docs/metrics.md tells how it is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from lvlmbench.analysis.leaderboard import ALL, Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Kind, Row, finite, placed
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import QUESTION_TYPES

#: Corrected p-values below this show a difference.
LEVEL = 0.05
#: What a comparison shows; ``open`` where no difference could be shown, ``none`` where nothing
#: was compared.
Verdict = Literal["better", "worse", "open", "none"]


@dataclass(frozen=True)
class Comparison:
    """Paired answers of a model and of a baseline; ``difference`` in percentage points.

    ``p_holm`` is corrected for the number of comparisons (Holm). What is unknown is None.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    n: int
    n_better: int | None
    n_worse: int | None
    n_unpaired: int | None

    @property
    def verdict(self) -> Verdict:
        """What it shows of the model, held against the baseline."""
        if self.difference is None or self.p_holm is None:
            return "none"
        if self.p_holm >= LEVEL or self.difference == 0:
            return "open"
        return "better" if self.difference > 0 else "worse"

    @property
    def reversed(self) -> Comparison:
        """The same comparison seen from the baseline."""
        return replace(
            self, difference=_minus(self.difference), low=_minus(self.high),
            high=_minus(self.low), n_better=self.n_worse, n_worse=self.n_better,
        )  # fmt: skip


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def probability(p: float | None, named: bool = True) -> str:
    """A p-value, never as a bare zero; ``named`` puts a p before it."""
    if p is None:
        return "\N{EN DASH}"
    digits = 2 if p >= 0.1 else 3
    while p != LEVEL and round(p, digits) == LEVEL:  # never rounded to the level
        digits += 1
    text = "< 0.001" if p < 0.001 else f"{p:.{digits}f}"
    return f"p {text}" if named else text


def _comparison(row: dict[str, Any]) -> Comparison:
    return Comparison(
        finite(row["difference"]), finite(row["low"]), finite(row["high"]),
        finite(row["p"]), finite(row["p_holm"]),
        row["n"] or 0, row["n_better"], row["n_worse"], row["n_unpaired"],
    )  # fmt: skip


class Comparisons:
    """The comparisons of a snapshot by what they compare."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._models: dict[tuple[str, str, str, str], Comparison] = {}
        self._scenarios: dict[tuple[str, str], Comparison] = {}
        for row in snapshot.comparisons.to_pylist():
            model, scenario, kind = row["model"], row["scenario"], row["question_type"]
            if row["family"] == "models":
                self._models[model, row["baseline_model"], scenario, kind] = _comparison(row)
            elif row["family"] == "scenarios" and row["baseline_scenario"] == CLEAN and kind == ALL:
                self._scenarios[model, scenario] = _comparison(row)

    def between(
        self, model: str, baseline: str, scenario: str, question_type: str = ALL
    ) -> Comparison | None:
        """A model against another one, whichever of the two the table calls the baseline."""
        found = self._models.get((model, baseline, scenario, question_type))
        if found is not None:
            return found
        found = self._models.get((baseline, model, scenario, question_type))
        return None if found is None else found.reversed

    def to_clean(self, model: str, scenario: str) -> Comparison | None:
        """A model in a scenario against itself in clean, over all questions."""
        return self._scenarios.get((model, scenario))


@dataclass(frozen=True)
class Pair:
    """A model against one that stands below it: over all questions, and by question type."""

    model: str
    baseline: str
    overall: Comparison
    by_type: dict[str, Comparison | None]


@dataclass(frozen=True)
class Ranked:
    """A model in the order of the leaderboard, with what each other one's comparison shows."""

    model: str
    kind: Kind
    verdicts: list[Verdict | None]


@dataclass(frozen=True)
class Differences:
    """Models against each other in the main scenario.

    ``neighbours`` are those that follow each other in the ranking, and the last of them against
    one that guesses; ``pairs`` are all. ``alone`` are models that were compared with none.
    """

    scenario: str
    ranking: list[Ranked]
    neighbours: list[Pair]
    pairs: list[Pair]
    alone: list[str]

    @cached_property
    def told_apart(self) -> int:
        """Pairs whose difference was shown."""
        return sum(p.overall.verdict in ("better", "worse") for p in self.pairs)


def _neighbours(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Models that follow each other within their kind, and the last of a kind against guessing; so
    are those without a headline, which cannot be compared as a whole."""
    guessers = [r.model for r in rows if r.kind == "guesser"]
    out = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        if after is not None and RANKS[row.kind] == RANKS[after.kind] and placed(after):
            out.append((row.model, after.model))
        elif guessers and row.kind != "guesser":
            out.append((row.model, guessers[0]))
    return out


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Differences | None:
    """The section on the main scenario; None where the table compares no two models in it."""
    scenario, found = snapshot.first_scenario, Comparisons(snapshot)
    rows = [r for r in leaderboard.ranked().get(scenario, []) if r.kind != "floor"]

    def pair(model: str, baseline: str) -> Pair | None:
        overall = found.between(model, baseline, scenario)
        if overall is None:
            return None
        by_type = {t: found.between(model, baseline, scenario, t) for t in QUESTION_TYPES}
        return Pair(model, baseline, overall, by_type)

    names = [r.model for r in rows]
    both = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    pairs = {key: made for key in both if (made := pair(*key))}
    if not pairs:
        return None
    compared = {name for key in pairs for name in key}

    def verdict(model: str, other: str) -> Verdict | None:
        made = found.between(model, other, scenario)
        return None if made is None else made.verdict

    return Differences(
        scenario,
        [
            Ranked(r.model, r.kind, [verdict(r.model, n) for n in names if n in compared])
            for r in rows
            if r.model in compared
        ],
        [pairs[key] for key in _neighbours(rows) if key in pairs],
        list(pairs.values()),
        [name for name in names if name not in compared],
    )
