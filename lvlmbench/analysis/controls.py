"""Scenarios in which what is asked cannot be seen, held against chance."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.tables import OFFERING

#: Question types whose answers can be guessed.
CLOSED = OFFERING


@dataclass(frozen=True)
class Guess:
    """Accuracy of one question type in a control: ``above`` is the accuracy less ``chance``."""

    score: Value | None
    chance: Value | None
    above: Value | None

    @property
    def like_guessing(self) -> bool | None:
        """Whether chance lies within the interval; None where nothing was scored."""
        if self.above is None or self.above.low is None or self.above.high is None:
            return None
        return self.above.low <= 0 <= self.above.high


@dataclass(frozen=True)
class Control:
    """One model in one control, by question type."""

    model: str
    kind: Kind
    guesses: dict[str, Guess]


def controls(leaderboard: Leaderboard, scenario: str) -> list[Control]:
    """Every model in one control; none where it has no closed questions."""
    out = []
    for model in leaderboard.models:
        guesses = {}
        for kind in CLOSED:
            found = [
                leaderboard.value(model, scenario, metric, kind)
                for metric in ("score", "chance", "above_chance")
            ]
            if found[0] is not None:
                guesses[kind] = Guess(*found)
        if guesses:
            out.append(Control(model, leaderboard.kind(model), guesses))
    return out
