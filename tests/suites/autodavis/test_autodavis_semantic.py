"""The semantic graph: what is banned is what has most neighbors, however the graph came about."""

from __future__ import annotations

import random
from math import log
from typing import get_args

import pytest

from lvlmbench.suites.autodavis.semantic import SemanticGraph
from lvlmbench.suites.autodavis.settings import Mode

Description = tuple[str, list[str]]


def descriptions(seed: int, n: int = 6) -> list[Description]:
    rng = random.Random(seed)
    words = [f"w{at}" for at in range(rng.randint(4, 14))]
    return [(rng.choice(words), rng.sample(words, rng.randint(1, 4))) for _ in range(n)]


def neighbors(given: list[Description], without: set[str] = frozenset()) -> dict[str, set[str]]:
    """Neighbors of each word, worked out from a list of edges."""
    edges = {frozenset((t, w)) for t, words in given for w in words if w != t}
    known = {t for t, _ in given} | {w for _, words in given for w in words}
    left = known - without
    return {w: {v for v in left if v != w and frozenset((v, w)) in edges} for w in left}


def most(near: dict[str, set[str]]) -> str:
    """The word with most neighbors, by comparing all with all."""
    found = [
        word
        for word in near
        if all(
            (len(near[word]), other) > (len(near[other]), word) for other in near if other != word
        )
    ]
    return found[0]


def wanted(given: list[Description], number: int, mode: Mode, gone: set[str]) -> set[str]:
    """What is to be banned, by taking out the word with most neighbors again and again."""
    if mode == "none":
        return set()
    if mode == "paper":
        for _ in range(number):
            near = neighbors(given, gone)
            if near:
                gone.add(most(near))
        return set(gone)
    near, found = neighbors(given), set[str]()
    count = {"graph": number, "code": number - 1, "log": int(log(number) + 1)}[mode]
    for _ in range(min(count, len(near))):
        word = most({w: n for w, n in near.items() if w not in found})
        found.add(word)
    return found


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("seed", range(40))
def test_what_is_banned_is_what_a_search_through_all_words_finds(seed: int, mode: Mode) -> None:
    graph, given, gone = SemanticGraph(), list[Description](), set[str]()
    for number, (topic, words) in enumerate(descriptions(seed), 1):
        graph.add(topic, words)
        given.append((topic, words))
        assert {*graph.banned(number, mode)} == wanted(given, number, mode, gone)


def test_ties_are_broken_by_the_alphabet_and_not_by_the_order_of_a_set() -> None:
    graph = SemanticGraph()
    graph.add("m", ["z", "a", "k"])
    assert graph.top(2) == ["m", "a"]


def test_a_topic_word_that_stands_among_its_key_words_is_no_neighbor_of_itself() -> None:
    graph = SemanticGraph()
    graph.add("m", ["m"])
    graph.add("b", ["c"])
    assert graph.top(3) == ["b", "c", "m"]
