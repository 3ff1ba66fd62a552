"""Things of which the name is left out: "a white one", "the girl's blue", "hers red"."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.hung import BE, is_color
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing, Things

_OWN = frozenset({"hers", "his", "theirs"})


class LeftOut:
    """Takes them for things, by the name that was said; ``owners`` are of clothes, by the word."""

    def __init__(
        self, text: Text, things: Things, adjectives: Callable[[Thing], frozenset[str]]
    ) -> None:
        self.text, self.things, self.adjectives = text, things, adjectives
        self.owners: dict[int, Token] = {}
        for token in text.tokens:
            if (like := self._other(token)) is not None:
                self._add(token, like)
            elif (owner := self._owner(token)) is not None:
                self._owned(token, owner)
        things.all.sort(key=lambda thing: thing.first.i)

    def _add(self, token: Token, like: Thing) -> None:
        old = self.things.by_token.get(token.i)
        if old is not None and old.head is token:
            self.things.all.remove(old)
            for i in [i for i, thing in self.things.by_token.items() if thing is old]:
                del self.things.by_token[i]
        new = Thing(token, token, token, like.name, like.role, like.plural, determiner="a")
        self.things.by_token[token.i] = new
        self.things.all.append(new)

    def _before(self, token: Token) -> list[Thing]:
        return [thing for thing in self.things.all if thing.last.i < token.i]

    def _other(self, token: Token) -> Thing | None:
        """What "a white one" is another of; None where it is what was named, or some of it."""
        if token.low != "one" or token.dep in ("attr", "appos", "dep") or token.head.low == "by":
            return None
        led = any(each.low in ("a", "an", "another") for each in token.children("det"))
        if not led or not token.children("amod", "compound", "nmod"):
            return None
        before = self._before(token)
        if token.dep == "nsubj" and any(t.plural for t in before[-4:]):
            return None
        near = [t for t in before if t.first.sentence == token.sentence] or before[-1:]
        if token.dep == "pobj":
            same = [t for t in near if t.head.dep == "pobj" and t.head.head.low == token.head.low]
            near = same or near
        told = [t for t in near if self.adjectives(t)]
        like = next(iter(told or near), None)
        plain = like is not None and not like.plural and like.role not in (*SETTING, "person")
        return like if plain else None

    def _owner(self, token: Token) -> Token | None:
        """Whose "hers" and "the girl's" are, where no noun follows."""
        after = self.text.tokens[token.i + 1 : token.i + 3]
        if not after or after[0].sentence != token.sentence:
            return None
        color = is_color(self.text, after[0]) and not (len(after) > 1 and after[1].noun)
        if token.low in _OWN:
            return token if color or after[0].low in BE else None
        if token.low != "'s" or not token.i:
            return None
        whose = self.things.by_token.get(token.i - 1)
        person = whose is not None and whose.role == "person"
        bare = color or (after[0].low == "," and any(e.low in BE for e in self._clause(token)))
        return self.text.tokens[token.i - 1] if person and bare else None

    def _clause(self, token: Token) -> Iterator[Token]:
        """The words behind a word, up to the end of its clause."""
        for each in self.text.tokens[token.i + 1 :]:
            if each.sentence != token.sentence or each.low in (";", ".", ":"):
                return
            yield each

    def _owned(self, token: Token, owner: Token) -> None:
        """Take the clothes that were named last for what somebody else has, too."""
        like = next((t for t in reversed(self._before(token)) if t.role == "clothes"), None)
        if like is None or token.sentence - like.first.sentence > 1:
            return
        self._add(token, like)
        self.owners[token.i] = owner
        for each in self._clause(token):
            if is_color(self.text, each):
                self.text.told.append((token, each))
                self.text.apart.add(each.i)
            elif each.low in (",", "and") and self.text.low[each.i - 1] != "'s":
                return
