"""How a word relates to the name of a thing: the same, broader, near but wrong, different."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from lvlmbench.scene.lists import COUNTABLE, PERSON
from lvlmbench.scene.truth.lexicon import ANY, PARTS, Given, lists, read, read_names
from lvlmbench.scene.truth.wordnet import wordnet

#: How what was said relates to a label.
Relation: TypeAlias = Literal["same", "broader", "near", "different"]

#: The best relation comes first: that of any of several things of one label counts.
_ORDER: tuple[Relation, ...] = ("same", "broader", "near", "different")

#: List -> a noun that is above the sense in which its labels are meant.
_KIND = {
    "animal": "animal", "plant": "plant", "food": "food", "clothes": "covering",
    "garment": "covering", "profession": "person", "object": "artifact", "carrier": "artifact",
    "held": "artifact", "prop": "artifact",
}  # fmt: skip

#: Lists of what people do: their names begin with a verb.
_DOING = frozenset(("action", "pose"))

#: Lists, and no list, of what stands beside things: their labels may be kinds of one another.
_LOOSE = frozenset(("", "thing"))

_WORD = re.compile(r"[^\W_]+(?:[.'\u2019][^\W_]+)*")
_ARTICLES = frozenset(("a", "an", "the", "some", "his", "her", "their", "its"))
_TWO = re.compile(r"([bdgmnprt])\1$")
_VOWEL = re.compile(r"[aeiouy]")
#: What follows these says which thing it is, not what.
_LINK = re.compile(
    r" (?:with|in|into|on|onto|at|over|under|from|of|by|for|to|through|along|wearing|holding) "
)
#: Lists of adjectives that say what a thing looks like: with one of them it is no other thing.
_LOOKS = ("color", "size", "pattern")
#: Of which words and phrases it is kept how they compare.
_KEPT = 1 << 17


@lru_cache(maxsize=_KEPT)
def fold(said: str) -> str:
    """Return a name as names are compared: lower case, singular, American, without article.

    Hyphens count as blanks, and "artist's" as "artist"; :func:`key` leaves blanks out.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", said) if not unicodedata.combining(c))
    words = [w.removesuffix("'s") for w in _WORD.findall(plain.lower().replace("\u2019", "'"))]
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    head, of, rest = " ".join(words).partition(" of ")
    spelling: Mapping[str, str] = lists("lemmas")["spelling"]
    folded = _singular(head) + (of and of + _singular(rest))
    return " ".join(spelling.get(word, word) for word in folded.split())


def _singular(phrase: str) -> str:
    """A phrase with its last word in the singular."""
    first, blank, last = phrase.rpartition(" ")
    known: str | None = lists("lemmas")["nouns"].get(last)
    if known is not None:
        return first + blank + known
    if not last.endswith("s") or last.endswith(("ss", "us", "is")) or len(last) < 4:
        return phrase
    for plural, end in (("ies", "y"), ("es", ""), ("s", "")):
        one = last.removesuffix(plural) + end
        sibilant = one.endswith(("y", "s", "x", "ch", "sh", "o"))
        if last.endswith(plural) and one in wordnet() and (plural == "s" or sibilant):
            return first + blank + one
    return phrase if last in wordnet() else phrase[:-1]


@lru_cache(maxsize=_KEPT)
def key(said: str, doing: bool = False) -> str:
    """Return what two names have in common that are one: folded, without blanks.

    Parameters
    ----------
    doing
        Whether it says what somebody does: verbs are brought to their stems.
    """
    if not doing:
        return fold(said).replace(" ", "")
    words = [word for word in said.lower().replace("-", " ").split() if word not in _ARTICLES]
    return "".join([*map(_stem, words[:1]), *(fold(word) for word in words[1:])])


def _stem(verb: str) -> str:
    """What the forms of a regular verb have in common."""
    stem = verb.removesuffix("ing")
    if not _VOWEL.search(stem):
        stem = verb
    elif stem == verb:
        stem = str(lists("lemmas")["verbs"].get(verb, verb))
        stem = stem if stem.endswith("ss") else stem.removesuffix("s")
    return _TWO.sub(r"\1", stem).removesuffix("e")


class _Kin(NamedTuple):
    """Names of one label, by key, and its noun in WordNet.

    Of what somebody does, ``doing`` has the names of several words, word by word.
    """

    given: Mapping[str, Relation]
    noun: str
    doing: tuple[tuple[tuple[str, ...], Relation], ...] = ()


