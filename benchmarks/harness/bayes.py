"""Naive Bayes over the words of a question and its options, which sees no picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log

from benchmarks.harness.guesser import Question, words


class Bayes:
    """Takes the option whose words were right most often, by themselves and beside the question's.

    Parameters
    ----------
    learnt
        Questions with their answers.
    """

    def __init__(self, learnt: Sequence[Question]) -> None:
        self._right: Counter[str] = Counter()
        self._wrong: Counter[str] = Counter()
        for question in learnt:
            for at, found in enumerate(_features(question)):
                (self._right if at == question["answer_index"] else self._wrong).update(found)

    def guess(self, question: Question) -> int:
        """Return which option seems right; the first of equals."""
        wrong = len(question["options"]) - 1
        scores = [
            sum(log((self._right[f] + 1) / (self._wrong[f] / wrong + 1)) for f in found)
            for found in _features(question)
        ]
        return scores.index(max(scores))


def _features(question: Question) -> Iterator[list[str]]:
    asked = sorted({*words(question["question"])})
    for option in question["options"]:
        own = sorted({*words(option)})
        yield [*own, *(f"{word}>{one}" for word in asked for one in own)]
