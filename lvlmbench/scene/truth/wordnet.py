"""Nouns of WordNet 3.0: which of them can be seen, which mean the same, which mean more.

The extract is ``data/lexicon/wordnet.tsv.xz``; ``scripts/wordnet_extract.py`` makes it. A sense
that is not among a word's first two is rare: nobody means it of a picture.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.core.kept import kept
from lvlmbench.scene.truth.lexicon import FOLDER

FILE = FOLDER / "wordnet.tsv.xz"

#: Senses of a word that count: the most frequent.
_SENSES = 2
#: Steps up to which what lies above a word is a name for it.
EDGES = 4
#: Words that stand far above what they are used for: their whole branch counts.
EVERYDAY = frozenset((
    "animal", "plant", "food", "vehicle", "furniture", "clothing", "clothes", "building", "tool",
    "instrument", "mammal", "bird", "fish", "insect", "reptile", "fruit", "vegetable", "tree",
    "flower", "toy",
))  # fmt: skip
FAR = 14
#: Words of pictures -> what they mean there, which WordNet has as a rare sense or not at all.
MEANT = {
    "instrument": "musical instrument",
    "clothes": "clothing",
    "creature": "animal",
    "beast": "animal",
}


class WordNet:
    """Nouns and what lies above them.

    Parameters
    ----------
    senses
        Noun -> its concrete senses among the first two, by rank; none for an abstract one.
    above
        Synset -> synsets right above it, with a space between.
    first
        Nouns of which the most frequent sense is a concrete one.
    """

    def __init__(
        self,
        senses: Mapping[str, tuple[str, ...]],
        above: Mapping[str, str],
        first: frozenset[str] = frozenset(),
    ) -> None:
        self._senses, self._above, self._first = senses, above, first
        self._roles: dict[str, str] = {}
        self._climbed: dict[tuple[str, str], dict[str, int]] = {}

    def __contains__(self, lemma: str) -> bool:
        """Whether it is a noun that WordNet has."""
        return lemma in self._senses

    def concrete(self, lemma: str) -> bool | None:
        """Return whether a noun names something that can be seen; None where it is not known."""
        senses = self._senses.get(lemma)
        return None if senses is None else bool(senses)

    def same(self, a: str, b: str, kind: str = "") -> bool:
        """Return whether two nouns share one of their first two senses; see :meth:`above`."""
        return not self._meant(b, kind).isdisjoint(self._senses.get(a, ()))

    def means(self, lemma: str, kind: str) -> bool:
        """Return whether one of a noun's first two senses lies below another noun, or is it."""
        roots = {*self._senses.get(kind, ())}
        return any(self._below(roots, name) for name in self._senses.get(lemma, ()))

    def _meant(self, lemma: str, kind: str) -> set[str]:
        """A noun's first two senses; those below another noun alone, where there are any."""
        senses, roots = self._senses.get(lemma, ()), {*self._senses.get(kind, ())}
        return {name for name in senses if self._below(roots, name)} or {*senses}

    def above(self, a: str, b: str, edges: int = EDGES, kind: str = "") -> bool:
        """Return whether a noun lies above one of another's first two senses.

        Parameters
        ----------
        a, b
            The broader noun, by its own first two senses, and the narrower one.
        edges
            Steps that may lie between them; none is no step.
        kind
            A noun: of the narrower one's senses, those below it count where there are any.
        """
        sought, steps = self._senses.get(a, ()), self._steps(b, kind)
        found = [steps[name] for name in sought if name in steps]
        return bool(found) and 0 < min(found) <= edges

    def broader(self, word: str, other: str, kind: str = "") -> bool:
        """Return whether a word of everyday language says less of what another noun names."""
        word = MEANT.get(word, word)
        if word == "person":
            return self.only(word, other)
        return self.above(word, other, FAR if word in EVERYDAY else EDGES, kind)

    def _steps(self, lemma: str, kind: str = "") -> dict[str, int]:
        """Synsets of a noun's first two senses and above them, by the fewest steps to each."""
        key = (lemma, kind)
        if key not in self._climbed:
            level, steps, n = self._meant(lemma, kind), dict[str, int](), 0
            while level:
                steps |= dict.fromkeys(level, n)
                level = {up for name in level for up in self._above.get(name, "").split()}
                level, n = level - steps.keys(), n + 1
            self._climbed[key] = steps
        return self._climbed[key]

    def only(self, a: str, b: str) -> bool:
        """Return whether a noun lies above each of another's first two senses, at any distance.

        So *chef* is a person and *goat*, of which the second sense is a victim, is none.
        """
        sought = {*self._senses.get(a, ())}
        return all(self._below(sought, name) for name in self._senses.get(b, ("",)) or ("",))

    def role(self, lemma: str) -> str:
        """Return ``person``, ``animal`` or ``clothes`` where a noun means one first, else ""."""
        if lemma not in self._roles:
            self._roles[lemma] = self._role(lemma)
        return self._roles[lemma]

    def _role(self, lemma: str) -> str:
        senses = self._senses.get(lemma)
        if not senses or lemma not in self._first:
            return ""
        if self.only("person", lemma):
            return "person"
        for role, above in (("animal", "animal"), ("clothes", "clothing")):
            if self._below({*self._senses.get(above, ())[:1]}, senses[0]):
                return role
        return ""

    def below(self, words: Iterable[str], lemma: str) -> bool:
        """Return whether a noun's most frequent sense lies below one of some words' first ones."""
        if lemma not in self._first:
            return False
        sought = {name for word in words for name in self._senses.get(word, ())[:1]}
        return self._below(sought, self._senses[lemma][0])

    def _below(self, sought: set[str], name: str) -> bool:
        level = {name}
        while level and sought.isdisjoint(level):
            level = {up for each in level for up in self._above.get(each, "").split()}
        return bool(level)


def read(lines: Iterable[str]) -> WordNet:
    """Read the rows of the extract: lemma, rank of the sense, synset, synsets above."""
    senses: dict[str, tuple[str, ...]] = {}
    above: dict[str, str] = {}
    first: set[str] = set()
    for line in lines:
        lemma, rank, name, ups = line.split("\t")
        if rank:
            above[name] = ups
        if rank == "1":
            first.add(lemma)
        known = senses.get(lemma, ())
        senses[lemma] = (*known, name) if rank and int(rank) <= _SENSES else known
    return WordNet(senses, above, frozenset(first))


@cache
@kept(FOLDER)
def wordnet(path: Path = FILE) -> WordNet:
    """Return the packaged extract, read once.

    Raises
    ------
    UserError
        The file is missing or none.
    """
    try:
        text = lzma.decompress(path.read_bytes()).decode("ascii")
    except (OSError, lzma.LZMAError, ValueError):
        fix = "restore it, or make it with scripts/wordnet_extract.py"
        raise UserError(str(path), "cannot be read", fix) from None
    return read(text.splitlines())
