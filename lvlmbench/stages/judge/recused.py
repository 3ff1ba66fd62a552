"""A judge that leaves answers to others, e.g. as they are its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading

_WHY = "the judge leaves this model to others (judge.judges[].leaves)"


class Recused:
    """Leaves every answer and every pair unjudged, and asks nobody."""

    requests: Sequence[dict[str, object]] = ()

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read no claims."""
        for answer in answers:
            yield answer, Reading("unjudged", why=_WHY)

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Hold no claims."""
        for answer, _ in answers:
            yield answer, Holding("unjudged", why=_WHY)

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare no answers."""
        for pair in pairs:
            yield pair, Comparison("unjudged", why=_WHY)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Rate no answers."""
        for answer in answers:
            yield answer, Rating("unjudged", why=_WHY)
