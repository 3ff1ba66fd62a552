"""What is named again: "the dog", "it", "she", "both" stand for the last that fits."""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing, Things

_DEFINITE = frozenset(
    ("the", "this", "that", "these", "those", "his", "her", "its", "their", "both", "each", "all")
)
_OF_SOMEBODY = frozenset({"his", "her", "their", "its"})
_OTHER = frozenset({"other", "another", "second", "third", "fourth", "fifth", "different"})
_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
_PAIRS = frozenset(
    ("both", "neither", "none", "each", "all", "they", "them", "their", "these", "either")
)
_ONE_OF = frozenset(
    ("one", "other", "another", "first", "second", "third", "last", "most", "some", "few")
)
_TEENAGE = frozenset({"teenage", "teenaged", "adolescent"})
_EVERYONE = frozenset({"everyone", "everybody"})
_PLACES = {"first": 0, "second": 1, "third": 2, "last": -1}
#: Parts of somebody that "they" seldom stands for.
_BODY = frozenset(("hair", "eye", "hand", "foot", "arm", "leg", "ear", "shoulder", "finger"))
#: Words between a noun and "of which".
_STEPS = frozenset({",", "the", "top", "front", "left", "right", "side", "middle", "center"})
_LEADS = ("nsubj", "nsubjpass", "ROOT")
_SPOKEN_OF = ("nsubj", "nsubjpass", "attr", "ROOT", "dobj")
#: Words of one sort that may stand for another thing of it.
_VEHICLES = frozenset(
    (
        "car", "bus", "truck", "taxi", "van", "bicycle", "motorcycle", "train", "boat", "ship",
        "jeep", "tram", "tractor",
        "ambulance", "pickup truck", "police car", "racing car", "fire engine", "airplane",
        "helicopter", "bike", "scooter",
    )
)  # fmt: skip


