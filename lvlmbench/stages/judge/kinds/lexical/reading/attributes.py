"""How things are: by an adjective before them, after a verb, in a list, behind a comma."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.valued import AGES, Values

_TAGS = frozenset({"JJ", "VBN", "VBG", "NN", "NNP", "NNS", "RB", "VBD", "VB"})
_LINKS = frozenset((
    "be", "look", "appear", "seem", "remain", "become", "feel", "stay", "fall", "paint", "color",
    "turn", "get",
))  # fmt: skip
#: Types of attributes of which the words are often taken for nouns or adverbs.
_NOUNLY = ("color", "material", "pattern", "shape")
_PAINTS = frozenset(
    ("paint", "color", "dye", "stain", "spray", "tar", "repaint", "lacquer", "enamel", "tint",
     "glaze")
)  # fmt: skip
#: States that have a place: "a car parked outside".
_STAY = frozenset({"parked", "moored", "anchored", "docked", "lit"})
_BEFORE = frozenset({"amod", "compound", "nmod"})
#: Subjects that are the noun above, or some of it.
_WHICH = frozenset(("which", "that", "who", "all", "both", "each", "one", "some", "two", "others"))
_AFTER = frozenset({"acomp", "attr", "oprd", "xcomp", "dep", "advcl", "ccomp", "advmod", "dobj"})


class Attributes:
    """Reads the attributes of things and people."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.kinds = sight.text.lexicon.kinds
        self.lists = sight.text.lexicon.lists
        self.values = Values(sight)

    def drafts(self) -> Iterator[Draft]:
        """Yield a claim for each attribute that is said of something."""
        done: set[int] = set()
        for token in self.sight.text.tokens:
            listed = token.dep == "amod" and token.low in self.kinds
            if token.tag not in _TAGS and not listed:
                continue
            own = self.sight.things.by_token.get(token.i)
            if own is not None and own.head is not token and own.role not in ("thing",):
                continue
            if own is not None and (own.head is token or not own.whole):
                continue
            if token.i not in self.sight.text.apart:
                for draft in self._of(token):
                    done.add(token.i)
                    yield draft
        text = self.sight.text
        maybe = [(noun, token) for noun, token in text.maybe if token.i not in done]
        for noun, token in (*text.told, *maybe):
            for thing in self.sight.mentions.resolve(noun):
                for kind, value in self.values.said_of(token, thing):
                    if kind == "color" and thing.alive and thing.role == "person":
                        continue
                    denied, doubted = self.sight.certainty.word(token)
                    denied = denied or noun.low == "none"
                    yield Draft(
                        "attribute", thing, token, token, kind, None, value,
                        negated=thing.negated or denied, hedged=doubted or thing.hedged,
                    )  # fmt: skip

    def _of(self, token: Token) -> Iterator[Draft]:
        kind = self.kinds.get(token.low)
        smiling = kind == "expression" and token.dep in _BEFORE and token.low.endswith("ing")
        before = token.dep in ("compound", "amod") and kind in ("other", "state")
        before = before and not self.sight.text.words.concrete(token.low)  # "a vintage car"
        if token.noun and kind not in _NOUNLY and not smiling and not before:
            return
        if self._compared(token) or (token.tag == "VBG" and token.children("aux")):
            return
        if self._complete(token):
            return
        done = token.tag == "VBN" and not token.children("auxpass")
        if done and any(each.lemma == "have" for each in token.children("aux")):
            return  # "has fallen asleep"
        if token.low == "full" and any(each.low == "of" for each in token.below):
            return
        after = next(self.sight.after(token, 1), token)
        numbers = self.sight.text.lexicon.maps["lemmas.numbers"]
        if token.low == "aged" and (after.tag == "CD" or after.low in numbers):
            return
        if token.low == "old" and self.sight.text.low[max(0, token.i - 1)] in ("years", "year"):
            return
        if token.low not in self.kinds and not self._adjective(token):
            return
        for thing, denied, doubted in self._bearers(token):
            if thing.role in SETTING:
                continue
            for kind, value in self.values.said_of(token, thing):
                if thing.wearer is not None and kind != "color":
                    continue  # of what somebody wears, the color alone is claimed
                if (
                    thing.alive
                    and token.tag == "VBG"
                    and kind not in ("hair", "beard")
                    and not (kind == "expression" and token.dep in _BEFORE)
                ):
                    continue  # what it does, not how it is
                first = self.values.shaded(token) or token
                yield Draft(
                    "attribute", thing, first, token, kind, None, value,
                    negated=denied or thing.negated, hedged=doubted or thing.hedged,
                )  # fmt: skip

    def _complete(self, token: Token) -> bool:
        """Whether a participle has a complement of its own: "a rope hanging from a beam"."""
        kind = self.kinds.get(token.low)
        if token.tag not in ("VBG", "VBN") or kind not in ("state", "other", None):
            return False
        after = [e for e in token.children("prep", "agent", "dobj") if e.i > token.i]
        colors = token.children("acomp", "oprd", "dobj", "attr", "conj")
        paints = token.lemma in _PAINTS or token.low in ("painted", "dyed", "stained", "tarred")
        if paints and any(self.kinds.get(e.low) == "color" for e in colors):
            return True
        led = any(each.low in ("to", "into", "onto", "from", "with") for each in after)
        if led and token.tag == "VBN" and token.low not in _STAY:
            return True  # "has been tied to a cane"
        loose = token.tag == "VBG" or (token.dep == "acl" and token.low not in _STAY)
        return bool(after) and loose

    def _compared(self, token: Token) -> bool:
        """Whether an adjective compares: "as large as"."""
        around = self.sight.text.low[max(0, token.i - 1) : token.i + 2]
        return around[:1] == ["as"] and around[-1:] == ["as"] and len(around) == 3

    def _adjective(self, token: Token) -> bool:
        """Whether a word that no list holds is an adjective that says something."""
        genders = self.sight.text.lexicon.maps["people.genders"]
        if token.low in genders and token.dep in ("appos", "conj", "acomp"):
            return True
        aged = any(token.low in self.lists[f"people.ages.{age}"] for age in AGES)
        if aged and token.dep in ("amod", "acomp", "conj", "appos"):
            return True
        if token.low.endswith(("-skinned", "-haired", "-colored", "-shaped", "-patterned")):
            return True
        if token.tag in ("JJ", "VBN") and "-" in token.low and token.dep in ("appos", "acl"):
            return True  # in lists: "two scarves (lilac; hand-knitted)"
        if token.tag == "JJ":
            return token.low[:1].isalpha() and token.dep in ("amod", "acomp", "conj")
        if token.tag == "VBN" and token.dep == "amod":
            return token.head.i > token.i
        return self._done_to(token)

    def _done_to(self, token: Token) -> bool:
        """Whether a participle says what state something is in: "the tray is tarnished"."""
        whole = ("prep", "agent", "dobj", "advcl", "prt", "acomp", "oprd", "xcomp")
        after = any(each.i > token.i for each in token.children(*whole))
        if token.tag not in ("VBN", "VBD") or after or self.sight.text.words.concrete(token.low):
            return False
        top = self._top(token)
        return bool(top.children("auxpass")) or (top.dep == "conj" and top.head.lemma == "be")

    def _bearers(self, token: Token) -> Iterator[tuple[Thing, bool, bool]]:
        """Yield what a word is said of, with whether that is denied or left open."""
        denied, doubted = self.sight.certainty.word(token)
        top = self._top(token)
        noun = self._bears(top)
        if (
            top.dep in _BEFORE
            and (
                noun.noun
                or noun.i in self.sight.things.by_token
                or self.sight.mentions.some_of(noun)
            )
            and noun is not token
        ):
            for thing in self._named(noun):
                yield thing, denied, doubted
            return
        if token.tag == "VB" and self.kinds.get(token.low) == "color" and token.children("nsubj"):
            for thing in self._subjects(token):  # "carpet: gray with a pattern"
                yield thing, denied, doubted
            return
        verb = top.head
        if top.dep == "pobj" and verb.low == "in" and self.kinds.get(token.low) == "color":
            for thing in self.sight.frames.governors(verb):
                if thing.role != "person":
                    yield thing, denied, doubted
            return
        own = _subject(top)
        if own and not top.verb:  # "its panels are of glass and its handle is brass"
            for thing in self.sight.mentions.resolve_all(top.children("nsubj", "nsubjpass")[0]):
                yield thing, denied, doubted
            return
        if top.dep in ("appos", "relcl", "acl") and verb.noun and not (token.noun or own):
            for thing in self._named(verb):
                yield thing, denied, doubted
            return
        passive = top.verb and top.children("auxpass") and top.children("nsubjpass")
        if top.dep == "conj" and verb.lemma == "be" and not passive:
            yield from self._by_verb(token, top, verb, denied, doubted)
            return  # "is of copper and tarnished"
        if top.dep == "ROOT" or passive or (top.verb and top.dep not in _AFTER):
            verb = top
        if top.dep in _AFTER or top is verb:
            yield from self._by_verb(token, top, verb, denied, doubted)

    def _top(self, token: Token) -> Token:
        """The first of the adjectives that a word is coordinated with."""
        top = token
        while top.dep == "conj" and top.head is not top and top.head.tag in _TAGS:
            if _subject(top):
                break
            if top.head.noun and not (token.noun or self.kinds.get(top.head.low)):
                break
            if (
                top.head.i in self.sight.things.by_token
                and self.sight.things.by_token[top.head.i].head is top.head
            ):
                break
            top = top.head
        over = top.head
        kind = self.kinds.get(top.low)
        before = top.i < over.i and kind in (*_NOUNLY, "size", "state", "other")
        if before and over.tag in ("JJ", "VBG", "VBN") and top.dep in ("advmod", "npadvmod"):
            return self._top(over)  # "a plain concrete one", "gold or yellow"
        listed = top.dep == "amod" and over.tag in ("JJ", "VBN") and over.low in self.kinds
        if over is not top and (listed or (over.low == "half" and over.noun)):
            return self._top(over)  # "is tall, fluted and half empty"
        return top

    def _bears(self, token: Token) -> Token:
        """The noun that a word before it describes, past nouns that describe it, too."""
        noun = token.head
        while (
            noun.i not in self.sight.things.by_token
            and noun.dep in _BEFORE
            and noun.head.i > noun.i
        ):
            noun = noun.head
        return noun

    def _named(self, noun: Token) -> list[Thing]:
        thing = self.sight.things.by_token.get(noun.i)
        if thing is not None and not self._describes(noun):
            return [thing]
        part = self.sight.mentions.part_of(noun)
        if part is not None:
            return self.sight.mentions.resolve(part)
        if self.sight.mentions.some_of(noun):
            return self.sight.mentions.resolve(noun)
        prep = noun.head
        if noun.dep == "attr" and self.kinds.get(noun.low) in _NOUNLY and prep.lemma == "be":
            return self._subjects(prep)  # "a plain leather one"
        if self._describes(noun) and noun.dep in ("pobj", "dobj"):
            if noun.dep == "pobj" and prep.low in ("with", "in", "of"):
                return self.sight.frames.governors(prep)
            if prep.lemma == "have":
                return self.sight.frames.subjects(prep)
        return []

    def _describes(self, noun: Token) -> bool:
        """Whether a noun is an attribute itself: "of gray plastic", "with a floral pattern"."""
        if noun.lemma in self.sight.text.lexicon.maps["adjectives.names"]:
            return True
        of = noun.dep == "pobj" and noun.head.low in ("of", "in")
        return of and self.kinds.get(noun.low) == "material"

    def _by_verb(
        self, token: Token, top: Token, verb: Token, denied: bool, doubted: bool
    ) -> Iterator[tuple[Thing, bool, bool]]:
        if not verb.verb and verb is not top:
            return
        if top.dep == "dobj" and not (
            verb.lemma in _PAINTS and self.kinds.get(token.low) == "color"
        ):
            return
        linking = verb.lemma in _LINKS or verb is top or top.dep in ("oprd", "advcl")
        if not linking or (verb is not top and verb.children("expl")):
            return
        if verb is top and not (
            verb.children("auxpass", "nsubjpass") or (verb.dep in ("ROOT",) and verb.tag != "VB")
        ):
            return
        no, maybe = self.sight.certainty.verb(verb)
        done_to = [e for e in verb.children("dobj") if e.i < token.i and verb.lemma not in _LINKS]
        if done_to and top.dep in ("oprd", "acomp", "xcomp", "ccomp"):
            for thing in self.sight.mentions.resolve_all(done_to[0]):
                yield thing, no or denied, maybe or doubted
            return  # "somebody left the door open"
        but = any(each.low == "but" for each in top.below if each.dep == "cc") and top is not token
        for thing in self._subjects(verb):
            yield thing, (no and not but) or denied, maybe or doubted

    def _subjects(self, verb: Token) -> list[Thing]:
        """What a verb is said of; of "its color is red", what has the color."""
        subject = self.sight.frames.subject_token(verb)
        if (
            subject is not None
            and subject.lemma in self.sight.text.lexicon.maps["adjectives.names"]
        ):
            for each in subject.below:
                if each.dep == "poss":
                    return self.sight.mentions.resolve(each)
                if each.low == "of":
                    return [
                        t for o in each.children("pobj") for t in self.sight.mentions.resolve_all(o)
                    ]
        return self.sight.frames.subjects(verb)


def _subject(token: Token) -> bool:
    """Whether a word has a subject of its own, which is not the noun above it."""
    return any(each.low not in _WHICH for each in token.children("nsubj", "nsubjpass"))