class Relations:
    """Tells how words relate to labels.

    Parameters
    ----------
    called
        List -> label -> all that names it, the label among it.
    mates
        (list, label) -> further names for it, its group's.
    alike
        (list, label) -> labels of its list that look like it, and are no names of it.
    kinds
        (list, label) -> labels of its list that are kinds of it, or it of them.
    """

    def __init__(
        self,
        called: Mapping[str, Mapping[str, tuple[str, ...]]],
        mates: Callable[[str, str], Iterable[str]],
        alike: Callable[[str, str], Iterable[str]],
        kinds: Callable[[str, str], Iterable[str]],
    ) -> None:
        self._called, self._mates, self._alike, self._kinds = called, mates, alike, kinds
        self._given = read_names()
        self._kept: dict[tuple[str, str], _Kin] = {}
        self._lists: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._owners: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for name, labels in called.items():
            for label, names in labels.items():
                self._lists[label.lower()].append((name, label))
                for each in (label, *names, *self._names(name, label).same):
                    self._owners[key(each, name in _DOING)].add((name, label))
        self._measures = frozenset(_measures(called))
        self._parts = lru_cache(maxsize=_KEPT)(lambda said: (*_parts(said, self._measures),))
        self.relation = lru_cache(maxsize=_KEPT)(self._relation)

    def _names(self, name: str, label: str) -> Given:
        return self._given.get(name, {}).get(label, Given())

    def _relation(self, said: str, label: str, listing: str | None) -> Relation | None:
        """How what was said relates to a label of a list, or of any list."""
        places = [p for p in self._lists.get(label.lower(), ()) if listing in (None, p[0])]
        places = places or [(listing or "", label)]
        found = {self._of(said, name, own) for name, own in places}
        return next((each for each in _ORDER if each in found), None)

    def _of(self, said: str, name: str, label: str) -> Relation | None:
        kin, words = self._kin(name, label), self._parts(said)
        for word in words:
            found = self._word(word, name, label, kin)
            if found is not None:
                return found
        known = any(key(word, name in _DOING) in self._owners for word in words)
        return "different" if known else None

    def _word(self, word: str, name: str, label: str, kin: _Kin) -> Relation | None:
        """How one word or fixed phrase relates; None where nobody knows it."""
        doing, net = name in _DOING, wordnet()
        this = key(word, doing)
        if this in kin.given:
            return kin.given[this]
        owners = self._owners.get(this, set())
        if doing:
            return self._doing(word, kin, owners)
        kind = _KIND.get(name, "")
        things = {*COUNTABLE} - {name} if name in COUNTABLE else set[str]()
        named = {
            (other, one)
            for other, one in owners
            if name not in _LOOSE and (key(one) == this or other in things)
        }
        rivals = {other for each, other in owners if each == name}
        if any((name, other) in named for other in self._alike(name, label)):
            return "near"
        if kin.noun and net.broader(word, kin.noun, kind):
            return "broader"
        looks = word.partition(" ")[0] in _looks()
        if rivals and (named or not looks) and (name not in _LOOSE or " " not in word):
            return "near" if rivals.intersection(self._kinds(name, label)) else "different"
        if self._narrower(word, name, kin, kind, bool(owners)):
            return "same"
        known = word in net and not looks
        alone = " " not in word and (owners or this in _seen())
        return "different" if named or alone or known else None

    @staticmethod
    def _doing(word: str, kin: _Kin, owners: Iterable[tuple[str, str]]) -> Relation | None:
        """How a verb phrase relates that says more than a name does: "hold up a phone"."""
        if any(each in _DOING for each, _ in owners):
            return "different"
        verb, *rest = (key(each, doing=True) for each in word.split())
        found = (
            relation
            for words, relation in kin.doing
            if words[0] == verb and {*words} <= {verb, *rest}
        )
        return next(found, None)

    def _narrower(self, word: str, name: str, kin: _Kin, kind: str, owned: bool) -> bool:
        """Whether a word says the same or more of a thing: a husky is a dog."""
        net = wordnet()
        if name == PERSON:
            return net.only(PERSON, word)
        if owned or not kin.noun:
            return not name and net.same(word, kin.noun)
        return net.same(word, kin.noun, kind) or net.above(kin.noun, word, kind=kind)

    def _kin(self, name: str, label: str) -> _Kin:
        found = self._kept.get((name, label))
        if found is None:
            found = self._kept[name, label] = self._make(name, label)
        return found

    def _make(self, name: str, label: str) -> _Kin:
        doing, own, every = name in _DOING, self._names(name, label), self._names(name, ANY)
        called = (label, *self._called.get(name, {}).get(label, ()), *own.same)
        given, several = dict[str, Relation](), list[tuple[tuple[str, ...], Relation]]()
        ranked: tuple[tuple[Iterable[str], Relation], ...] = (
            (called, "same"),
            (own.near, "near"),
            (own.broader, "broader"),
            (self._mates(name, label), "same"),
            (every.broader, "broader"),
        )
        for words, relation in ranked:
            for word in words:
                given.setdefault(key(word, doing), relation)
                if doing and " " in word:
                    several.append((tuple(key(w, doing=True) for w in word.split()), relation))
        net, kind = wordnet(), _KIND.get(name)
        nouns = [*map(fold, called), fold(label).rpartition(" ")[2]]
        known = (n for n in nouns if (net.means(n, kind) if kind else n in net))
        noun = next(known, "")
        return _Kin(given, noun, tuple(several))


def _parts(said: str, measures: Container[str]) -> Iterator[str]:
    """What was said, and less and less of what comes before its noun.

    What says which thing it is goes first ("a bear with a hat"), and words for pictures
    ("a dog emoji"). Of a measure of something ("a slice of ham"), the something counts.
    """
    phrase = fold(said)
    yield phrase
    head, _, rest = phrase.partition(" of ")
    measure = head.rpartition(" ")[2]
    if rest and (measure in measures or wordnet().above("container", measure)):
        yield from _parts(rest, measures)
        return
    head = _LINK.split(phrase)[0]
    while " " in head and head.rpartition(" ")[2] in read(PARTS)["drawing"][ANY]:
        head = head.rpartition(" ")[0]
    yield head
    while " " in head:
        head = head.partition(" ")[2]
        yield head


def _measures(called: Mapping[str, Mapping[str, Iterable[str]]]) -> Iterator[str]:
    """Nouns that say how much there is of something: "slice" of "slices of pizza"."""
    for name in (*COUNTABLE, "clothes"):
        for names in called.get(name, {}).values():
            yield from (fold(each).partition(" of ")[0] for each in names if " of " in each)
    yield from lists("lemmas")["portions"]


@cache
def _looks() -> frozenset[str]:
    """Adjectives of looks."""
    return frozenset(str(word) for name in _LOOKS for word in lists("adjectives")[name])


@cache
def _seen() -> frozenset[str]:
    """Keys of what drawings show beside things."""
    words = (w for labels in read(PARTS).values() for ws in labels.values() for w in ws)
    return frozenset(map(key, words))
