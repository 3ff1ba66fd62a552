"""Whether models are good enough for a question that they all miss to be a bad one.

Questions of one subtask and type are judged together. Let e_m be the rate at which voter m errs in
good questions. It is measured where another voter is right, so that bad questions, which nobody
gets right by knowing, hardly count: (wrong + 1/2) / (n + 1).

Voters err together more often than by chance, as a question is hard for all of them. How much
shows in the options they choose: voters whom a hard question throws scatter over the wrong options,
voters who see a wrong key meet on one. Of k options (k - 2) / (k - 1) of such pairs differ, so the
pairs that differ tell how many good questions two voters miss together; q, the dependence of a
subtask, is what makes the formula below give as many. Where no question of it has three options, q
is that of all subtasks.

The rate at which t voters miss a good question, the best first, is the product over i = 0 ... t - 1
of (e_i + i q) / (1 + i q), the beta-binomial law (Williams, Biometrics 31, 1975); where fewer than
all are enough, the sum of it over all choices of t of them. If G is that rate and D of n questions
are missed, 1 - n G / D is the share of bad ones to be expected among them. Lures that all voters
fall for alike are not seen by it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from lvlmbench.stats.estimate import wilson

DECIMALS = 6
#: A voter is far better than guessing when the lower end of its skill is at least this.
FAR = 0.5
#: So many voters of a group must be.
FEWEST_GOOD = 2

#: Subtask and question type.
Group: TypeAlias = tuple[str, str]
#: What a vote may be: right; wrong or none of the options; or no evidence.
RIGHT, AGAINST, SILENT = "right", "against", "silent"


class Vote(NamedTuple):
    """What a voter says of a question; of one against it the option, if it chose one."""

    way: str
    option: int | None = None


class Ballot(NamedTuple):
    """A question: its group, the accuracy of guessing (None where unknown), a vote a voter."""

    group: Group
    chance: float | None
    votes: list[Vote]

    def against(self, *places: int) -> bool:
        """Return whether these voters are all against it."""
        return all(self.votes[at].way == AGAINST for at in places)

    def another_right(self, *places: int) -> bool:
        """Return whether a voter beside these is right."""
        return any(v.way == RIGHT for at, v in enumerate(self.votes) if at not in places)


@dataclass(frozen=True)
class Voters:
    """What is known of the voters in a group of questions.

    Attributes
    ----------
    above_guessing
        The lower end of each voter's skill: (accuracy - chance) / (1 - chance).
    expected_bad
        Share of bad questions to be expected among those that they miss.
    """

    above_guessing: tuple[float, ...]
    expected_bad: float

    def reliable(self, precision: float) -> bool:
        """Return whether what they miss may be dropped."""
        good = sum(each >= FAR for each in self.above_guessing)
        return good >= FEWEST_GOOD and self.expected_bad >= precision


def reliability(ballots: Sequence[Ballot], voters: int, enough: int) -> dict[Group, Voters]:
    """Return what is known of each group's voters; ``enough`` against a question miss it."""
    groups: dict[Group, list[Ballot]] = defaultdict(list)
    subtasks: dict[str, list[list[Ballot]]] = defaultdict(list)
    for ballot in ballots:
        if ballot.group not in groups:
            subtasks[ballot.group[0]].append(groups[ballot.group])
        groups[ballot.group].append(ballot)
    overall = _dependence([*groups.values()], voters)
    found: dict[Group, Voters] = {}
    for subtask, kinds in subtasks.items():
        telling = any(_wrong_options(ballot) > 1 for some in kinds for ballot in some)
        dependence = _dependence(kinds, voters) if telling else overall
        for group in (group for group in groups if group[0] == subtask):
            some = groups[group]
            above = tuple(_skill(some, at) for at in range(voters))
            found[group] = Voters(above, _expected_bad(some, voters, enough, dependence))
    return found


def _skill(ballots: Sequence[Ballot], at: int) -> float:
    """The lower end of a voter's skill; 0 where it said nothing."""
    ways = [(b.votes[at].way, b.chance) for b in ballots if b.votes[at].way != SILENT]
    if not ways:
        return 0.0
    # What guessing gets is not told of questions of old: half is the most that is usual.
    chance = math.fsum(0.5 if c is None else c for _, c in ways) / len(ways)
    low, _ = wilson(sum(way == RIGHT for way, _ in ways) / len(ways), len(ways))
    return round((low - chance) / (1 - chance), DECIMALS) if chance < 1 else 0.0


def _errors(ballots: Sequence[Ballot], at: int) -> tuple[int, int]:
    """How often a voter is wrong where another one is right, and of how many."""
    ways = [b.votes[at].way for b in ballots if b.another_right(at)]
    return ways.count(AGAINST), ways.count(AGAINST) + ways.count(RIGHT)


def _wrong_options(ballot: Ballot) -> float:
    """How many wrong options there are; 0 where that is not known."""
    return 1 / ballot.chance - 1 if ballot.chance else 0.0


def _dependence(kinds: Sequence[Sequence[Ballot]], voters: int) -> float:
    """How much voters err together in good questions: q, infinite where that cannot be said."""
    seen = alone = bound = 0.0
    for ballots in kinds:
        errors = [_errors(ballots, at) for at in range(voters)]
        rates = [wrong / n if n else 0.0 for wrong, n in errors]
        looked_at = [ballot for ballot in ballots if _wrong_options(ballot) > 1]
        for a, b in combinations(range(voters), 2):
            seen += math.fsum(_scattered(ballot, a, b) for ballot in looked_at)
            alone += len(looked_at) * rates[a] * rates[b]
            bound += len(looked_at) * min(rates[a], rates[b])
    if seen <= alone:
        return 0.0
    return (seen - alone) / (bound - seen) if bound > seen else math.inf


def _scattered(ballot: Ballot, a: int, b: int) -> float:
    """Count a question that two voters miss by different options, for those of one option too."""
    one, other = ballot.votes[a], ballot.votes[b]
    if not ballot.against(a, b) or (one.option is not None and one.option == other.option):
        return 0.0
    wrong = _wrong_options(ballot)
    return wrong / (wrong - 1)


def _missed_together(errors: Sequence[float], enough: int, dependence: float) -> float:
    """The rate at which a good question is missed by so many voters, over all choices of these.

    Voters join one by one, the better first: ``found[n]`` is the sum over choices of n of them.
    """
    found = [1.0] + [0.0] * enough
    for error in sorted(errors):
        for n in range(enough, 0, -1):
            joins = (error + (n - 1) * dependence) / (1 + (n - 1) * dependence)
            found[n] += found[n - 1] * joins
    return found[enough]


def _expected_bad(ballots: Sequence[Ballot], voters: int, enough: int, dependence: float) -> float:
    missed = sum(sum(v.way == AGAINST for v in b.votes) >= enough for b in ballots)
    if not missed or math.isinf(dependence):
        return 0.0
    counts = (_errors(ballots, at) for at in range(voters))
    errors = [(wrong + 0.5) / (n + 1) for wrong, n in counts]
    good = _missed_together(errors, enough, dependence)
    return round(max(0.0, 1 - len(ballots) * good / missed), DECIMALS)