class Mentions:
    """Which things of a text are the same, and what its pronouns stand for."""

    def __init__(self, text: Text, things: Things) -> None:
        self.text, self.things = text, things
        self._pronouns = {
            word: kind
            for kind in ("male", "female", "thing", "many")
            for word in text.lexicon.lists[f"people.pronouns.{kind}"]
        }
        self._adjectives: dict[int, frozenset[str]] = {}
        seen: list[Thing] = []
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
        self._first = seen

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
        if above is None and thing.head.dep == "appos" and self.some_of(thing.head.head):
            above = next(iter(self._some(thing.head.head)), None)  # "the one there, a woman"
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
        longer = [s for s in reversed(seen) if _names_more(s, thing)]
        return self._like(own, longer, thing) if longer else self._general(thing, seen)

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
        if thing.determiner in _OF_SOMEBODY and thing.name not in ("mother", "father", "parent"):
            return None
        if thing.role != "person" or not self.text.has("people.general", thing.name):
            return None
        for each in reversed(seen):
            if each.role == "person" and each.plural == thing.plural and _compatible(each, thing):
                return each
        return None

    def resolve(self, token: Token) -> list[Thing]:
        """Return what a word stands for: one thing, several after "both", or none."""
        thing = self.things.by_token.get(token.i)
        if thing is not None:
            return [thing.root]
        if token.low in self._pronouns:
            return self._pronoun(token, self._pronouns[token.low])
        if token.dep == "nsubj" and token.low in ("who", "which", "that"):
            return self._relative(token) or (
                self._pronoun(token, "thing") if token.low == "that" else []
            )
        if token.low == "whose" or (token.low in ("which", "whom") and token.dep == "pobj"):
            return self._led_to(token)
        part = self.part_of(token)
        if part is not None:
            return self.resolve_all(part)
        if token.low in _PAIRS or token.low == "two":
            return self._many(token)
        if token.low in _EVERYONE:
            return [t for t in reversed([*self._prior(token)]) if t.role == "person"]
        if self.some_of(token):
            return self._some(token)
        return []

    def some_of(self, token: Token) -> bool:
        """Return whether a word stands by itself for one or some of what was named."""
        if token.low in ("former", "latter", "others", "ones"):
            return True
        if token.low not in _ONE_OF and token.tag != "CD":
            return False
        return not (token.head.noun and token.head.i > token.i and token.dep != "nsubj")

    def _some(self, token: Token) -> list[Thing]:
        """What "one", "the other", "the last two", "the former" stand for."""
        prior = [t for t in self._prior(token) if t.role not in (*SETTING, "clothes")]
        if token.low in ("former", "latter"):
            pair = prior[:2]
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
        many = [t for t in prior if t.plural]
        near = [t for t in many if t.head.dep in _SPOKEN_OF or t.alive]
        if token.dep == "nsubj" and any(t.alive for t in near):
            near = [t for t in near if t.alive]
        return (near or many or (prior if token.low == "one" else []))[:1]

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

    def _relative(self, token: Token) -> list[Thing]:
        verb = token.head
        while verb.dep not in ("relcl", "acl") and verb.head is not verb:
            verb = verb.head
        return self.resolve(verb.head) if verb.head is not verb else []

    def _led_to(self, token: Token) -> list[Thing]:
        """What "which" stands for in "a shelf, on top of which there is a cup"."""
        at = token.i - 1
        while at >= 0 and (self.text.tokens[at].tag in ("IN", "TO") or self.text.low[at] in _STEPS):
            at -= 1
        if at < 0 or self.text.tokens[at].sentence != token.sentence:
            return []
        while at >= 0 and at not in self.things.by_token:
            at -= 1
        last = self.things.by_token.get(at)
        same = last is not None and last.last.sentence == token.sentence
        return [last.root] if last is not None and same else []

    def _prior(self, token: Token) -> Iterable[Thing]:
        """Things named before a word, the last first, each as what it stands for."""
        done: set[int] = set()
        for thing in reversed(self.things.all):
            if thing.last.i < token.i and id(thing.root) not in done:
                done.add(id(thing.root))
                yield thing.root

    def _pronoun(self, token: Token, kind: str) -> list[Thing]:
        prior = [t for t in self._prior(token) if t.role not in (*SETTING, "clothes")]
        if kind == "many":
            return self._many(token)
        if kind in ("male", "female"):
            if some := self._spoken_of(token, kind):
                return some
            fits = [
                t
                for t in prior
                if t.role == "person" and not t.plural and t.says.get("gender", kind) == kind
            ]
            fits = [t for t in fits if t not in self._own_subject(token)] or fits
            fits = self._surely(token, kind, fits)
            fits = fits or [t for t in prior if t.role == "animal" and not t.plural]
            fits = fits or [
                t for t in prior if t.name in ("snowman", "doll", "scarecrow", "statue")
            ]
            return fits[:1]
        if (host := self.host(token)) is not None:
            return [host]
        fits = [t for t in prior if t.role != "person" and not t.plural]
        fits = [t for t in fits if t not in self._own_subject(token)] or fits
        if token.dep in ("nsubj", "nsubjpass", "poss", "pobj") and fits:
            return [self._topic(token, fits)]
        return fits[:1]

    def _own_subject(self, token: Token) -> list[Thing]:
        """What a pronoun after its verb cannot stand for: the subject, "a dog runs past it"."""
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

    def _surely(self, token: Token, kind: str, fits: list[Thing]) -> list[Thing]:
        """Put who is known to be of a gender before who may be; whom "is" names, behind."""
        near = [t for t in fits if t.last.sentence >= token.sentence - 1]
        known = [t for t in near if t.says.get("gender") == kind]
        named = [t for t in fits if t.head.dep == "attr" or t.head.head.dep == "attr"]
        subjects = [t for t in fits if t not in named and t.last.sentence >= token.sentence - 1]
        if known and fits[0] not in known:
            return known
        if subjects and fits[:1] == named[:1]:
            return subjects
        fits = [t for t in fits if t not in named] or fits
        if token.dep in ("nsubj", "nsubjpass") and near:
            last = near[0].last.sentence
            leads = [t for t in near if t.head.dep in _LEADS and t.last.sentence == last]
            return leads or fits
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
        own = self.text.sentence(token)
        before = self.text.sentences[token.sentence - 1] if token.sentence else []
        if token not in own[:4] or own[0].tag != "IN":
            return []
        same = next((e for e in before[:4] if e.low == token.low and before[0].tag == "IN"), None)
        return self.resolve(same) if same is not None else []

    def _listed(self, token: Token) -> list[Thing]:
        """The last things that stand together: "a fir and a streetlight … the first"."""
        for thing in reversed(self.things.all):
            if thing.last.i < token.i and thing.head.dep == "conj" and thing.role not in SETTING:
                top = thing.head
                while top.dep == "conj":
                    top = top.head
                return self.resolve_named(top)
        return []

    def _spoken_of(self, token: Token, gender: str) -> list[Thing]:
        """One of several that the sentence, or the one before, begins with: "the first … he"."""
        for each in reversed(self.text.tokens[: token.i]):
            if each.sentence < token.sentence - 1:
                break
            if each.dep != "nsubj" or each.low in ("who", "which", "that"):
                continue
            if each.low not in self._pronouns and self.some_of(each):
                found = self._some(each)
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
        for back in (0, 1):
            for thing in self.things.all:
                if thing.last.i >= token.i or thing.first.sentence != token.sentence - back:
                    continue
                lead = self.text.tokens[max(0, token.head.i - 1)] if token.dep == "pobj" else None
                if lead is thing.last:
                    continue
                if lead is not None and not lead.noun and thing.head.head in token.up():
                    continue
                if thing.root in fits and thing.head.dep in (
                    "nsubj",
                    "nsubjpass",
                    "attr",
                    "ROOT",
                    "dobj",
                ):
                    return thing.root
        return fits[0]

    def _many(self, token: Token) -> list[Thing]:
        """What "they" and "both" stand for: the last plural, or the last that stand together."""
        if token.low in self._pronouns and (one := self._one_of_unknown_gender(token)):
            return one
        if token.low in self._pronouns and (led := self._lead_of_many(token)):
            return led
        for thing in reversed(self.things.all):
            if thing.last.i >= token.i or thing.role in (*SETTING, "clothes"):
                continue
            if thing.head.lemma in _BODY or self.text.has("people.hairstyles", thing.head.lemma):
                continue
            if thing.plural and (token.low not in ("two", "both") or _two(thing)):
                return [self._spoken_of_many(token, thing).root]
            top = thing.head
            while top.dep == "conj":
                top = top.head
            together = [t for t in self.resolve_named(top) if t.role not in SETTING]
            if len(together) > 1:
                return together
        prior = [t for t in self._prior(token) if t.role not in (*SETTING, "clothes")]
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
        if token.head.low == "of" or last.head.dep not in ("pobj", "dobj") or token.low not in ("them", "they"):
            return last
        for thing in self.things.all:
            if thing.plural and thing.first.sentence == last.first.sentence:
                return thing if thing.head.dep in _SPOKEN_OF and thing.role != "clothes" else last
        return last

    def _one_of_unknown_gender(self, token: Token) -> list[Thing]:
        """Who alone was just spoken of: "The child smiles. They wear a cap."."""
        said = [t for t in self.things.all if t.last.i < token.i and t.alive]
        last = said[-1].first.sentence if said else -1
        if last < token.sentence - 1:
            return []
        near = {id(t.root): t.root for t in said if t.first.sentence == last}
        people = [t for t in near.values() if t.role == "person"]
        alone = len(near) == 1 and len(people) == 1
        unknown = alone and not people[0].plural and "gender" not in people[0].says
        return people if unknown else []

    def resolve_named(self, token: Token) -> list[Thing]:
        """Return the things that a word and those coordinated with it name."""
        found = (self.things.by_token.get(each.i) for each in token.joined())
        return list(dict.fromkeys(thing.root for thing in found if thing is not None))


def _names_more(known: Thing, again: Thing) -> bool:
    """Whether a name ends with another: "the jar" is the jam jar."""
    same = known.plural == again.plural and known.role == again.role
    return same and known.name.endswith(f" {again.name}")


def _two(thing: Thing) -> bool:
    """Whether a thing is said to be two."""
    return any(e.low in ("two", "2") for e in thing.head.below) or (
        thing.head.dep == "pobj" and thing.head.head.head.lemma in ("pair", "couple")
    )


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
