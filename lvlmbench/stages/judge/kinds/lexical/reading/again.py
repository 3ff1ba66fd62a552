"""What is named again: "the dog", "the animal", "a runner, a young woman"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.left_out import LeftOut
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text
from lvlmbench.stages.judge.kinds.lexical.reading.pronouns import Pronouns
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing, Things

_DEFINITE = frozenset(
    ("the", "this", "that", "these", "those", "his", "her", "its", "their", "both", "each", "all")
)
_OF_SOMEBODY = frozenset({"his", "her", "their", "its"})
_OTHER = frozenset({"other", "another", "second", "third", "fourth", "fifth", "different"})
_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
#: Words of one sort that may stand for another thing of it.
_VEHICLES = frozenset(
    (
        "car", "bus", "truck", "taxi", "van", "bicycle", "motorcycle", "train", "boat", "ship",
        "jeep", "tram", "tractor",
        "ambulance", "pickup truck", "police car", "racing car", "fire engine", "airplane",
        "helicopter", "bike", "scooter",
    )
)  # fmt: skip

_TEENAGE = frozenset({"teenage", "teenaged", "adolescent"})


class Again(Pronouns):
    """Nouns that stand for what was named before."""

    def __init__(self, text: Text, things: Things) -> None:
        super().__init__(text, things)
        self._adjectives: dict[int, frozenset[str]] = {}
        seen: list[Thing] = []
        self.owners = LeftOut(text, things, self.adjectives).owners
        for thing in things.all:
            thing.says.update(text.lexicon.says.get(thing.name) or self._said(thing))
            if thing.role == "person" and self.adjectives(thing) & _TEENAGE:
                thing.says["age"] = "teenager"
            thing.same = self._again(thing, seen)
            if thing.same is not None and thing.role == "person":
                for relation, value in thing.says.items():
                    thing.root.says.setdefault(relation, value)
            if thing.same is None:
                seen.append(thing)

    def _said(self, thing: Thing) -> tuple[tuple[str, str], ...]:
        """What the last word of a name for a person says: "lollipop man", "yachtswoman"."""
        lemma = thing.head.lemma
        if thing.role != "person":
            return ()
        for ending, gender in (("woman", "female"), ("sman", "male"), ("tman", "male")):
            if lemma.endswith(ending) and lemma not in self.text.lexicon.says:
                return (("gender", gender),)
        return self.text.lexicon.says.get(lemma, ())

    def adjectives(self, thing: Thing) -> frozenset[str]:
        """Return the words that are said of a thing right before it."""
        found = self._adjectives.get(id(thing))
        if found is None:
            found = frozenset(
                each.low
                for child in thing.head.below
                if child.dep in ("amod", "compound", "nummod") and child.i < thing.first.i
                for each in child.joined()
            )
            self._adjectives[id(thing)] = found
        return found

    def _again(self, thing: Thing, seen: list[Thing]) -> Thing | None:
        """What a thing names again, if it does."""
        if thing.role in SETTING:
            return next((s for s in seen if s.role == thing.role and s.name == thing.name), None)
        above = self.things.by_token.get(thing.head.head.i)
        above = above.root if above is not None else None
        if above is None and thing.head.dep == "attr" and thing.head.head.dep == "relcl":
            above = self.things.by_token.get(thing.head.head.head.i)  # "who is a young man"
            named = thing.role == "person" and above is not None and above.role == "person"
            if named and above is not None and above in seen:
                return above
        if (beside := self._apposed(thing)) is not None and beside in seen:
            return beside
        if above is None and thing.head.dep == "appos" and self.some_of(thing.head.head):
            above = next(iter(self.some(thing.head.head)), None)  # "the one there, a woman"
            if above is not None and thing.role == above.role == "person" and above in seen:
                return above
        apposed = thing.head.dep == "appos" and thing.role == "person" and above in seen
        if (
            apposed
            and above is not None
            and above.role == "person"
            and above.plural == thing.plural
        ):
            return above
        own = self.adjectives(thing)
        known = [s for s in reversed(seen) if s.name == thing.name and s.role == thing.role]
        if (
            (order := own & _ORDER.keys())
            and thing.determiner == "the"
            and not any(s.plural for s in known)
        ):
            place, singles = _ORDER[min(order)], known[::-1]
            return singles[place] if place < len(singles) else None
        if own & _OTHER:
            return next((s for s in known if s.plural), None) if "other" in own else None
        if thing.determiner not in _DEFINITE:
            if thing.head.low in ("one",) or "one" in own:
                later = [s for s in known if s.plural and thing.head.dep != "conj"]
                return next(
                    (s for s in later if _before(s, thing) or thing.head.dep == "nsubj"), None
                )
            if not thing.determiner and not own and known and known[0].plural == thing.plural:
                return known[0]  # in the style of telegrams
            return None
        if known:
            return self._like(own, known, thing)
        heads = self.text.lexicon.lists["nouns.heads"]  # "the bench": a workbench
        longer = [
            s
            for s in reversed(seen)
            if _names_more(s, thing)
            or (thing.name in heads and s.name.endswith(thing.name) and s.plural == thing.plural)
        ]
        return self._like(own, longer, thing) if longer else self._general(thing, seen)

    def _apposed(self, thing: Thing) -> Thing | None:
        """Who "his apprentice, a lanky girl, mixes", "the other is a woman" speak of."""
        if thing.role != "person" or thing.determiner not in ("a", "an"):
            return None
        be = thing.head.head
        if thing.head.dep == "attr" and be.lemma == "be":
            for each in be.children("nsubj"):
                found = self.some(each) if self.some_of(each) else self.resolve(each)
                general = self.text.has("people.general", thing.name) or self.some_of(each)
                return next((t for t in found if t.role == "person" and general), None)
            return None
        at = thing.first.i - 1
        while at > 0 and self.text.tokens[at].tag in ("DT", "JJ", "RB", "VBN"):
            at -= 1
        before = self.things.by_token.get(at - 1)
        if at and self.text.low[at] == "," and self.some_of(self.text.tokens[at - 1]):
            some = self.some(self.text.tokens[at - 1])
            return next((t for t in some if t.role == "person"), None)
        if self.text.low[at] != "," or before is None or before.role != "person":
            return None
        known = before.determiner in _DEFINITE and not before.plural
        return before.root if known else None

    def _like(self, own: frozenset[str], known: list[Thing], thing: Thing) -> Thing | None:
        """The one that is most alike in color; none where all have others."""
        colors = {word for word in own if self.text.lexicon.kinds.get(word) == "color"}
        if thing.plural and not any(s.plural for s in known):
            return known[0] if len(known) > 1 else None
        if not colors:
            return known[0]
        for each in known:
            if colors & self.adjectives(each):
                return each
        for each in known:
            theirs = self.adjectives(each)
            if not any(self.text.lexicon.kinds.get(word) == "color" for word in theirs):
                return each
        return None

    def _general(self, thing: Thing, seen: list[Thing]) -> Thing | None:
        """What "the animal", "the person", "the woman" stand for."""
        kind = self.text.lexicon.maps["nouns.general"].get(thing.name)
        if kind == "animals":
            return next((s for s in reversed(seen) if s.role == "animal"), None)
        if thing.name == "vehicle":
            return next((s for s in reversed(seen) if s.name in _VEHICLES), None)
        kin = thing.name in ("mother", "father", "parent") and thing.determiner != "their"
        if thing.determiner in _OF_SOMEBODY and not kin:
            return None
        if thing.role != "person" or not self.text.has("people.general", thing.name):
            return None
        for each in reversed(seen):
            if each.role == "person" and each.plural == thing.plural and _compatible(each, thing):
                return each
        return None


def _names_more(known: Thing, again: Thing) -> bool:
    """Whether a name ends with another: "the jar" is the jam jar."""
    same = known.plural == again.plural and known.role == again.role
    return same and known.name.endswith(f" {again.name}")


def _before(one: Thing, other: Thing) -> bool:
    return one.first.sentence < other.first.sentence


def _compatible(known: Thing, again: Thing) -> bool:
    """Whether a word for a person may stand for another person that was named."""
    if not known.says or not again.says:
        return True
    if known.says == again.says:
        return True
    shared = known.says.items() & again.says.items()
    return again.name == "child" and bool(shared)
