"""The labels of each aspect, numbered: what a reference model tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lvlmbench.corpus.recipes import PERSON, RECIPES
from lvlmbench.corpus.vocabulary import Vocabulary
from lvlmbench.reference.captions import ATTRIBUTES, NUMBERS, aspects, phrase
from lvlmbench.reference.drawable import RENDERER, drawable_subtasks

I64 = npt.NDArray[np.int64]


class Labels:
    """Aspects in a fixed order, each with the labels that pictographs can show.

    Attributes
    ----------
    of
        Aspect -> its labels.
    forms
        Aspect -> for each of its labels the ways in which sentences put it.
    foregrounds
        The aspects that are lists of foregrounds.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        lists = dict.fromkeys(
            name
            for subtask in drawable_subtasks(vocabulary)
            for name in RECIPES[subtask].foregrounds
            if name != PERSON
        )
        self.foregrounds = tuple(lists)
        self.of: dict[str, tuple[str, ...]] = {}
        self.forms: dict[str, tuple[tuple[str, ...], ...]] = {}
        for name in (*lists, *ATTRIBUTES, "background", "style"):
            if name == "number":
                self.of[name] = tuple(NUMBERS.values())
                self.forms[name] = tuple((word,) for word in NUMBERS.values())
            else:
                drawn = vocabulary.lists[name].for_renderer(RENDERER).entries
                self.of[name] = tuple(entry.label for entry in drawn)
                self.forms[name] = tuple(
                    (e.label, *filter(None, (e.plural, e.extra.get("phrase")))) for e in drawn
                )
        self.aspects = tuple(self.of)
        self._number = {
            aspect: {label: i for i, label in enumerate(labels)}
            for aspect, labels in self.of.items()
        }

    @cached_property
    def start(self) -> I64:
        """Where each aspect's labels start among all, and how many there are in all."""
        return np.cumsum([0, *(len(labels) for labels in self.of.values())])

    def __len__(self) -> int:
        return int(self.start[-1])

    def span(self, aspect: str) -> slice:
        """Where an aspect's labels stand among all."""
        at = self.aspects.index(aspect)
        return slice(int(self.start[at]), int(self.start[at + 1]))

    @cached_property
    def phrases(self) -> list[str]:
        """All labels, each as it is put alone."""
        return [phrase(aspect, label) for aspect, labels in self.of.items() for label in labels]

    def numbers(self, scenes: Iterable[Mapping[str, Any]]) -> I64:
        """Each scene's label within each aspect, (scenes, aspects); -1 where it has none."""
        rows = []
        for scene in scenes:
            known = aspects(scene)
            rows.append([self._number[a][known[a]] if a in known else -1 for a in self.aspects])
        return np.array(rows, dtype=np.int64).reshape(-1, len(self.aspects))
