"""Tables of an answer: a row a thing, or a column a person."""

from __future__ import annotations

import re
from typing import Protocol

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.runs import (
    NUMBERED,
    RULE,
    STRESS,
    WORD,
    Run,
    added,
    article,
    name_of,
)
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

_PLACE = re.compile(r"#?(\d{1,2})(?:st|nd|rd|th|\.)?(?: *\(.*\))?\Z")


class Reader(Protocol):
    """What reads lines: what cells say is added to it, by the numbers of its topics."""

    words: Words
    lexicon: Lexicon
    ordered: bool

    def thing(self, key: Run) -> bool:
        """Return whether words name a thing."""

    def somebody(self, name: str) -> bool:
        """Return whether a name is of a person."""

    def garment(self, key: Run, rest: Run, topic: int) -> None:
        """Add what somebody wears."""

    def told(self, rest: Run, topic: int) -> None:
        """Add what is said of a topic."""

    def say(self, how: str, rest: Run, topic: int) -> None:
        """Add what is said of a topic in a way."""

    def order(self, number: int | None) -> int | None:
        """Return a place from the largest."""

    def add(self, run: Run, topic: int | None, order: int | None, place: str | None = None) -> int:
        """Add a line; gives its number."""


class Table:
    """Reads rows: the first may hold what its columns tell."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.words, self.lexicon = reader, reader.words, reader.lexicon
        self._heads: list[str] | None = None
        self._columns: list[int] = []

    def row(self, piece: Run, headed: bool) -> None:
        """Read a row; ``headed``: a line is drawn below it."""
        cells, at = list[Run](), 0
        for part in piece.text.split("|"):
            cells.append(piece[at : at + len(part)].sub(STRESS, lambda _: "").strip())
            at += len(part) + 1
        if not cells[0].text and piece.text.lstrip().startswith("|"):
            cells = cells[1:]
        if cells and not cells[-1].text:
            cells = cells[:-1]
        if all(RULE.match(cell.text) for cell in cells):
            return
        if self._heads is None:
            self._heads = [name_of(cell) for cell in cells] if headed else [""] * len(cells)
            if headed and self._turned(cells):
                self._columns = [self._topic(cell) for cell in cells[1:]]
            if headed:
                return
        if self._columns:
            self._down(cells)
        else:
            self._tell(cells, [*self._heads, *[""] * len(cells)][: len(cells)])

    def _topic(self, cell: Run, order: int | None = None) -> int:
        name = cell.sub(NUMBERED, lambda match: match[1])
        return self.reader.add(article(name.lower()), None, order)

    def _turned(self, cells: list[Run]) -> bool:
        """Whether each column but the first is about a topic of its own."""
        heads, some = self.lexicon.lists["lines.topics"], [name_of(cell) for cell in cells[1:]]
        topics = [
            name not in heads and name not in self.lexicon.carriers
            and (self.reader.somebody(name) or self.reader.thing(cell))
            for name, cell in zip(some, cells[1:], strict=True)
        ]  # fmt: skip
        return len(some) > 1 and (all(topics) or not cells[0].text)

    def _down(self, cells: list[Run]) -> None:
        """Read a row that tells the same of the topic of each column."""
        for cell, topic in zip(cells[1:], self._columns, strict=False):
            self._told(cells[0], cell, topic)

    def _told(self, head: Run, cell: Run, topic: int) -> None:
        """Read a cell about a topic, under what its row or column tells."""
        name = name_of(head)
        if not re.search(r"\w", cell.text) or _PLACE.match(cell.text):
            return
        if name in self.lexicon.carriers:
            self.reader.say(self.lexicon.carriers[name], cell.lower(), topic)
        elif self.words.garment(name.split()):
            self.reader.garment(head, cell.lower(), topic)
        else:
            self.reader.told(cell.lower(), topic)

    def _tell(self, cells: list[Run], heads: list[str]) -> None:
        """Read a row about one thing, or how two stand to each other."""
        topics, ranks = (self.lexicon.lists[f"lines.{name}"] for name in ("topics", "ranks"))
        if len(cells) == 3 and self.lexicon.phrase(WORD.findall(cells[1].text.lower())):
            joined = article(cells[0].lower()) + added(" is ") + cells[1].lower() + added(" ")
            self.reader.add(joined + article(cells[2].lower()), None, None)
            return
        named = [n for n, head in enumerate(heads) if head in topics and cells[n].text]
        named += [n for n, cell in enumerate(cells) if self.reader.thing(cell) and n not in named]
        if not named:
            return
        order = None
        for n, head in enumerate(heads):
            number = _PLACE.match(cells[n].text)
            if number and n != named[0] and (head in ranks or not head):
                sized = self.reader.ordered or "size" in head or head == "rank"
                order = self.reader.order(int(number[1])) if sized else None
        at = self._topic(cells[named[0]], order)
        for n, cell in enumerate(cells):
            if n != named[0]:
                self._told(added(heads[n]), cell, at)
