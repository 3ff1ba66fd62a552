"""What a vocabulary holds: lists of entries (the metadata M of Dysca, section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lvlmbench.core.registry import kinds_of


def photographic() -> str:
    """Return the renderer that reads a prompt; what "no renderer named" stands for."""
    return next(str(kind.name) for kind in kinds_of("renderers").ordered() if kind.prompts)


#: Key of what only one renderer's way to draw an entry does: name of the renderer -> further keys.
DRAWN = "drawn"


@dataclass(frozen=True)
class Entry:
    """One thing that a scene may show.

    ``group`` is a path ("feline/cat"); ``pictograph`` holds OpenMoji codes in upper case;
    ``extra`` holds the keys that only this entry's list has (``recolor``, ``phrase``, ...);
    ``line`` is where it stands in its file.
    """

    label: str
    article: str
    plural: str
    sense: str
    group: str
    pictograph: tuple[str, ...]
    renderers: frozenset[str]
    extra: Mapping[str, Any] = field(hash=False)
    line: int

    @cached_property
    def words(self) -> frozenset[str]:
        """The label's words, without case and punctuation; a hyphenated word is one word."""
        stripped = (word.strip(".,:;!?'\"()") for word in self.label.casefold().split())
        return frozenset(word for word in stripped if word)

    @property
    def fills(self) -> tuple[str, ...]:
        """Fills of the glyph that take a scene's color, largest first; none where it is fixed."""
        return tuple(self.extra.get("recolor") or self.extra.get("tint") or ())

    def drawn_by(self, renderer: str) -> Entry:
        """Return the entry as a renderer draws it: with what that alone hides and depicts, too."""
        own = self.extra.get(DRAWN, {}).get(renderer)
        if own is None:
            return self
        extra = {key: value for key, value in self.extra.items() if key != DRAWN}
        for key, more in own.items():
            extra[key] = [*extra.get(key, ()), *more]
        return replace(self, extra=extra)

    @cached_property
    def hidden(self) -> frozenset[str]:
        """What a style or weather hides of a scene."""
        return frozenset(self.extra.get("hides", ()))

    @cached_property
    def hidden_small(self) -> frozenset[str]:
        """What it hides of small things: ``shape``, and all that it hides of large ones."""
        return self.hidden.union(self.extra.get("hides_small", ()))

    @cached_property
    def key(self) -> tuple[str, frozenset[str]]:
        """What decides on conflicts: the group's path, closed by a slash, and the words."""
        return self.group.casefold() + "/", self.words


def clash(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    """Whether a picture of one may be called by the other's label too, by (group/, words).

    So it is where one group lies inside the other, or where one label's words contain the
    other's ("tulip" and "red tulip").
    """
    (path, words), (path2, words2) = one, other
    return path.startswith(path2) or path2.startswith(path) or words <= words2 or words2 <= words


@dataclass(frozen=True)
class VocabularyList:
    """Entries among which answers and distractors are drawn, in file order.

    ``noun`` maps a renderer's name, or ``"default"``, to the word that questions use.
    ``beside`` are the renderers that draw entries which are not here, where this is a part of a
    list.
    """

    name: str
    noun: Mapping[str, str] = field(hash=False)
    entries: tuple[Entry, ...]
    beside: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.entries)

    def noun_for(self, renderer: str | None) -> str:
        """The word that questions use for this list where ``renderer`` draws."""
        return self.noun.get(renderer or photographic(), self.noun["default"])

    @cached_property
    def renderers(self) -> frozenset[str]:
        """Renderers that can draw any entry."""
        return self.beside.union(*(entry.renderers for entry in self.entries))

    def for_renderer(self, renderer: str | None) -> VocabularyList:
        """The entries that ``renderer`` can draw, as it draws them; None: one that reads prompts.

        Where it can draw none, the photographic list comes back whole, so that its scenes can be
        planned and reported as not rendered.
        """
        name = renderer or photographic()
        name = name if name in self.renderers else photographic()
        chosen = tuple(e.drawn_by(name) for e in self.entries if name in e.renderers)
        return VocabularyList(self.name, self.noun, chosen)

    def conflicts(self) -> npt.NDArray[np.bool_]:
        """Boolean (n, n): entries i and j are never each other's distractors; diagonal true."""
        return self._conflicts.copy()

    @cached_property
    def _conflicts(self) -> npt.NDArray[np.bool_]:
        n = len(self.entries)
        out = np.eye(n, dtype=np.bool_)
        keys = [entry.key for entry in self.entries]
        for i, one in enumerate(keys):
            for j in range(i):
                if clash(one, keys[j]):
                    out[i, j] = out[j, i] = True
        return out

    def alike(self, label: str) -> frozenset[str]:
        """An entry's label and those of all entries that it conflicts with."""
        key = self.by_label[label].key
        return frozenset(entry.label for entry in self.entries if clash(key, entry.key))

    @cached_property
    def by_label(self) -> dict[str, Entry]:
        """Entries by label."""
        return {entry.label: entry for entry in self.entries}
