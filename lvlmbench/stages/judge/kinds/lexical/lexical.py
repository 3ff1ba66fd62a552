"""The judge ``lexical`` as a whole: reading, matching and comparing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from lvlmbench.core.kept import kept
from lvlmbench.scene.claims import Claim, Feature, Truth
from lvlmbench.scene.truth.wordnet import wordnet
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading
from lvlmbench.stages.judge.kinds.lexical.comparing import LEAST, MOST, score
from lvlmbench.stages.judge.kinds.lexical.exact import Verdict, read_value
from lvlmbench.stages.judge.kinds.lexical.matching import hold, packaged, unsure
from lvlmbench.stages.judge.kinds.lexical.reading import Said, Words, foreign, readings

#: Why a pair is not compared that what is seen does not decide, or where nothing is owed.
_TASTE = "nothing that can be seen decides it: that needs a language model"
#: Why a pair is not compared of which an answer does not clearly give one value.
_UNCLEAR = "rules cannot tell which value an answer gives: a language model can tell"
#: Why an answer is not read, and a pair not compared.
_FOREIGN = "it is not in English, and rules read nothing else: a language model can judge it"
#: Why no answer is rated: what is made up of it follows from its claims, exactly.
_CLAIMS = "what is made up is counted by claims: an impression of it needs a language model"


@lru_cache(maxsize=2)
def words_of(vocabulary: Vocabulary) -> Words:
    """Return the words of a vocabulary beside our own, with what WordNet says of others."""
    return Words.of(vocabulary, wordnet().concrete, wordnet().role)


@kept()
def words_in(folder: Path) -> Words:
    """Return the same for the vocabulary of a folder.

    Raises
    ------
    UserError
        The vocabulary cannot be read.
    """
    return words_of(load_vocabulary(folder))


class Lexical:
    """Judges by rules. What it says of an answer depends on nothing beside it."""

    #: It asks nobody.
    requests: Sequence[Mapping[str, Any]] = ()

    def __init__(self, words: Words) -> None:
        self._words, self._lexicon = words, packaged().beside(words.roles)

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers."""
        found = []
        for answer in answers:
            if foreign(answer.text, self._words):
                yield answer, Reading("unjudged", why=_FOREIGN)
            else:
                found.append(answer)
        texts = ((answer.text, answer.question) for answer in found)
        for answer, said in zip(found, readings(texts, self._words), strict=True):
            yield answer, Reading("judged", said.claims, unread=said.unread)

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Hold claims against the truth."""
        for answer, claims in answers:
            yield answer, self._held(claims, answer.truth, answer.text, answer.unread)

    def _held(
        self, claims: Sequence[Claim], truth: Truth, text: str, unread: tuple[tuple[int, int], ...]
    ) -> Holding:
        matches = hold(claims, truth, self._lexicon, unread)
        missing = unsure(claims, matches, truth, self._lexicon, text, unread)
        return Holding("judged", matches, unsure=missing)

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare the answers of pairs by what of their claims is true and what they leave out."""
        found = list(pairs)
        texts = ((text, pair.question) for pair in found for text in (pair.first, pair.second))
        said = readings(texts, self._words)
        for pair in found:
            both = [next(said), next(said)]
            if pair.taste or not (pair.forms or any(_owes(pair))):
                yield pair, Comparison("unjudged", why=_TASTE)
                continue
            if not pair.forms and any(foreign(x, self._words) for x in (pair.first, pair.second)):
                yield pair, Comparison("unjudged", why=_FOREIGN)
                continue
            first, second = (
                self._score(pair, text, read)
                for text, read in zip((pair.first, pair.second), both, strict=True)
            )
            if first is None or second is None:
                yield pair, Comparison("unjudged", why=_UNCLEAR)
            else:
                yield pair, Comparison("judged", first, second)

    def _score(self, pair: Pair, text: str, said: Said) -> float | None:
        """How good one answer of a pair is: by the value that decides, else by its claims.

        None where rules cannot tell which value it gives.
        """
        if pair.forms:
            read = read_value(text, pair.question, pair.forms, pair.rivals)
            return {Verdict.RIGHT: MOST, Verdict.WRONG: LEAST}.get(read)
        held = self._held(said.claims, pair.truth, text, said.unread)
        return score(said.claims, held, pair.truth, pair.scope)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Rate no answers."""
        for answer in answers:
            yield answer, Rating("unjudged", why=_CLAIMS)


def _owes(pair: Pair) -> Iterator[Feature]:
    """What the answers of a pair are to say."""
    for feature in pair.truth.features:
        if not feature.optional and pair.scope.holds(feature):
            yield feature
