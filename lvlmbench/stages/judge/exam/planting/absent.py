"""What is surely not in a picture: no name, relative or look-alike of anything that is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from lvlmbench.scene.claims import Truth
from lvlmbench.scene.figures.labels import GARMENTS
from lvlmbench.scene.truth.names import Called
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.stages.judge.exam.planting.nouns import Lexis, singular_of


class Absent:
    """Tells what is not in a picture whose features are all known."""

    def __init__(self, truth: Truth, lexis: Lexis) -> None:
        self.truth, self._lexis = truth, lexis

    @cached_property
    def _known(self) -> frozenset[str]:
        """All words that are so of the picture, in lower case and without plural endings."""
        found: set[str] = set()
        for each in self.truth.features:
            for words in (each.subject, each.object or "", each.value or "", *each.forms):
                found.update(_tokens(words))
        return frozenset(found)

    @cached_property
    def _groups(self) -> tuple[str, ...]:
        return tuple(f"{each.group}/" for each in self.truth.features if each.group)

    def thing(self, name: str, entry: Entry) -> bool:
        """Return whether a thing of the vocabulary is surely not there.

        Not so if it shares a word with something that is there, if what it is told to be does,
        or if the two look alike.
        """
        if not self.apart(self._lexis.called(name, entry.label)):
            return False
        if self._known.intersection(_tokens(entry.sense)):
            return False
        return not any(
            set(_tokens(other)) <= self._known for other in self._lexis.neighbors(name, entry.label)
        )

    def apart(self, called: Called) -> bool:
        """Return whether a name shares no word and no group with what is there."""
        words = {token for form in called.forms for token in _tokens(form)}
        group = f"{called.group}/" if called.group else ""
        kin = any(group.startswith(each) or each.startswith(group) for each in self._groups)
        return not (words & self._known) and not (group and kin)

    @cached_property
    def things(self) -> tuple[tuple[str, Entry], ...]:
        """All things of the vocabulary that are surely not there, as (list, entry)."""
        return tuple(each for each in self._lexis.things if self.thing(*each))

    def settings(self, relation: str) -> Iterator[Entry]:
        """Yield backgrounds or styles that this picture surely does not have."""
        top = {group.partition("/")[0] for group in self._groups}
        for name, entry in self._lexis.settings:
            kin = entry.group.partition("/")[0].lower() in top
            if name == relation and not kin and self.apart(self._lexis.called(name, entry.label)):
                yield entry

    def garments(self) -> Iterator[str]:
        """Yield garments that nobody in the picture wears."""
        for label in GARMENTS:
            forms = self._lexis.called("garment", label).forms
            if not self._known.intersection(token for form in forms for token in _tokens(form)):
                yield label

    def colors(self, *so: str) -> list[str]:
        """Return colors that are none of those named, by no name of theirs."""
        own = set(so)
        for label in self._lexis.colors:
            forms = self._lexis.called("color", label).forms
            if own.intersection(forms):
                own.update(forms)
        return [
            label
            for label in self._lexis.colors
            if not own.intersection(self._lexis.called("color", label).forms)
        ]


#: Words that say nothing of what a thing is.
_EMPTY = frozenset((
    *("a", "an", "the", "of", "in", "on", "at", "to", "with", "for", "and", "or", "from", "by"),
    *("its", "that", "as", "into", "is", "are", "one", "two", "three", "1", "2", "3", "none"),
    *("no", "over", "under", "between", "next", "left", "right", "top", "bottom", "center"),
    *("above", "below", "behind", "front", "small", "large", "long", "short", "young", "old"),
    *("picture", "half", "line", "scene", "frame", "section", "figure", "shape", "out"),
))  # fmt: skip


def _tokens(words: str) -> Iterable[str]:
    """The words of a phrase that say what it is of, in lower case, without plural endings."""
    for word in words.lower().replace("-", " ").split():
        bare = word.strip(".,:;()'\"")
        if bare and bare not in _EMPTY:
            yield singular_of(bare)
