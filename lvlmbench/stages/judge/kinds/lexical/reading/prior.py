"""What was named before a word."""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing, Things

#: Words between a noun and "of which".
_STEPS = frozenset({",", "the", "top", "front", "left", "right", "side", "middle", "center"})


class Prior:
    """Things of a text in the order that they are spoken of."""

    def __init__(self, text: Text, things: Things) -> None:
        self.text, self.things = text, things
        self.stood: dict[int, list[Thing]] = {}  # what pronouns were found to stand for
        self.pronouns = {
            word: kind
            for kind in ("male", "female", "thing", "many")
            for word in text.lexicon.lists[f"people.pronouns.{kind}"]
        }

    def resolve(self, token: Token) -> list[Thing]:
        """Return what a word stands for; told where all kinds of words are known."""
        raise NotImplementedError

    def adjectives(self, thing: Thing) -> frozenset[str]:
        """Return the words that are said of a thing right before it; told there, too."""
        raise NotImplementedError

    def prior(self, token: Token) -> Iterable[Thing]:
        """Yield things named before a word, the last first, each as what it stands for."""
        done: set[int] = set()
        for thing in reversed(self.things.all):
            if thing.last.i < token.i and id(thing.root) not in done:
                done.add(id(thing.root))
                yield thing.root

    def resolve_named(self, token: Token) -> list[Thing]:
        """Return the things that a word and those coordinated with it name."""
        found = (self.things.by_token.get(each.i) for each in token.joined())
        return list(dict.fromkeys(thing.root for thing in found if thing is not None))

    def resolve_all(self, token: Token) -> list[Thing]:
        """Return what a word and those coordinated with it stand for, each once."""
        out: list[Thing] = []
        for each in token.joined():
            out += [thing for thing in self.resolve(each) if thing not in out]
        return out

    def part_of(self, token: Token) -> Token | None:
        """Return what stands after "a group of", "one of"."""
        if not self.text.has("nouns.measures", token.lemma):
            return None
        for child in token.below:
            if child.low == "of" and child.i > token.i:
                return next(iter(child.children("pobj")), None)
        return None

    def relative(self, token: Token) -> list[Thing]:
        """Return what "who" or "that" stands for: what its clause hangs on."""
        verb = token.head
        while verb.dep not in ("relcl", "acl") and verb.head is not verb:
            verb = verb.head
        return self.resolve(verb.head) if verb.head is not verb else []

    def led_to(self, token: Token) -> list[Thing]:
        """Return what "which" stands for in "a shelf, on top of which there is a cup"."""
        at = token.i - 1
        while at >= 0 and (self.text.tokens[at].tag in ("IN", "TO") or self.text.low[at] in _STEPS):
            at -= 1
        if at < 0 or self.text.tokens[at].sentence != token.sentence:
            return []
        relative = next((e.head for e in token.up() if e.dep == "relcl"), None)
        if relative is not None and (own := self.things.by_token.get(relative.i)) is not None:
            return [own.root]
        while at >= 0 and at not in self.things.by_token:
            at -= 1
        last = self.things.by_token.get(at)
        same = last is not None and last.last.sentence == token.sentence
        return [last.root] if last is not None and same else []

    def own_subject(self, token: Token) -> list[Thing]:
        """Return what "it" cannot stand for in "a dog runs past it": the subject of its verb."""
        if token.dep not in ("pobj", "dobj"):
            return []
        beside = self.things.by_token.get(token.head.i - 1)
        if beside is not None and beside.head.dep not in ("nsubj", "nsubjpass"):
            return []  # "is smaller than the wolf behind it"
        for above in token.up():
            if above.noun:
                return []
            for subject in above.children("nsubj", "nsubjpass"):
                if subject.i < token.i:
                    return self.resolve_named(subject)
        return []
