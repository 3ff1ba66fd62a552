"""What things are called: forms and group of each entry of a vocabulary, and more words of ours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.lexicon import ANY, Given, read_names
from lvlmbench.scene.truth.relation import Relation, Relations
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
        self._vocabulary, self._given = vocabulary, read_names()
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
        people = self._given[PERSON].values()
        return distinct(PERSON, *(word for given in people for word in given.same))

    def of(self, name: str, label: str) -> Called:
        """Return what an entry of a list is called: label, plural, what is said for it, and those
        of its group, as a picture of one may be called by the other's name."""
        key = (name, label)
        if key not in self._found:
            self._found[key] = self._called(name, label)
        return self._found[key]

    def more(self, name: str, label: str) -> tuple[str, ...]:
        """Return further words for a label, our own."""
        return self._names(name, label).same

    def relation(self, said: str, label: str, listing: str | None = None) -> Relation | None:
        """Return how what somebody calls a thing relates to what it is.

        Spelling, number, hyphens, blanks and articles make no difference, nor do words that only
        say which one it is ("a small red apple").

        Parameters
        ----------
        said
            A name, of one word or several; of what somebody does, a verb and what belongs to it.
        label
            An entry of a list of the vocabulary or of ``data/lexicon/names.yaml``, or any noun.
        listing
            The list; of a label that several lists have, the best relation counts where none is
            given.

        Returns
        -------
        Relation or None
            ``same``: a name of it, or of a kind of it. ``broader``: less is said, and it is so.
            ``near``: a similar thing, and wrong. ``different``: another thing. None: nobody knows
            the word.
        """
        return self._relations.relation(said, label, listing)

    @cached_property
    def _relations(self) -> Relations:
        """Of the whole vocabulary, whatever a renderer can draw of it."""
        lists = self._vocabulary.lists
        called: dict[str, dict[str, tuple[str, ...]]] = {
            name: dict.fromkeys(labels, ()) for name, labels in self._given.items()
        }
        for name, listing in lists.items():
            own = called.setdefault(name, {})
            own |= {each.label: self._own(name, each) for each in listing.entries}
        for labels in called.values():
            labels.pop(ANY, None)

        def mates(name: str, label: str) -> Iterator[str]:
            entry = lists[name].by_label.get(label) if name in lists else None
            if entry is not None:
                for each in lists[name].entries:
                    if each.group == entry.group:
                        yield from (each.label, each.plural)

        def alike(name: str, label: str) -> Iterator[str]:
            near = self._vocabulary.near.get((name, label), ())
            yield from (other for of, other in near if of == name)

        def kinds(name: str, label: str) -> Iterator[str]:
            if name in lists and label in lists[name].by_label:
                yield from lists[name].alike(label)

        return Relations(called, mates, alike, kinds)

    def _names(self, name: str, label: str) -> Given:
        return self._given.get(name, {}).get(label, Given())

    @staticmethod
    def _own(name: str, entry: Entry) -> tuple[str, ...]:
        """What the vocabulary says an entry is called, without its label."""
        own = _OWN[name](entry) if name in _OWN else (entry.plural,)
        return (*own, _one_of(entry))

    def _called(self, name: str, label: str) -> Called:
        entry, more = self.entry(name, label), self.more(name, label)
        if name == CHART:  # labels are kinds in words: "number line"
            more = self.more(name, label.replace(" ", "_"))
        if entry is None:
            forms = distinct(*more) if name == CHART else distinct(label, *more)
            return Called(forms[0], forms)
        given = self._names(name, label)
        mates = [each for each in self._mates[name, entry.group] if each.lower() not in given.wrong]
        forms = distinct(label, *self._own(name, entry), *more, *mates)
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
