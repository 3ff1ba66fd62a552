"""What backgrounds show: things that are no wrong options where such a background is behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.scene.pools import I64, Bools
from lvlmbench.scene.subtasks import foreground_lists
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.vocabulary.entries import VocabularyList
from lvlmbench.suites.dysca.label_index import LabelIndex

#: Lists of things that a picture shows in front and that a background may show as well.
_FOREGROUNDS = frozenset(foreground_lists())


def _barred(listing: VocabularyList, labels: Sequence[str]) -> frozenset[str]:
    """Labels of the list that name something shown: the shown ones and their synonyms."""
    there = [label for label in labels if label in listing.by_label]
    return frozenset().union(*map(listing.alike, there))


class Scenery:
    """Labels that each background bars; row 0 stands for one that bars none.

    Attributes
    ----------
    row
        By index: the row of a background, 0 for all other labels; shape (n labels,).
    barred
        Boolean, shape (rows, n labels).
    counts
        Distractors, at most three, that each label can have before it; shape (rows, n labels).

    Raises
    ------
    UserError
        A background leaves some answer without a wrong option.
    """

    def __init__(
        self,
        label_index: LabelIndex,
        asked: Mapping[int, str],
        lists: Mapping[str, VocabularyList],
        vocabulary: Vocabulary,
    ) -> None:
        n = len(label_index.labels)
        self.row: I64 = np.zeros(n, dtype=np.int64)
        barred, counts = [np.zeros(n, dtype=np.bool_)], [label_index.counts]
        for pool, name in asked.items():
            if name != "background":
                continue
            for at, position in enumerate(label_index.pools[pool].positions.tolist()):
                entry = lists[name].entries[position]
                if "shows" not in entry.extra:
                    continue
                self.row[label_index.first[pool] + at] = len(barred)
                bars, most = np.zeros(n, dtype=np.bool_), label_index.counts.copy()
                labels = entry.extra["shows"]
                for other, its in asked.items():
                    if its not in _FOREGROUNDS or its not in vocabulary.lists:
                        continue
                    names = _barred(vocabulary.lists[its], labels)
                    if names:
                        self._bar(label_index, other, names, bars, most, entry.label)
                barred.append(bars)
                counts.append(most)
        self.barred: Bools = np.array(barred)
        self.counts: I64 = np.array(counts)

    @staticmethod
    def _bar(
        label_index: LabelIndex,
        pool: int,
        names: frozenset[str],
        bars: Bools,
        most: I64,
        behind: str,
    ) -> None:
        """Bar a pool's labels in ``names`` and count what is left, in place."""
        these = label_index.pools[pool]
        indices = slice(label_index.first[pool], label_index.first[pool] + len(these))
        bars[indices] = [label in names for label in these.labels]
        if not bars[indices].any():
            return
        most[indices] = these.counts_without(bars[indices])
        if not most[indices].all():
            alone = these.labels[int(np.argmin(most[indices]))]
            raise UserError(
                f"vocabulary: background: '{behind}': shows",
                f"leaves '{alone}' no possible wrong option",
                "let it show fewer labels, or add entries",
            )
