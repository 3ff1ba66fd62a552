"""A guesser that sees no picture: naive Bayes over questions and options, and simple rules.

It learns from questions of other seeds what of a text goes with being right. Each family of
features gives an option a score: the sum, over its features, of log(times right / times right
expected by chance). The families are weighed by a conditional logit on questions that the counts
were not made of, so that a family that tells nothing gets no say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.scene.answers import wanted

Question: TypeAlias = Mapping[str, Any]
Floats: TypeAlias = npt.NDArray[np.float64]
#: Gives each option of a question its features.
Family: TypeAlias = Callable[[Question], list[list[str]]]

#: A feature is as good as unknown until it was offered about this often.
_PRIOR = 2.0
_STEPS, _RATE, _DECAY = 300, 0.15, 0.01
_WORD = re.compile(r"[a-z0-9]+")
_ARTICLES = frozenset(("a", "an", "the"))
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def words(text: str) -> list[str]:
    """Return the words of a text, without articles."""
    return [word for word in _WORD.findall(text.lower()) if word not in _ARTICLES]


def number(option: str) -> int | None:
    """Return the number that an option is or begins with."""
    first = (words(option) or [""])[0]
    return int(first) if first.isdigit() else _NUMBERS.index(first) if first in _NUMBERS else None


def _ranks(values: Sequence[float]) -> list[str]:
    """Rank of each value among the others; ties have one rank."""
    return [f"{sum(v < own for v in values)}-{sum(v > own for v in values)}" for own in values]


def _shared(options: Sequence[str]) -> list[int]:
    """How many words of each option stand in others, summed over those."""
    sets = [{*words(option)} for option in options]
    return [sum(len(own & other) for other in sets if other is not own) for own in sets]


def _position(question: Question) -> list[list[str]]:
    return [[str(at)] for at in range(len(question["options"]))]


def _text(question: Question) -> list[list[str]]:
    return [[option] for option in question["options"]]


def _words(question: Question) -> list[list[str]]:
    return [sorted({*words(option)}) for option in question["options"]]


def _asked(question: Question) -> list[list[str]]:
    asked = sorted({*words(question["question"])})
    return [[f"{word}>{option}" for word in asked] for option in question["options"]]


def _asked_words(question: Question) -> list[list[str]]:
    asked = sorted({*words(question["question"])})
    return [
        [f"{a}>{b}" for a in asked for b in sorted({*words(option)})]
        for option in question["options"]
    ]


def _others(question: Question) -> list[list[str]]:
    options = question["options"]
    return [[f"{own}|{other}" for other in options if other != own] for own in options]


def _form(question: Question) -> list[list[str]]:
    """Length, shared words, mention in the question, place among numbers."""
    options, asked = question["options"], {*words(question["question"])}
    numbers = [number(option) for option in options]
    columns = {
        "letters": _ranks([len(option) for option in options]),
        "words": _ranks([len(words(option)) for option in options]),
        "centroid": _ranks(_shared(options)),
        "mentioned": _ranks([len(asked & {*words(option)}) for option in options]),
    }
    if None not in numbers:
        columns["number"] = _ranks([float(n) for n in numbers if n is not None])
    return [
        [f"{name} {ranks[at]}" for name, ranks in columns.items()] for at in range(len(options))
    ]


def _statement(question: Question) -> list[str]:
    """Words of what is claimed: the lead before it says nothing."""
    return words(re.split(r"[?:] ", question["question"])[-1])


def _claimed(question: Question) -> list[list[str]]:
    said = sorted({*_statement(question)})
    return [[f"{word}={option}" for word in said] for option in question["options"]]


def _claimed_pairs(question: Question) -> list[list[str]]:
    said = combinations(sorted({*_statement(question)}), 2)
    pairs = [f"{a}+{b}" for a, b in said]
    return [[f"{pair}={option}" for pair in pairs] for option in question["options"]]


def _claimed_form(question: Question) -> list[list[str]]:
    said = _statement(question)
    return [[f"{len(said)}={o}", f"{said[0]}={o}", f"{said[-1]}={o}"] for o in question["options"]]


#: Question type -> families.
FAMILIES: dict[str, dict[str, Family]] = {
    "multiple_choice": {
        "position": _position,
        "text": _text,
        "words": _words,
        "asked": _asked,
        "asked words": _asked_words,
        "others": _others,
        "form": _form,
    },
    "true_false": {
        "position": _position,
        "text": _text,
        "claimed": _claimed,
        "claimed pairs": _claimed_pairs,
        "claimed form": _claimed_form,
    },
    "short_answer": {"text": _text, "asked": _asked},
}


class Kin:
    """What anybody knows of things: which look alike, which are of one sort, and how large.

    Parameters
    ----------
    sorts, alike, sizes
        Sort of a thing; things that look like it; how large it is in the world.
    """

    def __init__(
        self,
        sorts: Mapping[str, str],
        alike: Mapping[str, Sequence[str]],
        sizes: Mapping[str, int],
    ) -> None:
        self._sizes = {" ".join(words(label)): size for label, size in sizes.items()}
        self._sorts = {" ".join(words(label)): sort for label, sort in sorts.items()}
        self._alike = {
            " ".join(words(label)): {" ".join(words(other)) for other in others}
            for label, others in alike.items()
        }

    def features(self, question: Question) -> list[list[str]]:
        """Return how many of the others each option looks like, and are of its sort."""
        options = [" ".join(words(option)) for option in question["options"]]
        asked = " ".join(words(question["question"]))
        named = {label for label in self._alike if f" {label} " in f" {asked} "}
        sorts = [self._sorts.get(option) for option in options]
        sizes = [self._sizes.get(option, 0) for option in options]
        alike = [self._alike.get(option, set()) for option in options]
        counts = {
            "alike": [sum(other in near for other in options) for near in alike],
            "named": [len(near & named) for near in alike],
            "sort": [sorts.count(sort) * (sort is not None) for sort in sorts],
        }
        return [
            [
                *(f"{name} {found[at]} {max(found)}" for name, found in counts.items()),
                f"size {rank}",
                *(f"{word} size {rank}" for word in {*asked.split()}),
            ]
            for at, rank in enumerate(_ranks(sizes))
        ]


class Company:
    """How often two options were offered together: what is drawn because of another stands out."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._together: dict[frozenset[str], int] = defaultdict(int)
        self._offered: dict[str, int] = defaultdict(int)
        for question in questions:
            for option in question["options"]:
                self._offered[option] += 1
            for pair in combinations(question["options"], 2):
                self._together[frozenset(pair)] += 1

    def closeness(self, options: Sequence[str]) -> list[float]:
        """Return how much more often than by chance each stood beside its closest companion."""
        return [max(self._close(own, o) for o in options if o != own) for own in options]

    def _close(self, one: str, other: str) -> float:
        both = self._together.get(frozenset((one, other)), 0)
        return float(round(both / (1 + self._offered[one] * self._offered[other]) ** 0.5, 3))

    def features(self, question: Question) -> list[list[str]]:
        """Return the rank of each option by its closeness to another, and by being common."""
        options = question["options"]
        common = _ranks([self._offered[option] for option in options])
        return [
            [f"close {rank}", f"common {common[at]}"]
            for at, rank in enumerate(_ranks(self.closeness(options)))
        ]


