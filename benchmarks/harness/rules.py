"""Rules of thumb by which people guess answers of multiple choice without a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from benchmarks.harness.guesser import Company, Question, number, words

Rule = Callable[[Question], int]


def _longest(question: Question) -> int:
    return max(range(len(question["options"])), key=lambda at: len(question["options"][at]))


def _shortest(question: Question) -> int:
    return min(range(len(question["options"])), key=lambda at: len(question["options"][at]))


def _first(question: Question) -> int:
    return 0


def _last(question: Question) -> int:
    return len(question["options"]) - 1


def _order(question: Question) -> list[int]:
    """Places of the options by their numbers, or by the alphabet where one is none."""
    options = question["options"]
    numbers = [number(option) for option in options]
    if None in numbers:
        return sorted(range(len(options)), key=lambda at: str(options[at]))
    return sorted(range(len(options)), key=lambda at: numbers[at] or 0)


def _middle(question: Question) -> int:
    """The number in the middle, or the option there by the alphabet."""
    return _order(question)[(len(question["options"]) - 1) // 2]


def _largest(question: Question) -> int:
    """The largest number, or the last option by the alphabet."""
    return _order(question)[-1]


def _shared(question: Question) -> list[int]:
    """How many words of each option stand in the others."""
    sets = [{*words(option)} for option in question["options"]]
    return [sum(len(own & other) for other in sets) - len(own) for own in sets]


def _overlap(question: Question) -> int:
    """The option that shares most words with the others."""
    shared = _shared(question)
    return shared.index(max(shared))


def _apart(question: Question) -> int:
    """The option that shares fewest words with the others."""
    shared = _shared(question)
    return shared.index(min(shared))


def _mentioned(question: Question) -> int:
    """The option that shares most words with the question."""
    asked = {*words(question["question"])}
    shared = [len(asked & {*words(option)}) for option in question["options"]]
    return shared.index(max(shared))


def rules(learnt: Sequence[Question]) -> dict[str, Rule]:
    """Return all rules; the last four know the questions of other seeds."""
    right = Counter(question["answer"] for question in learnt)
    offered = Counter(option for question in learnt for option in question["options"])
    company = Company(learnt)

    def most(question: Question, score: Callable[[str], float]) -> int:
        scores = [score(option) for option in question["options"]]
        return scores.index(max(scores))

    def resembling(question: Question) -> int:
        found = company.closeness(question["options"])
        return found.index(max(found))

    def unlike(question: Question) -> int:
        found = company.closeness(question["options"])
        return found.index(min(found))

    return {
        "longest": _longest,
        "shortest": _shortest,
        "first": _first,
        "last": _last,
        "middle": _middle,
        "largest": _largest,
        "overlap": _overlap,
        "apart": _apart,
        "mentioned": _mentioned,
        "most often right": lambda question: most(question, lambda o: right[o]),
        "likeliest": lambda question: most(question, lambda o: (right[o] + 1) / (offered[o] + 3)),
        "resembling": resembling,
        "unlike": unlike,
    }
