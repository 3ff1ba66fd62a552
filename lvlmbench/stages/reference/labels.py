"""The labels of each aspect, numbered: what a reference model tells apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lvlmbench.config.sections import Shared
from lvlmbench.core.errors import UserError
from lvlmbench.scene.grammar import singular
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Entry, Vocabulary
from lvlmbench.stages.reference.captions import ATTRIBUTES, KIND, NUMBERS, described, phrase
from lvlmbench.stages.reference.drawable import drawable_subtasks, drawer
from lvlmbench.stages.reference.folder import LABELS, RESTORE
from lvlmbench.stages.reference.pinned import pinned_folder

I64 = npt.NDArray[np.int64]

#: Groups of aspects that have a threshold each in the CLIP filter.
GROUPS = ("foreground", "background", "style", "attribute")


def _said(entry: Entry) -> tuple[str | None, ...]:
    """The ways in which sentences put an entry, beside its label."""
    caption = entry.extra.get("caption")  # a style's: "a mosaic of {subject}"
    claim = caption and str(caption).replace(" of {subject}", "")
    return entry.plural, entry.extra.get("phrase"), claim, singular(entry)


class Labels:
    """Aspects in a fixed order, each with the labels that pictographs can show.

    Parameters
    ----------
    learned
        Aspect -> the labels that a model was trained on, where they are fewer or others: only
        those of them that the vocabulary has are numbered.

    Attributes
    ----------
    of
        Aspect -> its labels.
    forms
        Aspect -> for each of its labels the ways in which sentences put it.
    nouns
        Aspect -> the word that questions use for it.
    foregrounds
        The aspects that are lists of foregrounds.
    unknown
        Aspect -> labels of the vocabulary that the model was not trained on.
    """

    def __init__(
        self, vocabulary: Vocabulary, learned: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        lists = dict.fromkeys(
            name
            for subtask in drawable_subtasks(vocabulary)
            for name in SUBTASKS[subtask].foregrounds
            if name != PERSON
        )
        self._vocabulary = vocabulary
        self.foregrounds = tuple(lists)
        self.nouns = {KIND: KIND, "number": "number"}
        self.of: dict[str, tuple[str, ...]] = {}
        self.forms: dict[str, tuple[tuple[str, ...], ...]] = {}
        self.unknown: dict[str, tuple[str, ...]] = {}
        self._add(learned, KIND, {n.replace("_", " "): () for n in (*lists, PERSON)})
        for name in (*lists, *ATTRIBUTES, "background", "style"):
            if name == "number":
                self._add(learned, name, dict.fromkeys(NUMBERS.values(), ()))
                continue
            drawn = vocabulary.lists[name].for_renderer(drawer())
            self.nouns[name] = vocabulary.lists[name].noun_for(drawer())
            self._add(learned, name, {e.label: _said(e) for e in drawn.entries})
        self.aspects = tuple(self.of)
        self._number = {
            aspect: {label: i for i, label in enumerate(labels)}
            for aspect, labels in self.of.items()
        }

    def _add(
        self,
        learned: Mapping[str, Sequence[str]] | None,
        aspect: str,
        said: Mapping[str, tuple[str | None, ...]],
    ) -> None:
        """Number an aspect's labels; ``said`` has the other ways in which sentences put each."""
        known = [*said] if learned is None else [x for x in learned.get(aspect, ()) if x in said]
        self.of[aspect] = tuple(known)
        self.forms[aspect] = tuple((x, *filter(None, said[x])) for x in known)
        if unknown := tuple(label for label in said if label not in known):
            self.unknown[aspect] = unknown

    @classmethod
    def read(cls, folder: Path, vocabulary: Vocabulary) -> Labels:
        """The labels of the vocabulary that the model in a folder was trained on.

        Raises
        ------
        UserError
            The folder's list of labels is missing or damaged.
        """
        path = folder / LABELS
        try:
            learned = json.loads(path.read_text(encoding="utf-8"))
            return cls(vocabulary, {str(a): tuple(map(str, of)) for a, of in learned.items()})
        except FileNotFoundError:
            raise UserError(str(path), "is missing", RESTORE) from None
        except (OSError, ValueError, AttributeError, TypeError):
            raise UserError(str(path), "holds no lists of labels", RESTORE) from None

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

    def number(self, aspect: str, label: str) -> int | None:
        """A label's number within its aspect; None where it is not known."""
        return self._number.get(aspect, {}).get(label)

    def group(self, aspect: str) -> str:
        """Which of :data:`GROUPS` an aspect belongs to."""
        if aspect in self.foregrounds:
            return "foreground"
        return aspect if aspect in GROUPS else "attribute"

    def numbers(self, scenes: Iterable[Mapping[str, Any]]) -> I64:
        """Each scene's label within each aspect, (scenes, aspects); -1 where it has none."""
        rows = []
        for scene in scenes:
            known = described(scene)
            rows.append([self._number[a][known[a]] if a in known else -1 for a in self.aspects])
        return np.array(rows, dtype=np.int64).reshape(-1, len(self.aspects))

    def rivals(self, aspect: str, label: str) -> npt.NDArray[np.bool_]:
        """Which labels of the aspect would be wrong in this one's place, (labels of the aspect,).

        Not those of its group: who is shown a poodle may say that it is a dog.
        """
        alike: frozenset[str] = frozenset((label,))
        if aspect in self._vocabulary.lists:
            alike = self._vocabulary.lists[aspect].alike(label)
        return np.array([other not in alike for other in self.of[aspect]], dtype=np.bool_)


def strange_labels(params: Shared, vocabulary: Vocabulary) -> list[str]:
    """A line about labels of the vocabulary that pinned models were not trained on.

    Models that lack the same labels share a line; none is said where they know all.
    """
    if params.reference.weights != "pinned":
        return []
    lacking: dict[tuple[str, ...], list[str]] = {}
    for name in params.reference.models:
        folder = pinned_folder(params, name)
        if not (folder / LABELS).is_file():
            continue  # the stage that reads it says what is wrong
        unknown = Labels.read(folder, vocabulary).unknown
        found = tuple(f"{aspect} '{label}'" for aspect, of in unknown.items() for label in of)
        if found:
            lacking.setdefault(found, []).append(name)
    lines = []
    for found, names in lacking.items():
        many = f"{len(found)} labels of the vocabulary, such as " if len(found) > 5 else ""
        some = many + ", ".join(found[:3] if many else found)
        who = f"{' and '.join(names)} {'were' if len(names) > 1 else 'was'}"
        whose = "them" if len(names) > 1 else "it"
        lines.append(
            f"{who} not trained on {some}: a filter that asks {whose} about single labels "
            "cannot tell whether an image shows these, and removes none for it"
        )
    return lines
