"""Claims in the making: parts are things and words of the text, not yet numbers and characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lvlmbench.stages.judge.kinds.lexical.reading.certainty import Certainty
from lvlmbench.stages.judge.kinds.lexical.reading.frames import Frames
from lvlmbench.stages.judge.kinds.lexical.reading.mentions import Mentions
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing, Things


@dataclass(eq=False, slots=True)
class Draft:
    """A claim with its parts as things; ``first`` and ``last`` are the words that say it."""

    kind: str
    subject: Thing | str
    first: Token
    last: Token
    relation: str | None = None
    object: Thing | str | None = None
    value: str | None = None
    negated: bool = False
    hedged: bool = False

    def __post_init__(self) -> None:
        if self.first.i > self.last.i:
            self.first, self.last = self.last, self.first


@dataclass(frozen=True, eq=False)
class Sight:
    """All that is found in a text before claims are drafted."""

    text: Text
    things: Things
    mentions: Mentions
    frames: Frames
    certainty: Certainty

    @classmethod
    def of(cls, text: Text) -> Sight:
        """Find the things of a text and what is the same, denied, left open."""
        things = Things(text)
        mentions = Mentions(text, things)
        certainty = Certainty(text)
        certainty.mark(things)
        return cls(text, things, mentions, Frames(text, mentions), certainty)

    def after(self, token: Token, reach: int) -> Iterator[Token]:
        """Yield the next words of a word's sentence."""
        for each in self.text.tokens[token.i + 1 : token.i + 1 + reach]:
            if each.sentence != token.sentence:
                return
            yield each
