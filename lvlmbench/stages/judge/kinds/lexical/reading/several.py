"""What "they", "both", "one of them", "the latter" stand for."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.prior import Prior
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_ONE_OF = frozenset((
    "one", "other", "another", "first", "second", "third", "last", "most", "some", "few", "rest",
    "remainder",
))  # fmt: skip
_PLACES = {"first": 0, "second": 1, "third": 2, "last": -1}
_LEADS = ("nsubj", "nsubjpass", "ROOT")
_SPOKEN_OF = ("nsubj", "nsubjpass", "attr", "ROOT", "dobj")


class Several(Prior):
    """Words that stand for several things, or for some of several."""

    def some_of(self, token: Token) -> bool:
        """Return whether a word stands by itself for one or some of what was named."""
        if token.low in ("former", "latter", "others", "ones"):
            return True
        if token.low not in _ONE_OF and token.tag != "CD":
            return False
        return not (token.head.noun and token.head.i > token.i and token.dep != "nsubj")

    def some(self, token: Token) -> list[Thing]:
        """Return what "one", "the other", "the last two", "the former" stand for."""
        told = [t for t in self.prior(token) if t.role not in SETTING]
        folk = any(t.alive for t in told)  # whose clothes are not spoken of by themselves
        prior = [t for t in told if t.role != "clothes" or not folk]
        if token.low in ("former", "latter"):
            pair = prior[:2]
            if len(pair) == 2 and token.dep == "nsubj" and pair[0].plural and pair[0].alive:
                return pair[:1]  # "two fencers …. The former"
            for thing in reversed(self.things.all):
                if thing.last.i < token.i and thing.head.dep == "conj":
                    pair = self.resolve_named(thing.head.head)[::-1] or pair
                    break
            return pair[:1] if token.low == "latter" else pair[1:2]
        singles = token.low in _PLACES and not any(t.plural for t in prior[:2])
        if singles and (listed := self._listed(token)):
            at = _PLACES[token.low]
            return listed[at : at + 1] if at >= 0 else listed[-1:]
        if token.low in ("one", "ones") and token.dep == "attr" and token.head.lemma == "be":
            for each in token.head.children("nsubj"):
                if found := self.resolve(each):
                    return found
        if like := self._like_one(token, prior):
            return like
        many = [t for t in prior if t.plural]
        near = [t for t in many if t.head.dep in _SPOKEN_OF or t.alive]
        if token.dep == "nsubj" and any(t.alive for t in near):
            near = [t for t in near if t.alive]
        return (near or many or (prior if token.low == "one" else []))[:1]

    def _like_one(self, token: Token, prior: list[Thing]) -> list[Thing]:
        """ "The white one": the single thing that was said to be white."""
        own = {each.low for each in token.children("amod", "compound")}
        if token.low != "one" or not own or any(t.plural for t in prior[:4]):
            return []
        return [t for t in prior if own & self.adjectives(t)][:1]

    def _listed(self, token: Token) -> list[Thing]:
        """The last things that stand together: "a fir and a streetlight … the first"."""
        for thing in reversed(self.things.all):
            if thing.last.i < token.i and thing.head.dep == "conj" and thing.role not in SETTING:
                top = thing.head
                while top.dep == "conj":
                    top = top.head
                return self.resolve_named(top)
        return []

    def many(self, token: Token) -> list[Thing]:
        """Return what "they" or "both" is: the last plural, or the last that stand together."""
        if token.low in self.pronouns and (one := self._one_of_unknown_gender(token)):
            return one
        if token.low in self.pronouns and (led := self._lead_of_many(token)):
            return led
        if token.head.low == "of" and token.head.head.low in ("neither", "both"):
            folk = [t for t in self.prior(token) if t.role == "person"][:2]
            if len(folk) == 2 and not any(t.plural for t in folk):
                return folk[::-1]
        for thing in reversed(self.things.all):
            if thing.last.i >= token.i or thing.role in (*SETTING, "clothes"):
                continue
            lemma = thing.head.lemma
            if self.text.has("people.body", lemma) or self.text.has("people.hairstyles", lemma):
                continue
            if thing.plural and (token.low not in ("two", "both") or _two(thing)):
                return [self._spoken_of_many(token, thing).root]
            top = thing.head
            while top.dep == "conj":
                top = top.head
            together = [t for t in self.resolve_named(top) if t.role not in SETTING]
            if len(together) > 1:
                return together
        prior = [t for t in self.prior(token) if t.role not in (*SETTING, "clothes")]
        if token.low == "both":
            acting = self.own_subject(token)
            prior = [t for t in prior if t not in acting]
        people = [t for t in prior if t.role == "person"]
        return list(reversed(people[:2])) if len(people) > 1 else list(reversed(prior[:2]))

    def _lead_of_many(self, token: Token) -> list[Thing]:
        """The several that the sentence before begins with: "Two calves stand …. They …"."""
        if token.dep not in ("nsubj", "nsubjpass", "poss"):
            return []
        for thing in self.things.all:
            if thing.first.sentence == token.sentence - 1 and thing.head.dep in _LEADS:
                return [thing.root] if thing.plural and thing.role not in SETTING else []
        return []

    def _spoken_of_many(self, token: Token, last: Thing) -> Thing:
        """The several that a sentence speaks of, not those that it ends with."""
        if (
            token.head.low == "of"
            or last.head.dep not in ("pobj", "dobj")
            or token.low not in ("them", "they")
        ):
            return last
        for thing in self.things.all:
            if thing.plural and thing.first.sentence == last.first.sentence:
                return thing if thing.head.dep in _SPOKEN_OF and thing.role != "clothes" else last
        return last

    def _one_of_unknown_gender(self, token: Token) -> list[Thing]:
        """Who alone was just spoken of: "The child smiles. They wear a cap."."""
        said = [t for t in self.things.all if t.last.i < token.i and t.alive]
        last = said[-1].first.sentence if said else -1
        if any(last < t.first.sentence < token.sentence for t in self.things.all):
            return []  # other things were spoken of since
        near = {id(t.root): t.root for t in said if t.first.sentence == last}
        people = [t for t in near.values() if t.role == "person"]
        alone = len(near) == 1 and len(people) == 1
        unknown = alone and not people[0].plural and "gender" not in people[0].says
        return people if unknown else []


def _two(thing: Thing) -> bool:
    """Whether a thing is said to be two."""
    return any(e.low in ("two", "2") for e in thing.head.below) or (
        thing.head.dep == "pobj" and thing.head.head.head.lemma in ("pair", "couple")
    )
