"""Text that knows which characters say what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lvlmbench.scene.grammar import indefinite
from lvlmbench.stages.judge.exam.outline import Fact, Link, Thing

#: What is said: a thing, a fact of a thing (None: of the picture), how things stand.
Said = Thing | Link | tuple[Thing | None, Fact]


@dataclass(frozen=True)
class Mark:
    """Characters that say something."""

    said: Said
    start: int
    end: int

    def moved(self, by: int) -> Mark:
        """Return the mark where the text begins later."""
        return Mark(self.said, self.start + by, self.end + by)


@dataclass(frozen=True)
class Words:
    """Text with marks."""

    text: str = ""
    marks: tuple[Mark, ...] = field(default=())

    def __add__(self, more: Words | str) -> Words:
        """Return both, one behind the other."""
        if isinstance(more, str):
            return Words(self.text + more, self.marks)
        moved = tuple(mark.moved(len(self.text)) for mark in more.marks)
        return Words(self.text + more.text, self.marks + moved)

    def __radd__(self, before: str) -> Words:
        """Return the words behind some text."""
        return Words(before) + self

    def said(self, *said: Said) -> Words:
        """Return the words with marks over all of them."""
        new = tuple(Mark(each, 0, len(self.text)) for each in said)
        return Words(self.text, self.marks + new)

    @property
    def capital(self) -> Words:
        """Return the words with a large first letter."""
        return Words(self.text[:1].upper() + self.text[1:], self.marks)


def joined(parts: Sequence[Words | str], between: str = " ", last: str | None = None) -> Words:
    """Return parts with something between them, and something else before the last."""
    out = Words()
    for at, part in enumerate(parts):
        if at:
            out += last if last is not None and at == len(parts) - 1 else between
        out += part
    return out


def listed(parts: Sequence[Words | str]) -> Words:
    """Return "one", "one and two", "one, two, and three"."""
    return joined(parts, ", ", " and " if len(parts) == 2 else ", and ")


def with_article(words: Words) -> Words:
    """Return words with ``a`` or ``an``, whichever their sound wants."""
    return f"{indefinite(words.text).partition(' ')[0]} " + words


def sentence(words: Words | str) -> Words:
    """Return words with a large first letter and a full stop."""
    return (Words() + words).capital + "."


def sentences(parts: Iterable[Words | str]) -> list[Words]:
    """Return each as a sentence."""
    return [sentence(part) for part in parts]
