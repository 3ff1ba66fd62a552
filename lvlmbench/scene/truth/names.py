"""What things are called: forms and group of each entry of a vocabulary, and more words of ours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.lexicon import CALLED, read
from lvlmbench.scene.vocabulary import Entry, Vocabulary

#: List of charts: what they are called does not begin with their labels.
CHART = "chart"

#: What a background's phrase begins with, and what ends its first part.
_LEAD = re.compile(r"^(in front of|next to|before|under|among|in|on|at) ")
_NEXT = re.compile(
    r" (in front of|next to|before|between|under|among|over|with|full of|by|in|on|at) .*$"
)
_ARTICLE = re.compile(r"^(an?|the) ")


class Called(NamedTuple):
    """What an entry is called.

    Attributes
    ----------
    label
        Its label in lower case.
    forms
        Words that name it, the label first.
    group
        Its path in the vocabulary; None where it is in none.
    """

    label: str
    forms: tuple[str, ...]
    group: str | None = None


def distinct(*words: str) -> tuple[str, ...]:
    """Return words in lower case, each once, in order, without those that are empty."""
    return tuple(dict.fromkeys(word.lower() for word in words if word))


def bare(phrase: str) -> str:
    """Return a phrase without its article."""
    return _ARTICLE.sub("", phrase)


class Names:
    """Looks up what the entries of a vocabulary are called, as one renderer draws them."""

    def __init__(self, vocabulary: Vocabulary, renderer: str | None) -> None:
        self._lists = {
            name: {entry.label: entry for entry in listing.for_renderer(renderer).entries}
            for name, listing in vocabulary.lists.items()
        }
        self._mates: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, entries in self._lists.items():
            for entry in entries.values():
                self._mates[name, entry.group].append(entry.label)
        self._more: Mapping[str, Mapping[str, tuple[str, ...]]] = read(CALLED)
        self._found: dict[tuple[str, str], Called] = {}

    def entry(self, name: str, label: str | None) -> Entry | None:
        """Return an entry as the renderer draws it; None where the list has none."""
        return None if label is None else self._lists.get(name, {}).get(label)

    def entries(self, name: str) -> Mapping[str, Entry]:
        """Return the entries of a list by label; none where there is no such list."""
        return self._lists.get(name, {})

    @cached_property
    def anybody(self) -> tuple[str, ...]:
        """Nouns that name some person, of any age and gender."""
        return distinct(PERSON, *(word for words in self._more[PERSON].values() for word in words))

    def of(self, name: str, label: str) -> Called:
        """Return what an entry of a list is called: label, plural, what is said for it, and those
        of its group, as a picture of one may be called by the other's name."""
        key = (name, label)
        if key not in self._found:
            self._found[key] = self._called(name, label)
        return self._found[key]

    def more(self, name: str, label: str) -> tuple[str, ...]:
        """Return further words for a label, our own."""
        return self._more.get(name, {}).get(label, ())

    def _called(self, name: str, label: str) -> Called:
        entry, more = self.entry(name, label), self.more(name, label)
        if name == CHART:  # labels are kinds in words: "number line"
            more = self.more(name, label.replace(" ", "_"))
        if entry is None:
            forms = distinct(*more) if name == CHART else distinct(label, *more)
            return Called(forms[0], forms)
        own = _OWN[name](entry) if name in _OWN else (entry.plural,)
        mates = self._mates[name, entry.group]
        forms = distinct(label, *own, _one_of(entry), *more, *mates)
        return Called(label.lower(), forms, entry.group.lower())


def _one_of(entry: Entry) -> str:
    """What a reader brings a plural label to: "rubber gloves" to "rubber glove"."""
    label = entry.label
    if entry.article or not label.endswith("s") or label.endswith(("ss", "us", "is")):
        return ""
    if label.endswith("ies"):
        return f"{label[:-3]}y"
    return label[:-2] if label.endswith("sses") else label[:-1]


def _background(entry: Entry) -> tuple[str, ...]:
    """ "before a sunset over the sea": with and without its article, whole and to the sea."""
    phrase = _LEAD.sub("", str(entry.extra["phrase"]))
    short = _NEXT.sub("", phrase)
    return phrase, bare(phrase), short, bare(short)


def _style(entry: Entry) -> tuple[str, ...]:
    """ "an oil painting", "oil painting": what captions call it."""
    caption = str(entry.extra["caption"])
    if not caption.endswith(" of {subject}"):
        return (entry.plural,)
    claim = caption.removesuffix(" of {subject}")
    return claim, bare(claim)


def _said(entry: Entry) -> tuple[str, ...]:
    return (str(entry.extra["phrase"]),)


def _last(entry: Entry) -> tuple[str, ...]:
    """A family name, mostly."""
    return (entry.label.split()[-1],)


#: What lists say of an entry in a way of their own.
_OWN: Mapping[str, Callable[[Entry], tuple[str, ...]]] = {
    "background": _background,
    "style": _style,
    "weather": _said,
    "expression": _said,
    "race": _said,
    "celebrity": _last,
}


@lru_cache(maxsize=8)
def names_of(vocabulary: Vocabulary, renderer: str | None) -> Names:
    """Return what a vocabulary's entries are called where a renderer draws; once a process."""
    return Names(vocabulary, renderer)