class Guesser:
    """Answers questions of one type from their texts alone.

    Parameters
    ----------
    learnt
        Questions with their answers; they need not all have as many options.
    kin
        What is known of things beforehand.
    """

    def __init__(
        self, question_type: str, learnt: Sequence[Question], kin: Kin | None = None
    ) -> None:
        half = len(learnt) // 2
        counted, weighed = learnt[:half], learnt[half:]
        self.families = dict(FAMILIES[question_type])
        if question_type == "multiple_choice":
            self.families["company"] = Company(counted).features
            if kin is not None:
                self.families["kin"] = kin.features
        self._right: dict[str, float] = defaultdict(float)
        self._offered: dict[str, float] = defaultdict(float)
        for question in counted:
            self._count(question)
        self.weights = _weights([self._scores(q) for q in weighed], [_answer(q) for q in weighed])
        for question in weighed:
            self._count(question)

    def _features(self, question: Question) -> Iterator[tuple[int, int, str]]:
        for number_, (name, family) in enumerate(self.families.items()):
            for at, features in enumerate(family(question)):
                for feature in features:
                    yield number_, at, f"{name}:{feature}"

    def _count(self, question: Question) -> None:
        answer, expected = _answer(question), 1 / len(question["options"])
        for _, at, feature in self._features(question):
            self._offered[feature] += expected
            self._right[feature] += at == answer

    def _scores(self, question: Question) -> Floats:
        found = np.zeros((len(question["options"]), len(self.families)))
        for family, at, feature in self._features(question):
            if feature in self._offered:
                ratio = (self._right[feature] + _PRIOR) / (self._offered[feature] + _PRIOR)
                found[at, family] += np.log(ratio)
        return np.asarray(found - found.mean(axis=0))

    def guess(self, question: Question) -> int:
        """Return which option seems right."""
        return int(np.argmax(self._scores(question) @ self.weights))


def among(learnt: Sequence[Question], questions: Sequence[Question]) -> list[Question]:
    """Return short answers as choices among all that were right before where such was asked for.

    The answer has the index -1 where it never was right before.
    """
    known: dict[str, dict[str, None]] = defaultdict(dict)
    for question in learnt:
        known[wanted(question["question"])][question["answer"]] = None
    found: list[Question] = []
    for question in questions:
        options = [*known[wanted(question["question"])]] or ["unknown"]
        own = question["answer"]
        at = options.index(own) if own in options else -1
        found.append({**question, "options": options, "answer_index": at})
    return found


def _answer(question: Question) -> int:
    return int(question["answer_index"])


def _weights(scores: Sequence[Floats], answers: Sequence[int]) -> Floats:
    """Weights of families under which the right options are likeliest; 0 for what is no help."""
    if not scores:
        return np.zeros(0)
    most, families = max(len(each) for each in scores), scores[0].shape[1]
    table = np.zeros((len(scores), most, families))
    there = np.zeros((len(scores), most), dtype=bool)
    for row, each in enumerate(scores):
        table[row, : len(each)], there[row, : len(each)] = each, True
    spread = np.sqrt((table**2).sum(axis=(0, 1)) / there.sum())  # steps of one size for all
    scale = np.where(spread > 1e-6, spread, np.inf)
    table = table / scale
    right = table[np.arange(len(scores)), answers]
    weights = np.zeros(families)
    for _ in range(_STEPS):
        logits = np.where(there, table @ weights, -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        gradient = (right - (shares[:, :, None] * table).sum(axis=1)).mean(axis=0)
        weights = np.maximum(weights + _RATE * (gradient - _DECAY * weights), 0.0)
    found: Floats = weights / scale
    return found
