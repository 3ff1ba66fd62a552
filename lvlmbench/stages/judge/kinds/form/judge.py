"""The judge ``form``: from a structured description to claims and matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lvlmbench.scene.claims import Claim
from lvlmbench.scene.described import Described, Unreadable
from lvlmbench.scene.truth.names import Names
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading
from lvlmbench.stages.judge.kinds.form.claims import claims_of
from lvlmbench.stages.judge.kinds.form.matching import Naming, matches_of
from lvlmbench.stages.roles.replies import Malformed, parsed

_WHY = "it compares structured descriptions with what the picture shows, and nothing else"


class FormJudge:
    """Scores structured descriptions. What it says of an answer depends on nothing beside it."""

    #: It asks nobody.
    requests: Sequence[Mapping[str, Any]] = ()

    def __init__(self, names: Names) -> None:
        self._naming = Naming(names)

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers; an answer that is not in the form is malformed."""
        for answer in answers:
            try:
                described = Described.of(parsed(answer.text))
            except (Unreadable, Malformed) as problem:
                yield answer, Reading("malformed", why=str(problem))
            else:
                yield answer, Reading("judged", tuple(claims_of(answer.text, described)))

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Compare claims with what the picture shows."""
        for answer, claims in answers:
            yield answer, Holding("judged", matches_of(claims, answer.truth, self._naming))

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare no answers."""
        for pair in pairs:
            yield pair, Comparison("unjudged", why=_WHY)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Rate no answers."""
        for answer in answers:
            yield answer, Rating("unjudged", why=_WHY)
