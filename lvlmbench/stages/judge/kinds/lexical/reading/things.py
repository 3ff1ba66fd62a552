"""What a text speaks of: things, people, garments, and words of the setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lvlmbench.stages.judge.kinds.lexical.reading.grounds import lead, stands
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.words import Known

#: Roles of words that say where or how a picture was made; they are no things.
SETTING = ("background", "style", "weather", "light")
#: What leads words of the setting that are adjectives or verbs: "it is rainy".
_MODIFIERS = frozenset({"JJ", "VBG", "VBN", "RB"})
_FRESH = frozenset({"a", "an", "another", "one", "two", "some", "several", "no"})


@dataclass(eq=False)
class Thing:
    """Something that is named once.

    Attributes
    ----------
    head
        The noun itself.
    first, last
        Its first and last word, without attributes.
    name
        Its lemma, with the nouns that make one name with it.
    role
        ``thing``, ``person``, ``animal``, ``clothes``, ``name``, or one of :data:`SETTING`.
    plural
        Whether there are several.
    determiner
        Article or the like, in lower case; empty where there is none.
    same
        What it names again.
    wearer
        Who wears it.
    """

    head: Token
    first: Token
    last: Token
    name: str
    role: str
    plural: bool
    determiner: str = ""
    same: Thing | None = None
    wearer: Thing | None = None
    silent: bool = False
    negated: bool = False
    hedged: bool = False
    whole: bool = False
    says: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Thing:
        """What it stands for: itself where it is named for the first time."""
        return self if self.same is None else self.same.root

    @property
    def alive(self) -> bool:
        """Whether it may act."""
        return self.role in ("person", "animal")


class Things:
    """All things of a text, by their words."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.all: list[Thing] = []
        self.by_token: dict[int, Thing] = {}
        self._taken: set[int] = set()
        self._gazetteer()
        for token in text.tokens:
            if token.low == "nobody":
                self._add(Thing(token, token, token, "person", "person", False))
            elif token.i not in self._taken and token.noun and not _modifies(token):
                self._noun(token)
        self.all.sort(key=lambda thing: thing.first.i)

    def _gazetteer(self) -> None:
        """Take what the vocabulary knows and what is more than one word, or no noun, first."""
        text, i = self.text, 0
        while i < len(text.low):
            found = text.words.at(text.low, i)
            if found is None:
                i += 1
                continue
            n, what = found
            last = text.tokens[i + n - 1]
            if self._fits(text.tokens[i], last, n, what):
                self._take(text.tokens[i], last, what)
                i += n
            else:
                i += 1

    def _fits(self, first: Token, last: Token, n: int, what: Known) -> bool:
        """Whether words that look like a known thing are one."""
        text = self.text
        if _idle(last, text):
            return False
        if what.label == "glasses" and self._for_drinks(first, last):
            return False
        if first.low == "top" and n == 1 and not self._garment(first):
            return False
        follower = text.tokens[last.i + 1] if last.i + 1 < len(text.tokens) else None
        if what.whole:
            return True
        named = follower is not None and follower.noun and follower.sentence == last.sentence
        if n == 1 and named and text.lexicon.kinds.get(last.low) == "color":
            return False  # "a lime car"
        colored = follower is not None and text.lexicon.kinds.get(follower.low) == "color"
        if n == 1 and colored and text.has("adjectives.shades", last.low):
            return False  # "sea green"
        if what.label in ("black and white", "monochrome", "sepia", "grayscale"):
            shown = follower is not None and text.has("nouns.measures", follower.lemma)
            if follower is not None and follower.noun and not shown:
                return False
        if follower is not None and follower.noun and _modifies(last) and last.head.i > last.i:
            if what.role == "style" and n > 1 and " art" in what.label:
                return True
            return what.role in ("weather", "light") and last.tag in _MODIFIERS
        if what.role in ("weather", "light", "style"):
            return n > 1 or last.noun or last.tag in _MODIFIERS
        if last.noun:
            return n > 1 or not _modifies(last)
        kind = text.lexicon.kinds.get(last.low)
        led = first.i > 0 and text.tokens[first.i - 1].low in _FRESH
        return (n > 1 and not last.verb) or (led and kind is None) or (led and last.dep in _NAMED)

    def _for_drinks(self, first: Token, last: Token) -> bool:
        """Whether glasses are to drink from: "glasses of milk", "two wine glasses"."""
        before = self.text.tokens[first.i - 1] if first.i else first
        if any(e.dep == "nummod" or e.low in ("tall", "empty", "full") for e in last.below):
            return True  # "two tall glasses"
        named = before.noun and before.dep == "compound" and before.low not in ("eye", "reading")
        named = named and self.text.lexicon.kinds.get(before.low) != "color"
        return named or self.text.low[last.i + 1 : last.i + 2] == ["of"]

    def _garment(self, top: Token) -> bool:
        """Whether "top" is a garment here and no side: "an orange top", not "on top of"."""
        before = self.text.tokens[top.i - 1] if top.i else top
        after = self.text.low[top.i + 1 : top.i + 2]
        return (
            before.tag in ("JJ", "DT", "CD")
            and before.low not in ("the", "this")
            and after != ["of"]
        )

    def _take(self, first: Token, last: Token, what: Known) -> None:
        text, head = self.text, _leading(self.text.tokens[first.i : last.i + 1])
        if not what.whole:
            first = self._compound(first, last)
        name = what.label
        longer = first.i < last.i and not what.whole
        if longer and what.role in ("thing", "animal", "background", "clothes"):
            name = self._named(first, last, what)
        plural = what.plural or (last.tag in ("NNS", "NNPS") and what.label != last.low)
        role = "person" if name in text.lexicon.says else what.role
        if role == "background" and not what.whole:
            longer = name != what.label and text.words.concrete(name) is not None
            by = lead(text.tokens[first.i : last.i + 1])
            if longer or stands(text, by, name, compound=name != what.label):
                role = "thing"
                plain = last.lemma if first is last and last.tag == "NNS" else name
                name, plural = plain, plural or plain != name
        self._add(Thing(head, first, last, name, role, plural, whole=what.whole))

    def _named(self, first: Token, last: Token, what: Known) -> str:
        words = self.text.low[first.i : last.i + 1]
        known = len(what.label.split())
        return " ".join((*words[: len(words) - known], what.label))

    def _compound(self, first: Token, head: Token) -> Token:
        """Where the words begin that make one name with a noun."""
        tokens = self.text.tokens
        while first.i and first.sentence == tokens[first.i - 1].sentence:
            before = tokens[first.i - 1]
            if before.i in self._taken or "quotex" in before.low:
                break
            if not self._joins(before, first, head):
                break
            first = before
        return first

    def _joins(self, before: Token, first: Token, head: Token) -> bool:
        """Whether a word makes one name with the nouns that follow it."""
        text = self.text
        name = " ".join((*text.low[before.i : head.i], head.lemma))
        if name in text.lexicon.lists["nouns.compounds"]:
            return True
        if head.lemma == "tree" and before.low not in ("big", "tall") and text.words.concrete(name):
            return True
        if before.low in text.lexicon.kinds or before.lemma in text.lexicon.maps["lemmas.numbers"]:
            return False
        if text.lexicon.kinds.get(before.low.rpartition("-")[2]) == "color":
            return False  # "a mint-green cardigan"
        inside = before.dep in ("compound", "nmod") and before.head.i >= first.i
        if inside and (before.noun or before.tag == "JJ"):
            return True
        named = before.tag == "JJ" and before.dep == "amod" and text.words.concrete(before.low)
        if named and before.head is head and not text.words.role(head.lemma):
            return True  # "the oven door"
        if not (before.noun or before.tag in ("JJ", "VBG", "VBN")):
            return False
        if before.head.i not in range(first.i, head.i + 1) or head.lemma in text.lexicon.says:
            return False
        if before.tag == "VBG" and not before.below and not text.words.role(head.lemma):
            return not text.has("adjectives.happening", before.low)  # "a weighing scale"
        return bool(text.words.concrete(name)) and text.words.concrete(head.lemma) is not None

    def _noun(self, head: Token) -> None:
        """Take a noun that no list of known things holds."""
        text = self.text
        before = text.low[head.i - 1] if head.i else ""
        part = text.lexicon.kinds.get(before) == "material"  # "a marble top"
        if _idle(head, text) or (head.low == "top" and not part and not self._garment(head)):
            return
        self._singular(head)
        first = self._compound(head, head)
        words = [text.tokens[i].low for i in range(first.i, head.i)]
        name = " ".join((*words, head.lemma))
        lists = text.lexicon.lists
        person = name in text.lexicon.says or head.lemma in text.lexicon.says
        if not person and not self._concrete(head, name):
            return
        plural = head.tag in ("NNS", "NNPS") and head.low != head.lemma
        if head.low == "glasses":
            name, plural = " ".join((*words, "glass")), True
        elif head.low in lists["clothes.plural"]:
            name, plural = " ".join((*words, head.low)), False
        known = next(filter(None, map(text.words.role, (name, head.lemma, head.low))), "")
        if head.lemma in lists["nouns.animals"]:
            known = "animal"
        if head.lemma in lists["people.hairstyles"]:
            known = ""
        role = "person" if person else known or "thing"
        self._add(Thing(head, first, head, name, role, plural))

    def _singular(self, head: Token) -> None:
        """Put right a base form that is no word: "thermo" of "thermos", "Cobwebs" as a name."""
        know = self.text.words.concrete
        if know(head.lemma) is not None:
            return
        if head.lemma != head.low and know(head.low) is not None:
            head.lemma, head.tag = head.low, "NN"
        elif head.lemma == head.low and head.tag == "NNS" and not know(head.low[:-1]):
            head.lemma = head.low.removesuffix("s")  # "matryoshkas"
        elif head.lemma == head.low:
            for cut in ("s", "es"):
                stem = head.low.removesuffix(cut)
                if stem != head.low and know(stem):
                    head.lemma, head.tag = stem, "NNS"
                    return

    def _concrete(self, head: Token, name: str) -> bool:
        text = self.text
        lists = text.lexicon.lists
        of = head.head if head.dep == "pobj" and head.head.low == "of" else head
        measure = of.head.lemma in lists["nouns.measures"] and of.head.lemma != "shade"
        if of is not head and measure and text.words.concrete(head.lemma):
            return True  # "a roll of gauze"
        if head.lemma in lists["nouns.measures"] and text.low[head.i + 1 : head.i + 2] == ["of"]:
            return False
        if head.lemma in lists["nouns.seen"] or head.low == "top":
            return True
        told = any(text.lexicon.kinds.get(each.low) for each in head.children("amod"))
        if head.lemma in lists["nouns.animals"] or (told and head.lemma in _PARTS):
            return True
        if head.lemma in _PICTURES and (head.tag == "NNS" or _on_show(head)):
            return True
        if any(each in lists["nouns.vacuous"] for each in (head.lemma, head.low, name)):
            return False
        shade = head.low in lists["adjectives.shades"] and head.tag == "NN"
        if shade and text.lexicon.kinds.get("".join(text.low[head.i + 1 : head.i + 2])) == "color":
            return False  # "cherry red"
        if head.low == "eye" and head.head.lemma in ("draw", "lead", "catch", "guide", "reward"):
            return False
        if head.lemma == "camera" and any(each.low == "the" for each in head.below):
            return False  # "smiles at the camera"
        if head.lemma == "letter" and head.dep == "pobj" and head.head.low == "in":
            return False
        if head.lemma == "frame" and name == "frame" and _of_picture(head):
            return False
        countable = head.lemma in lists["nouns.countable"] and head.dep != "npadvmod"
        if countable and (_counted(head) or self._prepared(head)):
            return True
        if head.low == "glasses" or (name != head.lemma and self._one_name(name)):
            return True
        if text.lexicon.kinds.get(head.low, "") != "" or not head.low[:1].isalpha():
            return False
        if head.lemma in lists["nouns.abstract"]:
            return False
        return text.words.concrete(head.lemma) is not False

    def _one_name(self, name: str) -> bool:
        return name in self.text.lexicon.lists["nouns.compounds"] or bool(
            self.text.words.concrete(name)
        )

    def _prepared(self, head: Token) -> bool:
        """Whether a noun that may be a material or color is a thing: "with sliced ginger"."""
        kinds = self.text.lexicon.kinds
        states = (kinds.get(each.low) in ("state", "other") for each in head.children("amod"))
        with_it = head.dep in ("pobj", "dobj") and head.head.low not in ("of", "in", "from")
        return with_it and any(states)

    def _add(self, thing: Thing) -> None:
        numbers = (each.low for each in thing.head.below if each.dep == "nummod")
        thing.plural = thing.plural or any(each not in ("one", "1") for each in numbers)
        thing.determiner = next(
            (each.low for each in thing.head.below if each.dep in ("det", "poss", "predet")), ""
        )
        self.all.append(thing)
        for i in range(thing.first.i, thing.last.i + 1):
            self.by_token[i] = thing
            self._taken.add(i)


