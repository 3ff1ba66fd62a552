"""Whether a word names what a feature does: the one place where words and features meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.kept import kept
from lvlmbench.scene.claims import Feature
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.colors import Colors, colors
from lvlmbench.scene.truth.lexicon import FOLDER
from lvlmbench.scene.truth.names import Names, names_of
from lvlmbench.scene.truth.relation import fold
from lvlmbench.scene.truth.wordnet import EVERYDAY, wordnet
from lvlmbench.scene.vocabulary import load_vocabulary

#: The packaged vocabulary.
VOCABULARY = PROJECT_ROOT / "data" / "vocabulary"
#: Words of everyday language below which WordNet has much that is a part or a material.
_LOOSE = frozenset(("food", "plant", "building", "tool", "toy", "clothing", "clothes", "flower"))
#: Words and names of which is held whether they meet.
_CACHED = 1 << 17


class Met(NamedTuple):
    """How a word names what a feature does.

    Attributes
    ----------
    verdict, how
        As of a match.
    level
        The higher, the surer it is meant.
    """

    verdict: Literal["matched", "broader", "narrower"]
    how: str
    level: int


_WORD = Met("matched", "word", 4)
_SYNONYM = Met("matched", "synonym", 3)
#: Another noun for people: its gender and age are attributes of their own.
SOMEBODY = Met("matched", "synonym", 2)
_BELOW = Met("narrower", "ancestor", 2)
_ABOVE = Met("broader", "ancestor", 1)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All that is known of words beside a picture's features.

    Attributes
    ----------
    names
        How words relate to the names of things.
    colors
        Names of colors.
    persons
        Nouns that say of somebody no more than gender, age or kin.
    own
        All names that a vocabulary has for things of their own, folded.
    """

    names: Names
    colors: Colors
    persons: frozenset[str]
    own: frozenset[str] = frozenset()

    def beside(self, names: Iterable[str]) -> Lexicon:
        """Return this lexicon with the names of a vocabulary."""
        return replace(self, own=frozenset(map(fold, names)))

    def fold(self, word: str) -> str:
        """Return a word as it is compared: lower case, singular, no hyphens."""
        return fold(word)

    def meet(self, word: str, feature: Feature) -> Met | None:
        """Return how a word names what a feature does, None if it does not."""
        own = feature.object or feature.subject
        met = _met(self, word, own, feature.forms, feature.group)
        return _BELOW if met is None and _finer(word, feature) else met

    def wrong(self, word: str, feature: Feature) -> bool:
        """Return whether a word is known to be none for what a feature is."""
        own = feature.object or feature.subject
        if _finer(word, feature):
            return False
        return self.names.relation(word, own) in ("near", "different")

    def stands_alone(self, word: str) -> bool:
        """Return whether a word is known to name a thing of its own, no part, place or material."""
        word = fold(word)
        kinds = EVERYDAY - _LOOSE
        parts = (word, word.rpartition(" ")[2])
        return any(w in self.own or w in self.persons or wordnet().below(kinds, w) for w in parts)


def _finer(word: str, feature: Feature) -> bool:
    """Whether a word says more of what people have listed in a photograph: names that are wrong for
    a drawing may be right there."""
    own = feature.object or feature.subject
    if own == PERSON or feature.source != "given":
        return False
    return wordnet().above(fold(own), fold(word))


@lru_cache(maxsize=_CACHED)
def _met(
    lexicon: Lexicon, said: str, own: str, forms: tuple[str, ...], group: str | None
) -> Met | None:
    word, names = fold(said), {fold(own), *map(fold, forms)}
    if word in names:
        return _WORD
    if PERSON in names:
        head = word.rpartition(" ")[2]
        if word in lexicon.persons or head in lexicon.persons:
            return SOMEBODY
        if own == PERSON:  # of other nouns that share a sense with people, none is meant
            return _BELOW if wordnet().only(PERSON, head) else None
    path = [fold(part) for part in (group or "").split("/")]
    if word in (path[:-1] or path):  # the last tells members of a group apart: 'flower/water'
        return _SYNONYM
    related = lexicon.names.relation(said, own)
    return {"same": _SYNONYM, "broader": _ABOVE}.get(related or "")


@cache
@kept(FOLDER)
def packaged() -> Lexicon:
    """Return the lexicon that this software carries, read once."""
    persons = (FOLDER / "persons.txt").read_text(encoding="utf-8").split("\n")
    return Lexicon(
        names_of(load_vocabulary(VOCABULARY), None), colors(), frozenset(filter(None, persons))
    )
