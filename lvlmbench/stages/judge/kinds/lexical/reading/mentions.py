"""What is named again: "the dog", "it", "she", "both" stand for the last that fits."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.again import Again
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing, Things

_PAIRS = frozenset(
    ("both", "neither", "none", "each", "all", "they", "them", "their", "these", "either")
)
_EVERYONE = frozenset({"everyone", "everybody"})


class Mentions(Again):
    """Which things of a text are the same, and what its pronouns stand for."""

    def __init__(self, text: Text, things: Things) -> None:
        super().__init__(text, things)
        self.stood.clear()  # by now it is known what is the same

    def owner(self, token: Token) -> list[Thing]:
        """Return whose "hers" or "the girl's" is, though the word stands for what is owned."""
        kind = self.pronouns.get(token.low)
        return self.resolve(token) if kind is None else self.pronoun(token, kind)

    def resolve(self, token: Token) -> list[Thing]:
        """Return what a word stands for: one thing, several after "both", or none."""
        thing = self.things.by_token.get(token.i)
        if thing is not None:
            return [thing.root]
        if token.low in self.pronouns:
            if token.i not in self.stood:
                self.stood[token.i] = self.pronoun(token, self.pronouns[token.low])
            return list(self.stood[token.i])
        if token.dep == "nsubj" and token.low in ("who", "which", "that"):
            return self.relative(token) or (
                self.pronoun(token, "thing") if token.low == "that" else []
            )
        if token.low == "whose" or (token.low in ("which", "whom") and token.dep == "pobj"):
            return self.led_to(token)
        part = self.part_of(token)
        if part is not None:
            return self.resolve_all(part)
        if token.low in _PAIRS or token.low == "two":
            return self.many(token)
        if token.low in _EVERYONE:
            return [t for t in reversed([*self.prior(token)]) if t.role == "person"]
        if self.some_of(token):
            return self.some(token)
        return []
