"""What holds what: in a hand, in a bowl, filled with; by verbs and participles."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing


def standing(
    one: Thing,
    relation: str,
    other: Thing,
    first: Token,
    last: Token,
    denied: bool,
    doubted: bool,
) -> Draft:
    """Return the claim that a thing stands so to another."""
    return Draft(
        "relation", one, first, last, relation, other, None,
        negated=denied or one.negated or other.negated,
        hedged=doubted or one.hedged or other.hedged,
    )  # fmt: skip


class Holding:
    """Reads which things hold others."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.lexicon = sight, sight.text.lexicon

    def drafts(self) -> Iterator[Draft]:
        """Yield a claim for each thing that is said to be held, or to be inside another."""
        yield from self._held()
        yield from self._filled()

    def _held(self) -> Iterator[Draft]:
        """ "Holding an umbrella", "with an umbrella in her hand"."""
        sight = self.sight
        for verb in sight.text.tokens:
            relation = self.lexicon.maps["relations.verbs"].get(verb.lemma)
            if relation is None or not verb.verb or relation in ("None", "under_on"):
                continue
            objects = [
                t for each in verb.children("dobj") for t in sight.mentions.resolve_all(each)
            ]
            subjects = sight.frames.subjects(verb)
            if verb.children("auxpass") or (verb.tag == "VBN" and not objects):
                agents = [p for by in verb.children("agent") for p in by.children("pobj")]
                objects, subjects = (
                    subjects,
                    [t for p in agents for t in sight.mentions.resolve_all(p)],
                )
            denied, doubted = sight.certainty.verb(verb)
            for one in subjects:
                for other in objects:
                    if one is other or one.role in SETTING or other.role in SETTING:
                        continue
                    if relation == "contains" or (relation == "holds" and not one.alive):
                        yield standing(other, "inside", one, verb, other.last, denied, doubted)
                        continue
                    yield standing(one, relation, other, verb, other.last, denied, doubted)
        yield from self._in_hand()

    def _filled(self) -> Iterator[Draft]:
        """ "A basket full of tulips", "filled with": these are inside it, or on a top."""
        sight, words = self.sight, self.lexicon.maps["relations.filled"]
        for token in sight.text.tokens:
            relation = words.get(token.low)
            if relation is None:
                continue
            objects = [
                thing
                for prep in token.children("prep")
                if prep.low in ("with", "of")
                for pobj in prep.children("pobj")
                for thing in sight.mentions.resolve_all(pobj)
            ]
            if not objects:
                continue
            for one in self._bearers(token):
                top = one.head.lemma in self.lexicon.maps["relations.titles"]
                for other in objects:
                    if one is not other and one.role not in SETTING:
                        yield standing(
                            other, "on" if top and one.head.lemma != "shelf" else relation, one,
                            token, other.last, False, False,
                        )  # fmt: skip

    def _bearers(self, token: Token) -> list[Thing]:
        """What a participle or an adjective is said of."""
        if token.dep in ("acl", "amod", "appos", "relcl") and token.head.noun:
            return self.sight.mentions.resolve(token.head)
        return self.sight.frames.governors(token) or self.sight.frames.subjects(token)

    def _in_hand(self) -> Iterator[Draft]:
        sight = self.sight
        for thing in sight.things.all:
            if thing.head.lemma not in ("hand", "arm", "paw") or thing.head.dep != "pobj":
                continue
            owner = thing.head.children("poss")
            if thing.head.head.low != "in" or not owner:
                continue
            thing.silent = True
            holders = sight.mentions.resolve(owner[0])
            held = [t for t in sight.frames.governors(thing.head.head) if t.role != "person"]
            for one in holders:
                for other in held:
                    if one.alive and one is not other:
                        yield standing(one, "holds", other, other.first, thing.last, False, False)
