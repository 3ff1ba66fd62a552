"""Words of the vocabulary for planted answers: nouns with article and plural, colors, settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from lvlmbench.core.seeding import digest
from lvlmbench.scene.grammar import indefinite, singular
from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.truth.names import Called, names_of
from lvlmbench.scene.vocabulary import Entry, Vocabulary
from lvlmbench.stages.judge.exam.outline import Noun

#: Lists of things whose names may be planted.
THINGS = (*COUNTABLE, "clothes")

#: Lists whose entries stand for people.
_PEOPLE = ("profession", "celebrity")


class Lexis:
    """Looks up the words of a vocabulary.

    Parameters
    ----------
    renderer
        Who draws: what is planted is drawn from what that could have drawn.
    """

    def __init__(self, vocabulary: Vocabulary, renderer: str | None) -> None:
        self._vocabulary, self._renderer = vocabulary, renderer
        self._names = names_of(vocabulary, renderer)
        self._by_word: dict[str, tuple[str, Entry]] = {}
        for name in (*THINGS, *vocabulary.lists):
            for entry in vocabulary.lists[name].entries:
                self._by_word.setdefault(entry.label.lower(), (name, entry))

    def noun(self, lemma: str) -> Noun:
        """Return the noun of a thing that a truth names, in lower case."""
        name, entry = self._by_word.get(lemma, ("", None))
        if entry is None or name in ("color", "background", "style"):
            return plain(lemma)
        if name in _PEOPLE:
            return Noun(lemma, entry.article, entry.label, entry.plural, pronoun="they")
        return _noun(entry)

    def called(self, name: str, label: str) -> Called:
        """Return what an entry of a list is called."""
        return self._names.of(name, label)

    @cached_property
    def things(self) -> Sequence[tuple[str, Entry]]:
        """All things, as (list, entry), in an order that no list's order decides."""
        found = [
            (name, entry)
            for name in THINGS
            for entry in self._vocabulary.lists[name].for_renderer(self._renderer).entries
        ]
        return sorted(found, key=lambda pair: digest(*pair[1].label))

    @cached_property
    def settings(self) -> Sequence[tuple[str, Entry]]:
        """Backgrounds and styles, as (list, entry)."""
        return [
            (name, entry)
            for name in ("background", "style")
            for entry in self._vocabulary.lists[name].for_renderer(self._renderer).entries
        ]

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """Labels of the colors."""
        return tuple(entry.label for entry in self._vocabulary.lists["color"].entries)

    def neighbors(self, name: str, label: str) -> frozenset[str]:
        """Return what looks like a thing, in lower case."""
        found = self._vocabulary.near.get((name, label), ())
        return frozenset(other.lower() for _, other in found)

    def setting_words(self, relation: str, lemma: str) -> str:
        """Return a background or style as a sentence has it: "a forest", "an oil painting"."""
        entry = self._names.entry(relation, self._label(relation, lemma))
        if entry is None:
            return indefinite(lemma)
        if relation == "style":
            caption = str(entry.extra["caption"])
            claim = caption.removesuffix(" of {subject}")
            return claim if claim != caption else f"a picture in the style of {entry.label}"
        if relation in ("weather", "light"):
            phrase = str(entry.extra["phrase"])
            return phrase[:1].lower() + phrase[1:]
        return singular(entry)

    def _label(self, relation: str, lemma: str) -> str | None:
        name = "weather" if relation == "light" else relation
        return next((each for each in self._names.entries(name) if each.lower() == lemma), None)


@lru_cache(maxsize=4)
def lexis_of(vocabulary: Vocabulary, renderer: str | None) -> Lexis:
    """Return the words of a vocabulary; once a process."""
    return Lexis(vocabulary, renderer)


def plain(lemma: str, pronoun: str = "it") -> Noun:
    """Return the noun of a word that no list holds."""
    article = indefinite(lemma).partition(" ")[0]
    return Noun(lemma, article, lemma, _plural(lemma), pronoun=pronoun)


def _noun(entry: Entry) -> Noun:
    many = not entry.article and entry.label.endswith("s") and not entry.label.endswith("ss")
    return Noun(entry.label.lower(), entry.article, entry.label, entry.plural, many)


def _plural(lemma: str) -> str:
    if lemma.endswith(("s", "x", "ch", "sh")):
        return f"{lemma}es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ies"
    return _ODD.get(lemma, f"{lemma}s")


_ODD = {
    "person": "people", "man": "men", "woman": "women", "child": "children",
    "elderly man": "elderly men", "elderly woman": "elderly women",
}  # fmt: skip


def singular_of(word: str) -> str:
    """Return a word without the ending of a plural, as lemmas are: "cars" -> "car"."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