#: Parts that are things where they are described: "a scalloped edge".
_PARTS = frozenset({"edge", "surface", "back", "end", "body"})
#: Pictures; the word seldom names a thing in one.
_PICTURES = frozenset({"painting", "picture", "photo", "photograph", "drawing", "portrait"})
_NAMED = frozenset({"dobj", "pobj", "attr", "nsubj", "nsubjpass", "conj", "appos", "ROOT"})


def _idle(head: Token, text: Text) -> bool:
    """Whether a noun is part of an idiom: "step by step", "leaves room for"."""
    around = (text.low[max(0, head.i - 2) : head.i], text.low[head.i + 1 : head.i + 3])
    if head.low == "case" and around[0][-1:] == ["any"]:
        return True
    if head.dep == "pobj" and head.head.low == "as" and head.head.head.lemma == "dress":
        return True  # "dressed as a pirate"
    if ["by", head.low] in around or [head.low, "by"] in around:
        return True
    return head.low == "room" and around[0][-1:] in (["leave"], ["leaves"], ["leaving"], ["for"])


def _counted(head: Token) -> bool:
    """Whether a noun that may be a material is a thing: "a glass", "two bricks"."""
    led = any(each.low in _FRESH or each.dep == "nummod" for each in head.below)
    led = led or (head.dep == "pobj" and head.head.low == "than")
    led = led or any(each.dep == "acl" and each.tag == "JJR" for each in head.below)
    return led or head.tag == "NNS" or head.dep in ("nsubj", "nsubjpass")


