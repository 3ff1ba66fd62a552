"""What backgrounds show: things that are no wrong options where such a background is behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.scene.pools import I64, Bools
from lvlmbench.scene.subtasks import foreground_lists
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.vocabulary.entries import VocabularyList
from lvlmbench.suites.dysca.label_index import Deck

#: Lists of things that a picture shows in front and that a background may show as well.
_FOREGROUNDS = frozenset(foreground_lists())


def _barred(listing: VocabularyList, labels: Sequence[str]) -> frozenset[str]:
    """Labels of the list that name something shown: the shown ones and their synonyms."""
    there = [label for label in labels if label in listing.by_label]
    return frozenset().union(*map(listing.alike, there))


class Scenery:
    """Cards that each background of the deck bars; row 0 stands for one that bars none.

    Attributes
    ----------
    row
        By card: the row of a background, 0 for all other cards; shape (n cards,).
    barred
        Boolean, shape (rows, n cards).
    counts
        Distractors, at most three, that each card can have before it; shape (rows, n cards).

    Raises
    ------
    UserError
        A background leaves some answer without a wrong option.
    """

    def __init__(
        self,
        deck: Deck,
        asked: Mapping[int, str],
        lists: Mapping[str, VocabularyList],
        vocabulary: Vocabulary,
    ) -> None:
        n = len(deck.labels)
        self.row: I64 = np.zeros(n, dtype=np.int64)
        barred, counts = [np.zeros(n, dtype=np.bool_)], [deck.counts]
        for pool, name in asked.items():
            if name != "background":
                continue
            for at, position in enumerate(deck.pools[pool].positions.tolist()):
                entry = lists[name].entries[position]
                if "shows" not in entry.extra:
                    continue
                self.row[deck.first[pool] + at] = len(barred)
                bars, most = np.zeros(n, dtype=np.bool_), deck.counts.copy()
                labels = entry.extra["shows"]
                for other, its in asked.items():
                    if its not in _FOREGROUNDS or its not in vocabulary.lists:
                        continue
                    names = _barred(vocabulary.lists[its], labels)
                    if names:
                        self._bar(deck, other, names, bars, most, entry.label)
                barred.append(bars)
                counts.append(most)
        self.barred: Bools = np.array(barred)
        self.counts: I64 = np.array(counts)

    @staticmethod
    def _bar(
        deck: Deck, pool: int, names: frozenset[str], bars: Bools, most: I64, behind: str
    ) -> None:
        """Bar a pool's labels in ``names`` and count what is left, in place."""
        these = deck.pools[pool]
        cards = slice(deck.first[pool], deck.first[pool] + len(these))
        bars[cards] = [label in names for label in these.labels]
        if not bars[cards].any():
            return
        most[cards] = these.counts_without(bars[cards])
        if not most[cards].all():
            alone = these.labels[int(np.argmin(most[cards]))]
            raise UserError(
                f"vocabulary: background: '{behind}': shows",
                f"leaves '{alone}' no possible wrong option",
                "let it show fewer labels, or add entries",
            )
