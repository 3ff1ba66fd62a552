"""Weights of labels: with them an option's name says nothing about whether it is the answer."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.scene import ids
from lvlmbench.scene.balance import UNIT, Balance, balanced
from lvlmbench.scene.pools import Pool
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.dysca.label_index import LabelIndex

Table = npt.NDArray[np.bool_]


def table_of(n: int, pairs: set[tuple[int, int]]) -> Table:
    table = np.eye(n, dtype=np.bool_)
    for a, b in pairs:
        table[a, b] = table[b, a] = True
    return table


def pool_of(table: Table) -> Pool:
    n = len(table)
    return Pool(
        name="thing",
        labels=tuple(f"label{i}" for i in range(n)),
        positions=np.arange(n),
        low=np.zeros(n, dtype=np.int64),
        size=np.full(n, n),
        relation=table,
        reach=int(table.sum(axis=1).max()),
        weights=balanced(table),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n = draw(st.integers(2, 9))
    ends = st.integers(0, n - 1)
    pairs = draw(st.sets(st.tuples(ends, ends), max_size=14))
    return table_of(n, {(a, b) for a, b in pairs if a != b})


@settings(deadline=None)
@given(tables(), st.lists(st.integers(1, 3000), min_size=9, max_size=9))
def test_weights_of_sets_are_those_of_counting(table: Table, many: list[int]) -> None:
    n = len(table)
    weights = np.array(many[:n], dtype=np.int64)
    balance = Balance(table)
    for size, found in ((1, balance.singles(weights)), (3, balance.triples(weights))):
        for answer in range(n):
            suited = [i for i in range(n) if not table[answer, i]]
            total = sum(
                int(np.prod(weights[list(chosen)]))
                for chosen in combinations(suited, size)
                if not any(table[a, b] for a, b in combinations(chosen, 2))
            )
            assert found[answer] == total


#: Ten labels of which three are one thing's names, two another's, and one names four others too.
NESTED = table_of(16, {(0, 1), (0, 2), (1, 2), (3, 4), (5, 6), (5, 7), (5, 8), (5, 9)})


@pytest.mark.parametrize("distractors", [1, 3])
def test_each_option_of_a_question_is_as_likely_the_answer(distractors: int) -> None:
    found = balanced(NESTED)
    assert found is not None
    balance = Balance(NESTED)
    weights = (found.single if distractors == 1 else found.other).max(axis=0)
    count = balance.singles if distractors == 1 else balance.triples
    even = count(np.full(16, UNIT)) / 1.0
    held = weights * (count(weights) / 1.0)
    assert even.max() / even.min() > 1.3
    assert held.max() / held.min() < 1.02


def test_drawn_options_are_balanced() -> None:
    label_index = LabelIndex([pool_of(table_of(3, set())), pool_of(NESTED)])
    answers = 3 + np.arange(16).repeat(2500)
    counters = ids.counters(ids.digests(("balance",), [b"%d" % i for i in range(len(answers))], ()))
    picks = label_index.distractors(5, counters, answers, np.full(len(answers), 3))
    beside = Counter(picks.ravel().tolist())
    shares = [2500 / (2500 + beside[index]) for index in range(3, 19)]
    assert shares == pytest.approx([0.25] * 16, abs=0.012)


@pytest.mark.parametrize("renderer", ["pictograph", "diffusion"])
def test_the_vocabulary_can_be_balanced(root: Path, renderer: str) -> None:
    """Groups so large that no weights help would let labels be guessed: divide them."""
    lists = load_vocabulary(root / "data" / "vocabulary").lists
    weighed = 0
    for listing in lists.values():
        table = listing.for_renderer(renderer).conflicts()
        found = balanced(table)
        if found is None:
            assert table.sum() == len(table) or len(table) > 300, listing.name
            continue
        balance, weighed = Balance(table), weighed + 1
        for weights, count in ((found.single, balance.singles), (found.other, balance.triples)):
            of_labels = weights.max(axis=0)
            held = of_labels * (count(of_labels) / 1.0)
            assert held.max() / held.min() < 1.05, listing.name
    assert weighed > 5


def test_nothing_is_weighed_where_nothing_has_to_be() -> None:
    assert balanced(table_of(5, set())) is None
    # Two synonyms among four: no question has four options.
    assert balanced(table_of(4, {(0, 1)})) is None