def _leading(words: Sequence[Token]) -> Token:
    """The noun that a name hangs by: "cup" of "cup of coffee"."""
    for one, next_ in pairwise(words):
        if next_.low == "of" and one.noun:
            return one
    return words[-1]


def _on_show(picture: Token) -> bool:
    """Whether a picture is a thing in the picture: "a painting on the wall"."""
    if picture.dep == "conj" and picture.head.noun:
        return True
    if picture.dep == "nsubj" and picture.head.lemma in ("hang", "lean", "stand", "lie"):
        return True
    over = [e for e in picture.children("prep") if e.low in ("on", "above", "over")]
    return any(
        e.lemma == "wall" or prep.low != "on" for prep in over for e in prep.children("pobj")
    )


def _of_picture(frame: Token) -> bool:
    """Whether a frame is that of the picture, as in "at the edge of the frame"."""
    told = any(each.dep in ("amod", "compound") for each in frame.below)
    within = frame.dep == "pobj" and frame.head.low in ("in", "of", "within", "out", "across")
    return within and not told


def _modifies(token: Token) -> bool:
    """Whether a noun stands before another that it makes one name with."""
    return (
        token.dep in ("compound", "nmod", "amod", "npadvmod", "poss")
        and token.head.i > token.i
        and token.dep != "poss"
        and not (token.dep == "npadvmod" and token.head.verb and token.head.i > token.i + 1)
        and token.head.low not in ("top", "bottom", "left", "right", "center", "foreground")
    )
