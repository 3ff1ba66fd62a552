"""By which score models are put in order: not by one that leaves more of some than of others."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal, Protocol, TypeVar

#: A model under test; one whose answers its owner brought; a reference model; one that
#: guesses; what guessing gets on average.
Kind = Literal["model", "brought", "reference", "guesser", "floor"]
#: In which order they stand; those of one rank are ordered by their headlines.
RANKS: dict[Kind, int] = {"model": 0, "brought": 0, "reference": 1, "guesser": 2, "floor": 3}


class Counted(Protocol):
    """A number with the answers that it rests on."""

    @property
    def value(self) -> float | None:
        """Return the number."""

    @property
    def n(self) -> int:
        """Return the answers that it rests on."""

    @property
    def asked(self) -> int:
        """Return all answers that were asked for."""


class Placeable(Protocol):
    """A row of a leaderboard, of which only what puts it in order is looked at."""

    @property
    def model(self) -> str:
        """Return the model's name."""

    @property
    def kind(self) -> Kind:
        """Return what the model is."""

    @property
    def headline(self) -> Counted | None:
        """Return the headline."""

    @property
    def strict(self) -> Counted | None:
        """Return the headline with answers without a score taken for wrong ones."""

    @property
    def place(self) -> float:
        """Return the headline, less than any number where there is none."""

    @property
    def judged(self) -> bool:
        """Return whether a judge gives the headline."""


Row = TypeVar("Row", bound=Placeable)


#: Points by which the shares of scored answers may differ in a ranking by scored answers.
APART = 2.0


def strict_because(answers: Mapping[str, tuple[int, int]]) -> str:
    """Return why models are put in order by the strict score; empty where they need not be.

    A model that answers only what it is sure of is right more often among its scored answers. So
    where the shares that were scored differ, an answer without a score counts as wrong.

    Parameters
    ----------
    answers
        Model -> its answers that were scored, and all that were asked for.
    """
    apart = _apart(answers, "scored")
    if not apart:
        return ""
    return "in the order of strict scores, which count an answer without a score as wrong: " + apart


def by_name_because(answers: Mapping[str, tuple[int, int]]) -> str:
    """Return why models are not put in order, where no strict score can; empty where they may be.

    Parameters
    ----------
    answers
        Model -> its answers that were judged, and all that were asked for.
    """
    apart = _apart(answers, "judged")
    return f"in the order of their names, not of their scores: {apart}" if apart else ""


def _apart(answers: Mapping[str, tuple[int, int]], how: str) -> str:
    """How far the shares of answers that count are apart; empty where that is little."""
    shares = {name: 100 * n / asked for name, (n, asked) in answers.items() if asked}
    if not shares or max(shares.values()) - min(shares.values()) <= APART:
        return ""
    most, least = (pick(shares, key=lambda name: shares[name]) for pick in (max, min))
    return (
        f"of {most} {shares[most]:.1f}% of the answers were {how}, of {least} "
        f"{shares[least]:.1f}%, which is more than {APART:.0f} points apart"
    )


def placed(row: Placeable) -> bool:
    """Whether a headline gives the model a place in the ranking."""
    return row.place > -math.inf


def by_strict(rows: Iterable[Placeable]) -> dict[int, str]:
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
