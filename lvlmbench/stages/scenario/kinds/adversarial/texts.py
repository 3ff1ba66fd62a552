"""What the attack pushes an image away from, and what it pulls it to, in words and as vectors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.captions import NUMBERS, phrase
from lvlmbench.stages.scenario.kinds.adversarial.carry import F64

#: Aspect -> label, e.g. {"animal": "owl", "style": "comic book"}.
Labels = Mapping[str, str]


def wrong_labels(
    questions: Sequence[Mapping[str, Any]], rng: np.random.Generator
) -> dict[str, str]:
    """For each aspect that is asked about, one label that is wrong there.

    Drawn from the wrong options of its multiple-choice questions and the claims of its false
    statements; {} for a scene that has neither.

    Parameters
    ----------
    questions
        The rows of ``tables.QUESTIONS`` about one scene, in any order.
    """
    wrong: dict[str, list[str]] = defaultdict(list)
    for question in sorted(questions, key=lambda q: str(q["question_id"])):
        if question["question_type"] == "multiple_choice":
            others = (o for o in question["options"] if o != question["answer"])
            wrong[question["subtask"]] += others
        elif question["question_type"] == "true_false" and question["answer"] == "False":
            wrong[question["subtask"]].append(question["claim"])
    return {aspect: of[int(rng.integers(len(of)))] for aspect, of in sorted(wrong.items()) if of}


def reworded(caption: str, right: Labels, wrong: Labels) -> str:
    """The caption with wrong labels in place of the right ones.

    A label that the caption does not hold literally ("Two owls") is appended with its kind.
    """
    added = []
    for aspect, label in wrong.items():
        known = re.escape(right.get(aspect, ""))
        # A quotation mark keeps labels apart from the word that a text scene shows.
        found = re.search(rf"(?<![\w\"]){known}(?![\w\"])", caption) if known else None
        if found:
            caption = caption[: found.start()] + label + caption[found.end() :]
        else:
            added.append(phrase(aspect, label))
    return ", ".join([caption.rstrip("."), *added]) + "." if added else caption


class Descriptions:
    """Vectors of what is said of a scene, as against all that could be said of it.

    Parameters
    ----------
    texts
        Unit vectors (n, d) of n texts.
    vocabulary, renderer
        The lists that labels come from, as far as the renderer can draw them.
    """

    def __init__(
        self,
        texts: Callable[[Sequence[str]], F64],
        vocabulary: Vocabulary,
        renderer: str | None,
    ) -> None:
        self._texts, self._lists, self._renderer = texts, vocabulary.lists, renderer
        self._known: dict[str, F64] = {}
        self._means: dict[str, F64] = {}

    def of_text(self, words: str) -> F64:
        """A text's unit vector (d,)."""
        if words not in self._known:
            if len(self._known) >= 8192:
                self._known.clear()
            # Alone: what stands beside it in a batch changes a vector's last bits.
            self._known[words] = self._texts([words])[0]
        return self._known[words]

    def _mean(self, aspect: str) -> F64:
        """Mean vector of an aspect's labels, each put alone."""
        if aspect not in self._means:
            if aspect == "number":
                labels = list(NUMBERS.values())
            else:
                drawn = self._lists[aspect].for_renderer(self._renderer)
                labels = [entry.label for entry in drawn.entries]
            # At once, but always the same ones.
            vectors = self._texts([phrase(aspect, label) for label in labels])
            self._means[aspect] = vectors.mean(axis=0)
        return self._means[aspect]

    def vector(self, caption: str, labels: Labels) -> F64:
        """Unit vector of a caption and its labels (d,).

        The sum of the caption's vector and those of its labels, each put alone, less the means
        of the labels' lists: what remains tells these labels from their neighbors.
        """
        parts = [self.of_text(caption)]
        for aspect, label in labels.items():
            parts.append(self.of_text(phrase(aspect, label)) - self._mean(aspect))
        total = np.sum(parts, axis=0)
        unit: F64 = total / np.linalg.norm(total)
        return unit
