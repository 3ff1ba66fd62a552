"""The semantic graph: words that descriptions used, and those that the next must do without.

An edge joins a description's topic word to each of its key words (AutoDavis, section 2.2,
Algorithm 1). Ties are broken by the alphabet, so that nothing depends on the order of a set.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from lvlmbench.suites.autodavis.settings import Mode


class SemanticGraph:
    """Words of one aspect at one level; it grows with each description."""

    def __init__(self) -> None:
        self._near: dict[str, set[str]] = {}
        self._gone: set[str] = set()

    def add(self, topic: str, words: Iterable[str]) -> None:
        """Add a description: its topic word is joined to each of its key words."""
        self._near.setdefault(topic, set())
        for word in words:
            if word != topic:
                self._near[topic].add(word)
                self._near.setdefault(word, set()).add(topic)

    def top(self, n: int) -> list[str]:
        """Return the n words with most neighbors; of equal ones the first by the alphabet."""
        left = [word for word in self._near if word not in self._gone]
        return sorted(left, key=lambda word: (-len(self._near[word] - self._gone), word))[:n]

    def banned(self, number: int, mode: Mode) -> list[str]:
        """Return what the description of this number, from 1, must do without.

        ``paper`` takes what it bans out of the graph, for good.
        """
        if mode == "none":
            return []
        if mode == "paper":
            for _ in range(number):
                self._gone.update(self.top(1))
            return sorted(self._gone)
        return self.top({"graph": number, "code": number - 1, "log": int(log(number) + 1)}[mode])
