"""How things stand to each other: phrases of place, comparisons, verbs."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.related import Found, draft, following, worn
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.turned import turned

#: Prepositions that are relations only where the parser sees a preposition of place.
_SHORT = frozenset((
    "in", "on", "at", "by", "over", "before", "around", "off", "against", "along", "near",
    "behind", "under",
))  # fmt: skip
#: Verbs of which the object, not the subject, is then somewhere.
_MOVES = frozenset({"pour", "put", "place", "drop", "set", "lay", "stack", "pack", "load", "hang"})
_STEPS = frozenset(
    {"det", "amod", "compound", "nummod", "poss", "advmod", "predet", "nmod", "punct"}
)


class Relations:
    """Reads the relations between things."""

    def __init__(self, sight: Sight, taken: set[int]) -> None:
        self.sight = sight
        self.lexicon = sight.text.lexicon
        self.taken = taken
        self._starts = {phrase[0] for phrase in self.lexicon.phrases}

    def drafts(self) -> Iterator[Draft]:
        """Yield a claim for each two things that are said to stand so to each other."""
        for found in self._phrases():
            yield from turned(self.sight, found) if found.own else self._between(found)
        yield from self._mutual()
        for noun, relation, title in self.sight.text.linked:
            for other in self.sight.mentions.resolve(title):
                for one in self.sight.mentions.resolve(noun):
                    yield draft(one, relation, other, title, noun, False, False)

    def _phrases(self) -> Iterator[Found]:
        low, tokens = self.sight.text.low, self.sight.text.tokens
        i = 0
        while i < len(low):
            if i in self.taken:
                i += 1
                continue
            found = self._longest(i)
            covered = low[i] == "in" and tokens[i].head.tag == "VBN"
            covered = covered and self.sight.text.has("adjectives.covered", tokens[i].head.low)
            if found is None or covered or low[i : i + 2] == ["besides", ","]:
                i += 1
                continue
            n, relation, own = found
            if n == 2 and low[i + 1] == "on" and (self._longest(i + 1) or (0,))[0] > 1:
                i += 1  # "placed on top of"
                continue
            if n > 1 or self._placed(tokens[i]):
                yield Found(tokens[i], tokens[i + n - 1], relation, own)
            i += n

    def _longest(self, i: int) -> tuple[int, str, bool] | None:
        low = self.sight.text.low
        if low[i] not in self._starts:
            return None
        for n in range(min(8, len(low) - i), 0, -1):
            words = tuple(low[i : i + n])
            if words in self.lexicon.own:
                return n, self.lexicon.own[words], True
            if words in self.lexicon.phrases:
                return n, self.lexicon.phrases[words], False
        return None

    def _placed(self, token: Token) -> bool:
        """Whether a single word is a preposition of place here."""
        if token.i in self.sight.things.by_token:
            return False
        if token.low in _SHORT or token.low in (
            "above",
            "below",
            "underneath",
            "beneath",
            "inside",
            "within",
            "alongside",
        ):
            return (
                token.dep in ("prep", "advmod", "prt", "pcomp", "mark")
                and bool(token.children("pobj"))
            ) or token.dep == "prep"
        return token.tag in ("IN", "RB", "VBG", "RP", "VBN", "JJ")

    def _object(self, found: Found) -> Token | None:
        """The word that a phrase leads to."""
        text = self.sight.text
        for i in range(found.last.i, found.first.i - 1, -1):
            for each in text.tokens[i].children("pobj", "npadvmod", "dobj"):
                if each.i > found.last.i:
                    return each
        for each in self.sight.after(found.last, 7):
            if each.i in self.sight.things.by_token or each.tag == "PRP":
                thing = self.sight.things.by_token.get(each.i)
                return thing.head if thing is not None else each
            if each.verb or (each.noun and self.sight.mentions.part_of(each)):
                return each if each.noun else None
        return None

    def _between(self, found: Found) -> Iterator[Draft]:
        target = self._object(found)
        if target is None:
            return
        objects = [
            thing for thing in self.sight.mentions.resolve_all(target) if thing.role not in SETTING
        ]
        if not objects:
            return
        subjects = [
            thing for thing in self._stand(found, target)
            if thing.role not in SETTING and thing not in objects
        ]  # fmt: skip
        denied, doubted = self._certain(found.first, found.last)
        if found.relation == "between":
            objects += self._and(objects) if len(objects) == 1 else []
            yield from self._third(found, subjects, objects, denied, doubted)
            return
        for subject in subjects:
            for other in objects:
                if worn(subject, other):
                    continue
                yield draft(subject, found.relation, other, found.first, target, denied, doubted)

    def _stand(self, found: Found, target: Token) -> list[Thing]:
        """What stands so: who wears it instead of a garment, what is shown instead of a picture."""
        governed = self._subjects(found, target)
        if governed and all(thing.role in SETTING for thing in governed):
            for each in reversed(self.sight.text.tokens[: found.first.i]):
                thing = self.sight.things.by_token.get(each.i)
                if each.sentence != found.first.sentence or each.tag == "IN":
                    break
                if thing is not None:
                    return self._shared([thing.root], found.first, thing.head)
        if governed and all(thing.wearer is not None for thing in governed):
            if target.children("poss"):
                return []  # "a scarf on her head"
            wearers = (thing.wearer for thing in governed if thing.wearer is not None)
            return list(dict.fromkeys(wearers))
        return governed

    def _third(
        self,
        found: Found,
        subjects: list[Thing],
        objects: list[Thing],
        denied: bool,
        doubted: bool,
    ) -> Iterator[Draft]:
        first, second = objects[0], objects[1] if len(objects) > 1 else None
        for subject in subjects:
            made = draft(subject, "between", first, found.first, objects[-1].head, denied, doubted)
            made.value = second.name if second is not None else None
            yield made

    def _and(self, objects: list[Thing]) -> list[Thing]:
        """What follows "and" right behind a thing, however it is parsed."""
        near = list(self.sight.after(objects[0].last, 6))
        if not near or near[0].low != "and":
            return []
        found = (self.sight.things.by_token.get(e.i) for e in near)
        return [t.root for t in found if t is not None and t.root is not objects[0]][:1]

    def _certain(self, token: Token, last: Token | None = None) -> tuple[bool, bool]:
        """Whether the verb that a phrase hangs on is denied or left open."""
        denied, doubted = self.sight.certainty.word(token)
        before = self.sight.text.low[token.i - 1] if token.i else ""
        if before in ("no", "not") or any(each.dep == "neg" for each in token.below):
            denied = True  # "no taller than"
        for above in token.up():
            if above.verb and above.lemma in (
                "be",
                "look",
                "appear",
                "stand",
                "sit",
                "lie",
                "hang",
            ):
                no, maybe = self.sight.certainty.verb(above)
                there = bool(above.children("expl"))
                return denied or (no and not there), doubted or maybe
            if above.noun and (last is None or above.i > last.i):
                break
            if above.verb and above.children("nsubj", "nsubjpass"):
                break
        return denied, doubted

    def _subjects(self, found: Found, target: Token) -> list[Thing]:
        sight = self.sight
        low = sight.text.low
        tokens = sight.text.tokens
        first = found.first
        start = (
            first.i == 0
            or tokens[first.i - 1].sentence != first.sentence
            or (tokens[first.i - 1].low in (",", "and", ";") and self._inverted(target))
            or (tokens[first.i - 1].low == ";" and low[target.i + 1 : target.i + 2] == [","])
        )
        verbless = not any(each.verb for each in sight.text.sentence(first))
        opens = verbless and first.i > 0 and tokens[first.i - 1].low in (";", ":", ".")
        if opens and (ahead := following(sight, target, direct=True)):
            return ahead  # "trestle table; on it a toaster"
        if target.low in ("which", "whom"):
            return following(self.sight, target, direct=True)
        if start and (acts := self._acting(first, target)):
            return acts
        if start:
            moved = following(self.sight, target)
            if moved:
                return moved
        top = first
        for token in tokens[first.i : found.last.i + 1]:
            if token.head.i < first.i or token.head.i > found.last.i:
                top = token
                break
        lead = sight.mentions.companion(target)
        if lead is not None:
            inner = [t for t in sight.things.all if lead.i < t.first.i and t.last.i < first.i]
            return list(dict.fromkeys(t.root for t in inner))
        if top.low in ("into", "onto", "in", "on") and top.head.lemma in _MOVES:
            moved_things = [
                t for each in top.head.children("dobj") for t in sight.mentions.resolve_all(each)
            ]
            if moved_things:
                return moved_things
        verbal = first.tag == "VBN" or (first.tag == "VBG" and bool(first.children("nsubj")))
        if verbal and (done := sight.frames.subjects(first)):
            return done  # "a parrot with a bandaged wing is perched on …"
        beside = sight.things.by_token.get(first.i - 1)
        compared = found.relation in ("larger", "smaller", "nearer", "farther", "same_size")
        if compared and beside is not None and beside.first.sentence == first.sentence:
            return [beside.root]
        return self._shared(sight.frames.governors(top), top)

    def _shared(self, governed: list[Thing], top: Token, noun: Token | None = None) -> list[Thing]:
        """All of "a cup and a plate on the table", where only the last has the phrase."""
        noun = noun or top.head
        if not noun.noun or noun.dep != "conj" or len(governed) != 1:
            return governed
        out, at = governed, noun
        while at.dep == "conj" and at.head.noun:
            at = at.head
            if at.children("prep", "acl", "relcl") and not self._measure(at):
                break
            out = [t for t in self.sight.mentions.resolve(at) if t not in out] + out
        return out

    def _measure(self, noun: Token) -> bool:
        return all(each.low == "of" for each in noun.children("prep", "acl", "relcl"))

    def _inverted(self, target: Token) -> bool:
        """Whether the subject follows: "behind it is a tree", "next to the cup there is"."""
        for each in self.sight.after(target, 8):
            if each.low in (
                "is",
                "are",
                "stands",
                "sits",
                "lies",
                "there",
                "hangs",
                "was",
                "were",
                "sit",
                "stand",
            ):
                return True
            if (
                each.low not in (",", "and")
                and each.dep not in ("conj", "cc", *_STEPS)
                and each.i not in self.sight.things.by_token
            ):
                return False
        return False

    def _acting(self, first: Token, target: Token) -> list[Thing]:
        """Who acts after a phrase of place: "on a balcony a lady in a bonnet waves"."""
        verb = first.head
        if not verb.verb or verb.i < target.i or verb.children("expl"):
            return []
        subject = next((e for e in verb.children("nsubj") if target.i < e.i < verb.i), None)
        if subject is not None and "which" in self.sight.text.low[target.i : subject.i]:
            return []
        return [] if subject is None else self.sight.mentions.resolve_all(subject)

    def _mutual(self) -> Iterator[Draft]:
        """ "A cup and a plate are side by side"."""
        low, tokens = self.sight.text.low, self.sight.text.tokens
        for phrase, relation in self.lexicon.mutual.items():
            n = len(phrase)
            for i in range(len(low) - n + 1):
                if low[i] != phrase[0] or tuple(low[i : i + n]) != phrase:
                    continue
                if i + n < len(low) and low[i + n] in ("as", "with", "to"):
                    continue
                things = [
                    t for t in self.sight.frames.governors(tokens[i]) if t.role not in SETTING
                ]
                if len(things) == 2:
                    no, maybe = self._certain(tokens[i])
                    yield draft(
                        things[0], relation, things[1], tokens[i], tokens[i + n - 1], no, maybe
                    )
