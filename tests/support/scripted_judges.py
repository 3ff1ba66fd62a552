"""Judges whose errors are known, to examine the exam with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lvlmbench.core.seeding import digest, generator
from lvlmbench.scene.claims import TRUE, WRONG, Claim, Match, Verdict
from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading


def share_of(*parts: object) -> float:
    """A number in [0, 1) that only the parts decide."""
    return int.from_bytes(digest(*parts, size=7), "big") / 2**56


class Oracle:
    """Knows all planted answers by their keys; errs as often as it is told to.

    Attributes
    ----------
    alarms, misses
        Shares of the right claims that it calls wrong, and of the wrong ones that it calls right.
    """

    requests: Sequence[Mapping[str, Any]] = ()

    def __init__(
        self, answers: Iterable[Planted], alarms: float = 0.0, misses: float = 0.0
    ) -> None:
        self.known: dict[str, Planted] = {}
        for each in answers:
            self.known[each.key] = each
            if each.base is not None:
                self.known[each.base.key] = each.base
        self.alarms, self.misses = alarms, misses

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """All that is said."""
        for answer in answers:
            yield answer, Reading("judged", tuple(self.known[answer.key].claims))

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """What is so, but for errors."""
        for answer, claims in answers:
            true = {match.claim: match for match in self.known[answer.key].matches}
            found = tuple(self._erring(answer.key, true[claim.number]) for claim in claims)
            yield answer, Holding("judged", found)

    def _erring(self, key: str, match: Match) -> Match:
        chance = share_of(key.removesuffix("/base"), match.claim)
        verdict: Verdict = match.verdict
        if match.verdict in TRUE and chance < self.alarms:
            verdict = "hallucinated"
        elif match.verdict in WRONG and chance < self.misses:
            verdict = "broader"
        return Match(match.claim, match.feature, verdict, "scripted")

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Nothing that it can judge."""
        for pair in pairs:
            yield pair, Comparison("unjudged", why="an oracle compares nothing")

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Nothing that it can judge."""
        return ((answer, Rating("unjudged")) for answer in answers)


class Reversed(Oracle):
    """An oracle that answers from the end."""

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """All of it, the last first."""
        yield from reversed(list(super().hold(answers)))

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """All of it, the last first."""
        yield from reversed(list(super().read(answers)))


class Favoring:
    """Compares answers by how good they are, adds to whoever stands first, and often fails.

    Parameters
    ----------
    quality
        How good a text is, in points.
    bonus
        Points for the first place.
    fails
        Share of the rounds that fail.
    noise
        Standard deviation of each score, drawn anew in each round.
    """

    requests: Sequence[Mapping[str, Any]] = ()

    def __init__(
        self,
        quality: Callable[[str], float],
        bonus: float = 1.0,
        fails: float = 0.0,
        noise: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.quality, self.bonus, self.fails = quality, bonus, fails
        self.noise, self.seed = noise, seed
        self.failed: list[str] = []

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Nothing."""
        return ((answer, Reading("unjudged")) for answer in answers)

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Nothing."""
        return ((answer, Holding("unjudged")) for answer, _ in answers)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Nothing."""
        return ((answer, Rating("unjudged")) for answer in answers)

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Scores, each pair's from its own draws."""
        for pair in pairs:
            rng = generator(self.seed, "favoring", pair.key)
            if rng.random() < self.fails:
                self.failed.append(pair.key)
                yield pair, Comparison(("error", "timeout", "malformed")[rng.integers(3)])
                continue
            first, second = rng.normal(0, self.noise, 2) if self.noise else np.zeros(2)
            yield (
                pair,
                Comparison(
                    "judged",
                    self.quality(pair.first) + self.bonus + float(first),
                    self.quality(pair.second) + float(second),
                ),
            )
