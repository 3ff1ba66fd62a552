"""Rows and columns of the leaderboard, and the order of its models."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from lvlmbench.analysis.labels import inline
from lvlmbench.analysis.ranking import by_name_because, strict_because
from lvlmbench.config.headline import Beside

#: A model under test; one whose answers its owner brought; a reference model; one that
#: guesses; what guessing gets on average.
Kind = Literal["model", "brought", "reference", "guesser", "floor"]
#: In which order they stand; those of one rank are ordered by their headlines.
RANKS: dict[Kind, int] = {"model": 0, "brought": 0, "reference": 1, "guesser": 2, "floor": 3}


@dataclass(frozen=True)
class Value:
    """A metric with its 95 % interval; percent except SQ and SC (squared percentage points).

    ``n`` counts the answers it rests on and ``n_unscored`` those left out, of which ``n_refused``
    are refusals, ``n_truncated`` were cut off and ``n_failed`` are failed requests, None where
    nobody counted; ``n_scenes`` the scenes it rests on. ``low`` and ``high`` are None where the
    interval is unknown.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    n_unscored: int
    n_refused: int | None = None
    n_truncated: int | None = None
    n_failed: int | None = None
    n_scenes: int | None = None

    @property
    def asked(self) -> int:
        """Answers that went in, scored or not."""
        return self.n + self.n_unscored


@dataclass(frozen=True)
class Column:
    """A number beside the headline: of the part ``name``, where it has one for each of several."""

    of: Beside
    name: str = ""

    @property
    def label(self) -> str:
        """What it is, for readers."""
        return f"{self.of.label}, {inline(self.name)}" if self.name else self.of.label

    @property
    def title(self) -> str:
        """The label as it heads a column."""
        return self.label[:1].upper() + self.label[1:]


@dataclass(frozen=True)
class Row:
    """One model in one scenario; of the kind ``floor``, whose ``model`` is empty or says how it is
    answered, what guesses and constant answers get.

    ``strict`` is the headline with unscored answers taken for wrong ones, ``above`` by how much the
    score of a closed question type is above that of guessing, ``beside`` the numbers beside the
    headline, by :attr:`Leaderboard.columns`, ``note`` what is to be said beside it, and ``judged``
    whether a judge gives it.
    """

    model: str
    scenario: str
    kind: Kind
    headline: Value | None
    by_type: dict[str, Value | None]
    above: dict[str, Value | None]
    strict: Value | None
    beside: dict[Column, Value | None] = field(default_factory=dict)
    note: str = ""
    judged: bool = False

    @property
    def place(self) -> float:
        """The headline, less than any number where there is none: those stand last."""
        found = None if self.headline is None else self.headline.value
        return -math.inf if found is None else found

    @property
    def asked(self) -> bool:
        """Whether there is anything to show."""
        found = (self.headline, self.strict, *self.by_type.values())
        return any(value is not None for value in found)


@dataclass(frozen=True)
class Series:
    """Values of one model over groups, e.g. subtasks."""

    model: str
    values: dict[str, Value]


@dataclass(frozen=True)
class Panel:
    """One question type over groups: what a chart shows and its table lists."""

    question_type: str
    metric: str
    groups: list[str]
    chance: dict[str, float]
    series: list[Series]


def finite(value: float | None) -> float | None:
    """The number; None where there is none or it is not finite."""
    return value if value is not None and math.isfinite(value) else None


def placed(row: Row) -> bool:
    """Whether a headline gives the model a place in the ranking."""
    return row.place > -math.inf


def by_strict(rows: Iterable[Row]) -> dict[int, str]:
    """Why those of a rank are ordered by their strict scores, or by name where judges score, by
    :data:`RANKS`; no entry of those that are ordered by their headlines."""
    rows = list(rows)
    answers: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in rows:
        if row.headline is not None:
            answers[RANKS[row.kind]][row.model] = row.headline.n, row.headline.asked
    judged = any(row.judged for row in rows)
    because = by_name_because if judged else strict_because
    return {rank: why for rank, each in answers.items() if (why := because(each))}


def order(rows: Iterable[Row]) -> list[Row]:
    """Models by rank, those of one rank best first: by their headlines, or by their strict ones
    where the shares of answers that were scored are too far apart (:func:`by_strict`)."""
    rows = list(rows)
    strict = by_strict(rows)

    def worth(row: Row) -> float:
        if RANKS[row.kind] not in strict:
            return row.place
        if row.judged:
            return 0.0
        return -math.inf if row.strict is None or row.strict.value is None else row.strict.value

    return sorted(rows, key=lambda row: (RANKS[row.kind], -worth(row), row.model))
