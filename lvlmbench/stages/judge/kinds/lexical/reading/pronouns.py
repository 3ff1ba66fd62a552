"""What "he", "she" and "it" stand for."""

from __future__ import annotations

from itertools import takewhile

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.several import Several
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE

_OF_SOMEBODY = frozenset({"his", "her", "their", "its"})
_SPOKEN_OF = frozenset({"nsubj", "nsubjpass", "attr", "ROOT", "dobj"})
_LEADS = ("nsubj", "nsubjpass", "ROOT")


class Pronouns(Several):
    """Pronouns that stand for one."""

    def pronoun(self, token: Token, kind: str) -> list[Thing]:
        """Return what a pronoun stands for; ``kind`` is that of people.yaml."""
        if kind == "many":
            return self.many(token)
        prior = [t for t in self.prior(token) if t.role not in (*SETTING, "clothes")]
        acting = self.own_subject(token)
        if kind in ("male", "female"):
            if some := self._spoken_of(token, kind):
                return some
            fits = [
                t
                for t in prior
                if t.role == "person" and not t.plural and t.says.get("gender", kind) == kind
            ]
            fits = [t for t in fits if t not in acting] or fits
            fits = self._surely(token, kind, fits)
            fits = fits or [t for t in prior if t.role == "animal" and not t.plural]
            fits = fits or [
                t for t in prior if t.name in ("snowman", "doll", "scarecrow", "statue")
            ]
            return fits[:1]
        if (host := self.host(token)) is not None:
            return [host]
        fits = [t for t in prior if t.role != "person" and not t.plural]
        fits = [t for t in fits if t not in acting] or fits
        if token.dep in ("nsubj", "nsubjpass", "poss", "pobj") and fits:
            return [self._topic(token, fits)]
        return fits[:1]

    def _surely(self, token: Token, kind: str, fits: list[Thing]) -> list[Thing]:
        """Put who is known to be of a gender before who may be; whom "is" names, behind."""
        named_last = (t for t in reversed(self.things.all) if t.last.i < token.i)
        before = list(takewhile(lambda t: t.last.sentence >= token.sentence - 1, named_last))
        told = {id(t.root): t.last.sentence for t in reversed(before)}
        near = [t for t in fits if told.get(id(t), -1) >= token.sentence - 1]
        known = [t for t in near if t.says.get("gender") == kind]
        named = [t for t in fits if _only_named(t)]
        subjects = [t for t in near if t not in named]
        if known and fits[0] not in known:
            return known
        if subjects and fits[:1] == named[:1]:
            return subjects
        fits = [t for t in fits if t not in named] or fits
        if token.dep in ("nsubj", "nsubjpass") and near:
            last = told.get(id(near[0]))
            led = {id(t.root) for t in before if t.last.sentence == last and t.head.dep in _LEADS}
            return [t for t in near if id(t) in led] or fits
        return fits

    def host(self, token: Token) -> Thing | None:
        """Return what has something in "a desk with a lamp on it", by the pronoun."""
        lead = self.companion(token)
        if lead is None:
            return None
        before = self.text.tokens[lead.i - 1] if lead.i else lead
        if before.low != ",":
            return next((t.root for t in self.things.all if t.last is before), None)
        inside = [
            t
            for t in self.things.all
            if t.first.sentence == token.sentence and t.last.i < lead.i and t.role not in SETTING
        ]
        shown = next((t for t in inside if t.head.dep == "attr"), None)
        return next((t.root for t in (shown, *inside) if t is not None), None)

    def companion(self, token: Token) -> Token | None:
        """Return the "with" that leads "a lamp on it"; None where the pronoun ends no such."""
        owned = any(e.dep == "poss" and e.low in _OF_SOMEBODY for e in token.below)
        if token.dep != "pobj" or not (owned or token.low in ("it", "them", "him", "her")):
            return None
        named = False
        for each in reversed(self.text.tokens[max(0, token.i - 9) : token.i]):
            if each.low == "with":
                return each if named else None
            if each.low in (",", ".", ";", "is", "are", "there") or each.tag in ("VBZ", "VBD"):
                return None
            named = named or each.i in self.things.by_token
        return None

    def _alike(self, token: Token) -> list[Thing]:
        """What the same word stood for at the begin of the sentence before: "On its left …"."""
        first = token
        while first.i not in self.stood and (same := self._begun_alike(first)) is not None:
            first = same
        return self.resolve(first) if first is not token else []

    def _begun_alike(self, token: Token) -> Token | None:
        """The same word at the begin of the sentence before, both begun by a preposition."""
        own = self.text.sentence(token)
        if not token.sentence or token not in own[:4] or own[0].tag != "IN":
            return None
        before = self.text.sentences[token.sentence - 1]
        return next((e for e in before[:4] if e.low == token.low and before[0].tag == "IN"), None)

    def _spoken_of(self, token: Token, gender: str) -> list[Thing]:
        """One of several that the sentence, or the one before, begins with: "the first … he"."""
        for each in reversed(self.text.tokens[: token.i]):
            if each.sentence < token.sentence - 1:
                break
            if each.dep != "nsubj" or each.low in ("who", "which", "that"):
                continue
            if each.low not in self.pronouns and self.some_of(each):
                found = self.some(each)
                return [t for t in found if t.says.get("gender", gender) == gender and t.alive]
            if each.i in self.things.by_token:
                break
        return []

    def _topic(self, token: Token, fits: list[Thing]) -> Thing:
        """What the sentence before spoke of, rather than what it ended with."""
        if (again := self._alike(token)) and again[0] in fits:
            return again[0]
        own = self.text.sentence(token)
        if [e.low for e in own[:2]] == ["as", "for"]:  # "As for the map, it is …"
            led = [t.root for t in self.things.all if own[0].i < t.first.i and t.last.i < token.i]
            fits = [t for t in led if t in fits][:1] or fits
            return fits[0]
        verbless = not any(each.tag in FINITE or each.low in (":", ";", "on") for each in own)
        for back in (0, 1):
            for thing in self.things.all:
                if thing.last.i >= token.i or thing.first.sentence != token.sentence - back:
                    continue
                lead = self.text.tokens[max(0, token.head.i - 1)] if token.dep == "pobj" else None
                if lead is thing.last or thing.head.head.dep == "relcl":
                    continue
                verb = next((e for e in token.up() if e.verb), None)
                if lead is not None and not lead.noun and thing.head.head is verb:
                    continue
                told = thing.head.dep in _SPOKEN_OF or (verbless and back == 0)
                if thing.root in fits and told:
                    return thing.root
        return fits[0]


def _only_named(thing: Thing) -> bool:
    """Whether a word only says what somebody is: "the woman might be a pirate or a queen"."""
    top = thing.head.head if thing.head.dep == "conj" else thing.head
    return top.dep == "attr" and not top.head.children("expl")
