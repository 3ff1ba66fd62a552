"""How many there are: of which things it is asked, before what, and in which sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lvlmbench.scene.pools import I64, Bools
from lvlmbench.scene.templates import Templates
from lvlmbench.scene.vocabulary.entries import Entry, clash

#: The aspect.
NUMBER = "number"

#: Numbers of a thing that scenes show, in words.
NUMBERS = ("one", "two", "three")


def is_counted(entry: Entry) -> bool:
    """Return whether a picture of one shows one beyond doubt: neither a pair nor a bunch."""
    single = entry.article in ("a", "an") and entry.plural != entry.label
    return single and bool(entry.extra.get("several", True))


def sentences(templates: Templates, entry: Entry) -> list[str]:
    """Return what is asked of an entry: questions, then the statements of each number."""
    words = templates.aspect(NUMBER)
    out = [question.replace("{noun}", entry.plural) for question in words.questions]
    for number in NUMBERS:
        claim = f"{number} {entry.label if number == NUMBERS[0] else entry.plural}"
        out += [
            lead.replace("{statement}", statement.replace("{claim}", claim))
            for lead in templates.instructions.leads
            for statement in words.statements
        ]
    return out


def statements_of(templates: Templates, number: int) -> int:
    """Return where the statements of a number, from 0, stand among :func:`sentences`."""
    words = templates.aspect(NUMBER)
    leads = templates.instructions.leads
    return len(words.questions) + number * len(leads) * len(words.statements)


def more_of_it(behind: Entry, shown: Sequence[Entry]) -> Bools:
    """Return of which entries people may count more, as the background has some of its own."""
    nouns = {
        noun.casefold()
        for key in ("shows", "depicts", "sometimes")
        for noun in behind.extra.get(key, ())
    }
    keys = [(f"{noun}/", frozenset(noun.split())) for noun in sorted(nouns)]
    return np.array([any(clash(entry.key, key) for key in keys) for entry in shown], dtype=np.bool_)


class Counting:
    """Where the sentences about the number of each thing start, by the index of labels.

    Attributes
    ----------
    starts
        By index: where they start among the plan's sentences; -1 for what is not counted.
    """

    def __init__(self, labels: int) -> None:
        self.starts: I64 = np.full(labels, -1, dtype=np.int64)
        self._more: dict[int, Bools] = {}

    def bar(self, background: int, first: int, more: Bools) -> None:
        """Ask nothing of labels, counted from ``first``, before a background."""
        table = self._more.setdefault(background, np.zeros(len(self.starts), dtype=np.bool_))
        table[first : first + len(more)] |= more

    def asked(self, shown: I64, behind: I64) -> Bools:
        """Return in which scenes it is asked, by the indices of things and backgrounds."""
        found = self.starts[shown] >= 0
        for background, more in self._more.items():
            found &= ~((behind == background) & more[shown])
        return np.asarray(found)
