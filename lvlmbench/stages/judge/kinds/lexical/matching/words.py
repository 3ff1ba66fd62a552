"""Whether a word names what a feature does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from lvlmbench.core.kept import kept
from lvlmbench.scene.claims import Feature
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.colors import Colors, colors
from lvlmbench.scene.truth.lexicon import CALLED, FOLDER, PARTS, read
from lvlmbench.scene.truth.wordnet import WordNet, wordnet
from lvlmbench.stages.judge.kinds.lexical.matching.similar import ALIKE, Similar, encoder

#: What follows these says which thing it is, not what.
_LINK = re.compile(" (?:of|with|in|on|at|over|from|made|like) ")
#: Endings of those who do something with a thing.
_DOERS = ("r", "er", "ist", "man")
#: Words and names of which is held whether they meet.
_CACHED = 1 << 17


class Met(NamedTuple):
    """How a word names what a feature does.

    Attributes
    ----------
    verdict, how, score
        As of a match.
    level
        The higher, the surer it is meant.
    """

    verdict: Literal["matched", "broader", "narrower"]
    how: str
    level: int
    score: float | None = None


_WORD = Met("matched", "word", 4)
_SYNONYM = Met("matched", "synonym", 3)
#: Another noun for people: its gender and age are attributes of their own.
SOMEBODY = Met("matched", "synonym", 2)
_MORE = Met("narrower", "synonym", 2)
_BELOW = Met("narrower", "ancestor", 2)
_ABOVE = Met("broader", "ancestor", 1)


@dataclass
class Lexicon:
    """All that is known of words beside a picture's features.

    Attributes
    ----------
    wordnet
        Nouns.
    colors
        Names of colors.
    persons
        Nouns that say of somebody no more than gender, age or kin.
    known
        Words that the project's lexicons have.
    labels
        Names of several words that a vocabulary has for things of their own, folded.
    own
        All names that a vocabulary has for things of their own, folded.
    similar
        Compares words that no list has; None leaves them apart.
    """

    wordnet: WordNet
    colors: Colors
    persons: frozenset[str]
    known: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    similar: Similar | None = None
    _folded: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def beside(self, names: Iterable[str]) -> Lexicon:
        """Return this lexicon with the names of a vocabulary."""
        own = frozenset(map(self.fold, names))
        labels = frozenset(name for name in own if " " in name)
        return replace(self, labels=labels, own=own)

    def stands_alone(self, word: str) -> bool:
        """Return whether a word is known to name a thing of its own, no part, place or material."""
        word = self.fold(word)
        if word in self.own or word in self.persons:
            return True
        word = self._head(word)
        return word in self.own or word in self.persons or self.wordnet.below(EVERYDAY, word)

    def near(self, word: str, feature: Feature) -> bool:
        """Return whether a word may be taken for what a feature is: they are of one kind."""
        words = [self._head(self.fold(each)) for each in (word, feature.object or feature.subject)]
        return self.wordnet.akin(*words)

    def fold(self, word: str) -> str:
        """Return a word as it is compared: lower case, singular, no hyphens."""
        found = self._folded.get(word)
        if found is None:
            found = self._folded[word] = self._fold(word)
        return found

    def _fold(self, word: str) -> str:
        plain = " ".join(word.lower().replace("-", " ").replace("_", " ").split())
        head = plain.rpartition(" ")[2]
        if plain in self.wordnet or head in self.wordnet or not head.endswith("s"):
            return plain
        cuts = ((3, "y"), (2, ""), (1, "")) if head.endswith("ies") else ((2, ""), (1, ""))
        for cut, end in cuts if len(head) > 3 else ():
            one = head[:-cut] + end
            if one in self.wordnet and (cut == 1 or one.endswith(("y", "s", "x", "ch", "sh"))):
                return plain[: len(plain) - len(head)] + one
        return plain

    def meet(self, word: str, feature: Feature) -> Met | None:
        """Return how a word names what a feature does, None if it does not.

        A word that says more than the feature is ``narrower``: it is for the caller to know
        whether that may be so.
        """
        return self._meet(word, feature.subject, feature.object, feature.forms, feature.group)

    @cached_property
    def _meet(self) -> Callable[..., Met | None]:
        return lru_cache(maxsize=_CACHED)(self._met)

    def _met(
        self,
        said: str,
        subject: str,
        object: str | None,
        forms: tuple[str, ...],
        group: str | None,
    ) -> Met | None:
        word, own = self.fold(said), self.fold(object or subject)
        names = {own: None} | dict.fromkeys(map(self.fold, forms))
        if word in names:
            return _WORD
        path = [self.fold(part) for part in (group or "").split("/")]
        parts = path[:-1] or path  # the last tells members of a group apart: 'flower/water'
        if PERSON in names and word in self.persons:
            return SOMEBODY
        if own == PERSON:  # of other nouns that share a sense with people, none is meant
            return _BELOW if self.wordnet.only(PERSON, self._head(word)) else None
        if word in parts or any(self.wordnet.same(word, name) for name in names):
            return _SYNONYM
        if any(self._ends_with(name, word) for name in names):
            return _SYNONYM
        if self._head(word) in names:
            return _MORE
        return self._related(word, own)

    def _head(self, word: str) -> str:
        """The last word before *of* and the like, unless all together are one noun of their own."""
        return word if word in self.wordnet else _LINK.split(word)[0].rpartition(" ")[2]

    def _ends_with(self, name: str, word: str) -> bool:
        """Whether a name is a word with another before it, and means one of these."""
        if name in self.wordnet:
            return name.endswith(f" {word}") and self.wordnet.above(word, name)
        return self._head(name) == word

    def _related(self, word: str, own: str) -> Met | None:
        word, own = self._head(word), self._head(own)
        if self.above(word, own):
            return _ABOVE
        return _BELOW if self.above(own, word) else None

    def above(self, word: str, other: str) -> bool:
        """Return whether a noun is a broader word for what another names."""
        return self.wordnet.broader(word, other)

    def strange(self, word: str) -> bool:
        """Return whether no list has a word, nor the last of several."""
        word = self.fold(word)
        words = {word, word.rpartition(" ")[2]}
        return not any(
            each in self.wordnet or each in self.known or each in self.colors for each in words
        )

    def alike(self, said: str, features: Iterable[Feature]) -> list[tuple[Feature, Met]]:
        """Return the features whose names the encoder finds most like a word that no list has."""
        if self.similar is None or not self.strange(said):
            return []
        word, named = self.fold(said), list[tuple[str, Feature]]()
        for feature in features:
            for name in dict.fromkeys(map(self.fold, (feature.subject, *feature.forms))):
                if word not in [name + end for end in _DOERS]:
                    named.append((name, feature))
        if not named:
            return []
        names = sorted({name for name, _ in named})
        scores = dict(zip(names, self.similar(word, names), strict=True))
        top = max(scores.values())
        if top < ALIKE:
            return []
        found = {f.feature: f for name, f in named if scores[name] == top}
        return [(f, Met("matched", "encoder", 2, top)) for f in found.values()]


@cache
@kept(FOLDER)
def packaged() -> Lexicon:
    """Return the lexicon that this software carries, read once."""
    net = wordnet()
    persons = (FOLDER / "persons.txt").read_text(encoding="utf-8").split("\n")
    known = {w for path in (CALLED, PARTS) for labels in read(path).values() for w in labels}
    known |= {
        w for p in (CALLED, PARTS) for ls in read(p).values() for ws in ls.values() for w in ws
    }
    people = frozenset(filter(None, persons))
    return Lexicon(net, colors(), people, frozenset(known), similar=encoder())
