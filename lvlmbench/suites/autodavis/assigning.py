"""Which examiner asks about which item: as many items each, and each letter as often by each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from lvlmbench.suites.graphs.draws import Draws


def dealt(draws: Draws, letters: Sequence[int], examiners: int) -> list[int]:
    """Return the number of the examiner of each item of a block, in random order.

    Of as many items as there are examiners, one after the other, each asks about one; of its items
    in the block, each has its right option at another letter.

    Parameters
    ----------
    letters
        Place of the right option of each item: ``examiners`` runs of all letters. Each run may be
        in an order of its own. Whatever these are, it can be done: rows of so many items and
        letters make a regular bipartite graph, which falls into perfect matchings (König, 1916).
    """
    left = {*range(len(letters))}
    found = [0] * len(letters)
    for who in draws.shuffled(range(examiners)):
        for order in draws.shuffled([*permutations({*letters})]):
            rows = (range(row * examiners, (row + 1) * examiners) for row in range(len(order)))
            seats = [
                next((at for at in row if at in left and letters[at] == letter), None)
                for row, letter in zip(rows, order, strict=True)
            ]
            if None not in seats:
                break
        for at in seats:
            assert at is not None
            left.remove(at)
            found[at] = who
    return found
