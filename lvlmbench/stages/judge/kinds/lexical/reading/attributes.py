"""How things are: by an adjective before them, after a verb, in a list, behind a comma."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_TAGS = frozenset({"JJ", "VBN", "VBG", "NN", "NNP", "NNS", "RB", "VBD", "VB"})
_LINKS = frozenset(
    {
        "be",
        "look",
        "appear",
        "seem",
        "remain",
        "become",
        "feel",
        "stay",
        "fall",
        "paint",
        "color",
        "turn",
        "get",
    }
)
#: Types of attributes of which the words are often taken for nouns or adverbs.
_NOUNLY = ("color", "material", "pattern", "shape")
#: Shades that are said without a color, too: "a dark door".
_SHADES = frozenset({"dark", "pale"})
#: States that have a place: "a car parked outside".
_STAY = frozenset({"parked", "moored", "anchored", "docked", "lit"})
_AGES = ("child", "teenager", "adult", "elderly")
#: Colors that are said of a person for the hair.
_OF_HAIR = frozenset({"blond", "blonde", "ginger", "auburn", "brunette", "balding"})
_BEFORE = frozenset({"amod", "compound", "nmod"})
_AFTER = frozenset({"acomp", "attr", "oprd", "xcomp", "dep", "advcl", "ccomp", "advmod", "dobj"})


class Attributes:
    """Reads the attributes of things and people."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.kinds = sight.text.lexicon.kinds
        self.lists = sight.text.lexicon.lists

    def drafts(self) -> Iterator[Draft]:
        """Yield a claim for each attribute that is said of something."""
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
                yield from self._of(token)
        for noun, token in self.sight.text.told:
            for thing in self.sight.mentions.resolve(noun):
                for kind, value in self._says(token, thing):
                    yield Draft(
                        "attribute", thing, token, token, kind, None, value,
                        negated=thing.negated, hedged=thing.hedged,
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
            for kind, value in self._says(token, thing):
                if thing.wearer is not None and kind != "color":
                    continue  # of what somebody wears, the color alone is claimed
                if (
                    thing.alive
                    and token.tag == "VBG"
                    and not (kind == "expression" and token.dep in _BEFORE)
                ):
                    continue  # what it does, not how it is
                first = self._shaded(token) or token
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
        if token.low == "painted" and any(self.kinds.get(e.low) == "color" for e in colors):
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
        aged = any(token.low in self.lists[f"people.ages.{age}"] for age in _AGES)
        if aged and token.dep in ("amod", "acomp", "conj", "appos"):
            return True
        if token.low.endswith(("-skinned", "-haired", "-colored", "-shaped", "-patterned")):
            return True
        if token.tag in ("JJ", "VBN") and "-" in token.low and token.dep in ("appos", "acl"):
            return True  # in lists: "two scarves (lilac; hand-knitted)"
        if token.tag == "JJ":
            return token.low[:1].isalpha() and token.dep in ("amod", "acomp", "conj")
        return token.tag == "VBN" and token.dep == "amod" and token.head.i > token.i

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
        if top.dep in ("appos", "relcl", "acl") and verb.noun and (token.noun is False):
            for thing in self._named(verb):
                yield thing, denied, doubted
            return
        passive = top.verb and top.children("auxpass") and top.children("nsubjpass")
        if top.dep == "ROOT" or passive or (top.verb and top.dep not in _AFTER):
            verb = top
        if top.dep in _AFTER or top is verb:
            yield from self._by_verb(token, top, verb, denied, doubted)

    def _top(self, token: Token) -> Token:
        """The first of the adjectives that a word is coordinated with."""
        top = token
        while top.dep == "conj" and top.head is not top and top.head.tag in _TAGS:
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
            verb.lemma in ("paint", "color", "dye") and self.kinds.get(token.low) == "color"
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

    def _shaded(self, token: Token) -> Token | None:
        """The word that says which red: "dark"."""
        before = self.sight.text.tokens[token.i - 1] if token.i else None
        if before is None or self.kinds.get(token.low) != "color":
            return None
        return (
            before
            if before.low in self.lists["adjectives.shades"]
            and before.i not in self.sight.things.by_token
            else None
        )

    def _says(self, token: Token, thing: Thing) -> Iterator[tuple[str, str]]:
        """Yield what a word says of a thing, as (relation, value)."""
        low = token.low
        after = (
            self.sight.text.tokens[token.i + 1]
            if token.i + 1 < len(self.sight.text.tokens)
            else None
        )
        if (
            low in self.lists["adjectives.shades"]
            and after is not None
            and after.i not in self.sight.things.by_token
            and self.kinds.get(after.low) == "color"
        ):
            return
        if thing.role == "person":
            told = self._of_person(low, thing)
            if told is not None:
                yield from told
                return
        if low.endswith("-patterned") and low.removesuffix("-patterned") in self.kinds:
            low = low.removesuffix("-patterned")
        if low.endswith("-colored"):
            plain = low.removesuffix("-colored")
            yield "color", plain if self.kinds.get(plain) == "color" else low
            return
        if "-and-" in low and all(self.kinds.get(each) == "color" for each in low.split("-and-")):
            yield from (("color", each) for each in low.split("-and-"))
            return
        kind = "color" if low in _SHADES else self.kinds.get(low, _by_form(low, self.kinds))
        bare = low.endswith("ed") and token.dep == "amod" and token.i < token.head.i
        if low in self.lists["certainty.hedge.adjectives"] or (kind is None and not bare):
            return
        kind = kind or "other"  # "scattered petals"
        shade = self._shaded(token)
        if low == "flat" and thing.root.name == "tire":
            kind = "state"
        before = self.sight.text.low[token.i - 1] if token.i else ""
        if kind == "material" and before in ("stainless", "cast", "wrought"):
            low = f"{before} {low}"
        if kind in ("state", "other") and token.i and self.sight.text.low[token.i - 1] == "half":
            low = f"half {low}"
        yield kind, f"{shade.low} {low}" if shade is not None else low

    def _of_person(self, low: str, thing: Thing) -> list[tuple[str, str]] | None:
        """What a word says of a person alone; None where it says what it says of things."""
        if low.endswith("-skinned"):
            return [("race", low.removesuffix("-skinned"))]
        if low.endswith("-haired"):
            return [("hair", low.removesuffix("-haired"))]
        if low in _OF_HAIR:
            return [("hair", low)]
        if low in self.lists["people.race"] and low != "indian":
            return [("race", low)]
        for age in _AGES:
            if low in self.lists[f"people.ages.{age}"]:
                if age in ("child", "teenager") and thing.root.says.get("age"):
                    return []
                if low == "little" and not thing.root.says.get("gender"):
                    return None
                return [("age", age)]
        for gender in ("female", "male"):
            if low == gender:
                return [("gender", gender)]
        return None


def _by_form(low: str, kinds: Mapping[str, str | None]) -> str:
    """The type of a word that no list holds, by how it ends: "snow-white", "star-shaped"."""
    if low.endswith("-shaped"):
        return "shape"
    if low.endswith(("-high", "-length", "-sized", "-size", "-tall", "-wide")):
        return "size"
    last = low.rpartition("-")[2]
    return "color" if last != low and kinds.get(last) == "color" else "other"
