"""The judge ``lexical`` as a whole: reading, matching and comparing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lvlmbench.scene.claims import Claim
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Reading
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
from lvlmbench.stages.judge.kinds.lexical.wordnet import wordnet


class Lexical:
    """Judges by rules. What it says of an answer depends on nothing beside it."""

    #: It asks nobody.
    requests: Sequence[Mapping[str, Any]] = ()

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = Words.of(vocabulary, wordnet().concrete)

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers."""
        found = list(answers)
        texts = (answer.text for answer in found)
        for answer, claims in zip(found, read_many(texts, self._words), strict=True):
            yield answer, Reading("judged", tuple(claims))
