"""What a text speaks of: things, people, garments, and words of the setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.lines import Line
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.words import Known, Words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

#: Roles of words that say where or how a picture was made; they are no things.
SETTING = ("background", "style", "weather", "light")
#: Tags of nouns; of words that may describe one before it.
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_DESCRIBES = frozenset({"JJ", "JJR", "JJS", "VBN", "RB", "RBS", "RBR", "HYPH"})
_LINKS = frozenset({"and", "or", ",", "/", "-"})
_SIGNS = frozenset(".:()>")
_FRESH = frozenset({"a", "an", "another", "one", "some", "several", "no", "any", "each"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})


@dataclass(eq=False)
class Thing:
    """Something that is named, once or again.

    Attributes
    ----------
    name, role
        Its lemma, with nouns of one name; ``thing``, ``person``, ``animal``, ``clothes``, ``name``,
        or one of :data:`SETTING`.
    token, first, last
        Its noun, and the numbers of its first and last word, without attributes.
    line, begin
        Numbers of its line, and of the first word of its phrase.
    told
        Words before the noun that describe it.
    loose
        Whether it may be one of several that were named before, so that it cannot be told which.
    same
        What it names again.
    """

    name: str
    role: str
    token: Token
    first: int
    last: int
    line: int
    begin: int = 0
    plural: bool = False
    count: int | None = None
    determiner: str = ""
    told: list[Token] = field(default_factory=list)
    loose: bool = False
    same: Thing | None = None
    wearer: Thing | None = None
    negated: bool = False
    silent: bool = False
    says: dict[str, set[str]] = field(default_factory=dict)

    @property
    def root(self) -> Thing:
        """What it stands for: itself where it is named for the first time."""
        return self if self.same is None else self.same.root

    @property
    def alive(self) -> bool:
        """Whether it may act."""
        return self.role in ("person", "animal")

    def say(self, what: str, value: str) -> None:
        """Note what is said of it, to tell it from others."""
        self.root.says.setdefault(what, set()).add(value)


@dataclass(eq=False)
class Page:
    """One parsed line with its things by the number of their nouns."""

    number: int
    line: Line
    doc: Doc
    low: list[str]
    things: list[Thing] = field(default_factory=list)
    by: dict[int, Thing] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tokens = [*self.doc]
        for sent in self.doc.sents:
            self.bounds += [(sent.start, sent.end)] * (sent.end - sent.start)

    def sentence(self, i: int) -> tuple[int, int]:
        """Return where the sentence of a word begins and ends."""
        return self.bounds[i]

    def added(self, i: int) -> bool:
        """Whether the answer does not hold a word."""
        token = self.doc[i]
        return self.line.run.span(token.idx, token.idx + len(token)) is None


class Finder:
    """Finds the things of lines."""

    def __init__(self, words: Words, lexicon: Lexicon) -> None:
        self.words, self.lexicon = words, lexicon

    def page(self, number: int, line: Line, doc: Doc) -> Page:
        """Return a line with its things; words that hyphens join become one."""
        known = sorted(self._known(doc), key=lambda s: (s.start - s.end, s.start))
        spans = [(s.start_char, s.end_char) for s in known]
        _join(doc)
        spelling = self.lexicon.maps["lemmas.spelling"]
        low = [spelling.get(token.lower_, token.lower_) for token in doc]
        page = Page(number, line, doc, low)
        for start, end in spans:
            span = doc.char_span(start, end)
            if span is not None and not any(i in page.by for i in range(span.start, span.end)):
                self._gazetteer(page, span.start, span.end)
        for token in doc:
            if token.tag_ in NOUNS and token.i not in page.by:
                self._noun(page, token)
        page.things.sort(key=lambda thing: thing.first)
        for thing in page.things:
            self._phrase(page, thing)
        return page

    def _known(self, doc: Doc) -> list[Span]:
        from spacy.util import filter_spans

        matches: list[Span] = self.words.matcher(doc, as_spans=True)
        return list(filter_spans(matches))

    def _gazetteer(self, page: Page, start: int, end: int) -> None:
        """Take what the vocabulary knows."""
        doc, last = page.doc, page.tokens[end - 1]
        what = self._entry(page.low[start:end])
        if what is None or not self._fits(page, start, last, what):
            return
        name, role, first = what.label, what.role, start
        if not what.whole and role in ("thing", "animal", "clothes"):
            first = self._compound(page, start, last)
            name = " ".join((*page.low[first:start], what.label))
        if name in self.lexicon.says or what.label in self.lexicon.says:
            role = "person"
        token = doc[start:end].root
        plural = what.plural or (last.tag_ in ("NNS", "NNPS") and what.label != last.lower_)
        self._add(page, Thing(name, role, token, first, end - 1, page.number, plural=plural))

    def _entry(self, words: Sequence[str]) -> Known | None:
        known = self.words.phrases.get(tuple(words))
        return known or self.words.phrases.get(tuple(" ".join(words).replace("-", " ").split()))

    def _fits(self, page: Page, start: int, last: Token, what: Known) -> bool:
        """Whether words that look like a known thing are one."""
        low, follower = page.low, _after(last)
        named = follower is not None and follower.tag_ in NOUNS
        if what.role in SETTING:
            return not named and (what.whole or last.tag_ in NOUNS or what.role != "background")
        if last.i == start:
            if low[start] == "top" and not _garment_top(page, start):
                return False
            if low[start] in ("pose", "poses", "left", "right", "top", "back"):
                return low[start] == "top"
            if self.lexicon.kinds.get(low[start]) and not self._stands(page, last):
                return False
        if follower is not None and self._is_noun(follower) and last.head == follower:
            return False
        verbs = last.tag_[:2] == "VB" and follower is not None and follower.tag_ == "DT"
        if page.sentence(start)[0] == start and not verbs and what.role not in SETTING:
            return True
        before = low[start - 1] if start and not page.tokens[start].is_sent_start else ","
        if (before in _LINKS | _SIGNS or self.lexicon.kind(before) is not None) and (
            follower is None or follower.lower_ in _LINKS | _SIGNS
        ):
            return True
        led = start > 0 and (
            low[start - 1] in _FRESH | _DEFINITE or page.tokens[start - 1].tag_ == "CD"
        )
        return last.tag_ in NOUNS or led or (last.i > start and last.tag_[:2] != "VB")

    def _stands(self, page: Page, token: Token) -> bool:
        """Whether the name of a color or a material is a thing here: "an orange", "two roses"."""
        before = page.low[token.i - 1] if token.i else ""
        if token.tag_ == "NNS":
            return True
        if token.i + 1 in page.by:
            return False
        led = (
            before in ("a", "an", "one")
            or self.lexicon.kind(before) == "color"
            or (before == "the" and token.dep_ in ("nsubj", "pobj", "dobj"))
        )
        after = _after(token)
        return led and token.tag_ in NOUNS and (after is None or after.tag_ not in NOUNS)

    def _is_noun(self, token: Token) -> bool:
        """Whether a word that was read as a noun is one: not so in "a girl dances"."""
        low = token.lower_
        verbal = (
            low in self.lexicon.maps["lemmas.told"]
            or low in self.lexicon.places
            or (base(low, "verb") in self.lexicon.lists["people.moves"])
        )
        return token.tag_ in NOUNS and not verbal

    def _compound(self, page: Page, start: int, last: Token) -> int:
        """Where the words begin that make one name with a noun."""
        first = start
        while first and page.tokens[first - 1].tag_ in ("NN", "NNP") and first - 1 not in page.by:
            before = page.tokens[first - 1]
            single = before.dep_ == "compound" and before.head.i in range(first, last.i + 1)
            kind = self.lexicon.kind(page.low[before.i])
            word = page.low[before.i]
            if not single or kind is not None or word in self.lexicon.kinds:
                break
            if (
                word in self.lexicon.lists["people.body"]
                or word in self.lexicon.says
                or word in self.lexicon.maps["people.ages"]
            ):
                break
            if before.lower_.startswith("quotex") or before.is_sent_start or not before.is_alpha:
                break
            first -= 1
        return first

    def _noun(self, page: Page, token: Token) -> None:
        """Take a noun that no list of phrases has."""
        low = page.low[token.i]
        follower = _after(token)
        if follower is not None and self._is_noun(follower) and token.head == follower:
            return
        if token.i and token.i - 1 in page.by and not self._is_noun(token):
            return
        if not any(sign.isalpha() for sign in low) or low.startswith("quotex"):
            return
        name = self.lexicon.maps["lemmas.nouns"].get(low) or base(low, "noun")
        if self.lexicon.kinds.get(low) and not self._stands(page, token):
            return
        if page.line.topic is not None and low in self.lexicon.maps["people.genders"]:
            return
        first = self._compound(page, token.i, token)
        longer = " ".join((*page.low[first : token.i], name))
        lists = self.lexicon.lists
        concrete = longer != name and self.words.concrete(longer)
        if not concrete and not self._seen(name, token, follower):
            return
        role = "person" if name in self.lexicon.says else self.words.role(longer) or "thing"
        if name in lists["clothes.garments"] or low in lists["clothes.garments"]:
            role, name = "clothes", low if low in lists["clothes.plural"] else name
        plural = token.tag_ in ("NNS", "NNPS") and low not in lists["clothes.plural"]
        named = " ".join((*page.low[first : token.i], name))
        self._add(page, Thing(named, role, token, first, token.i, page.number, plural=plural))

    def _seen(self, name: str, token: Token, follower: Token | None) -> bool:
        """Whether a noun names something that can be seen."""
        lists = self.lexicon.lists
        if name in self.lexicon.says:
            return True
        if name in lists["nouns.vacuous"] or name in lists["clothes.vague"]:
            return False
        moves, parts = lists["people.moves"], lists["relations.parts"]
        if name in moves or name in parts or name in self.lexicon.places:
            return False
        if name in lists["people.hairstyles"] or name in lists["relations.around"]:
            return False
        if name in lists["nouns.measures"] and follower is not None and follower.lower_ == "of":
            return False
        if name in lists["nouns.seen"]:
            return True
        if name in lists["nouns.abstract"]:
            return False
        concrete = self.words.concrete(name)
        return concrete if concrete is not None else token.tag_ in ("NN", "NNS")

    def _add(self, page: Page, thing: Thing) -> None:
        after = _after(page.tokens[thing.last])
        kind = thing.role != "person" or page.low[thing.first - 1] in ("a", "an")
        if after is not None and after.tag_ == "POS" and kind:
            return  # "the ship's equipment" shows no ship, "a soldier's helmet" no soldier
        if thing.name in self.lexicon.lists["clothes.vague"]:
            return
        page.things.append(thing)
        for i in range(thing.first, thing.last + 1):
            page.by[i] = thing

    def _phrase(self, page: Page, thing: Thing) -> None:
        """Find the words before a noun that describe it, its article and number."""
        doc, at = page.doc, thing.first - 1
        begin, _ = page.sentence(thing.first)
        numbers = self.lexicon.maps["lemmas.numbers"]
        while at >= begin:
            token, low = doc[at], page.low[at]
            if low in ("that", "this") and thing.determiner:
                break
            if token.tag_ in ("DT", "PDT", "PRP$", "WP$") and low not in ("both", "all", "half"):
                thing.determiner = thing.determiner or low
            elif low in numbers or token.tag_ == "CD":
                number = numbers.get(low, low)
                thing.count = thing.count or (int(number) if number.isdecimal() else None)
            elif at in page.by or not self._tells(page, at):
                break
            else:
                thing.told.insert(0, token)
            at -= 1
        thing.begin = at + 1
        while thing.told and page.low[thing.told[0].i] in _LINKS:
            thing.begin = thing.told.pop(0).i + 1
        self._measured(page, thing)

    def _tells(self, page: Page, at: int) -> bool:
        """Whether a word before a noun describes it."""
        token, low = page.tokens[at], page.low[at]
        if low in _LINKS:
            after = page.tokens[at + 1]
            before = page.tokens[at - 1] if at else token
            both = self.lexicon.kind(page.low[after.i]), self.lexicon.kind(page.low[before.i])
            shade = page.low[after.i] in self.lexicon.lists["adjectives.shades"]
            plain = before.tag_ not in NOUNS or both[1] == "color"
            named = at > 1 and at - 2 in page.by
            if low == "," and (both[1] == "state" or before.tag_[:2] == "VB" or named):
                return False
            return plain and (both[1] is not None) and (both[0] is not None or shade)
        if low in self.lexicon.kinds or self.lexicon.kind(low) is not None:
            return token.tag_[:2] not in ("IN",) and low not in ("like",)
        if low in self.lexicon.lists["adjectives.shades"]:
            return True
        if token.tag_ in NOUNS:
            single = at + 1 not in page.by or "-" in low  # "a zip-up jacket"
            return token.dep_ == "compound" and single and any(map(str.isalpha, low))
        return token.tag_ in _DESCRIBES or (token.tag_ == "VBG" and token.dep_ == "amod")

    def _measured(self, page: Page, thing: Thing) -> None:
        """ "A pair of gloves", "a group of people": the number is told before "of"."""
        at = thing.begin
        if at < 2 or page.low[at - 1] != "of":
            return
        noun = page.tokens[at - 2]
        name = base(page.low[noun.i], "noun")
        if noun.i in page.by or name not in self.lexicon.lists["nouns.measures"]:
            return
        number = self.lexicon.maps["lemmas.numbers"].get(name)
        thing.begin = noun.i
        before = page.low[noun.i - 1] if noun.i else ""
        if number and thing.role != "clothes":
            thing.count = thing.count or int(number)
        thing.determiner = thing.determiner or (before if before in _FRESH | _DEFINITE else "a")


def _after(token: Token) -> Token | None:
    """The next word of the sentence."""
    doc = token.doc
    after = doc[token.i + 1] if token.i + 1 < len(doc) else None
    return None if after is None or after.is_sent_start else after


def _garment_top(page: Page, i: int) -> bool:
    """Whether "top" is a garment and no side: "an orange top", not "on top of"."""
    before = page.tokens[i - 1] if i else page.tokens[i]
    after = page.low[i + 1] if i + 1 < len(page.low) else ""
    return (
        before.tag_ in ("JJ", "DT", "CD", "NN")
        and page.low[i - 1] not in ("the", "this", "on")
        and (after not in ("of", "left", "right", "corner", "edge", "half", "part", "-"))
    )


def _join(doc: Doc) -> None:
    """Make one word of pieces that hyphens join without blanks."""
    groups, i, n = list[tuple[int, int]](), 0, len(doc)
    while i < n:
        j = i
        while (
            j + 2 < n
            and doc[j + 1].text == "-"
            and not doc[j].whitespace_
            and not doc[j + 1].whitespace_
            and doc[j + 2].text[:1].isalnum()
            and doc[j].text[-1:].isalnum()
        ):
            j += 2
        if j > i:
            groups.append((i, j + 1))
        i = j + 1
    if groups:
        with doc.retokenize() as retokenizer:
            for start, end in groups:
                retokenizer.merge(doc[start:end])
