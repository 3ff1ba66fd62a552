"""How a reference model answers: by how alike the image and what could be said of it are.

It is shown what every model is shown: the question, its options and the image. Multiple choice
takes the option whose phrase is nearest to the image. A true-or-false statement is held against
its negations: what the image is more like, the label claimed or all other labels of its list
together; the threshold was set on scenes held out from training. A free-form question is answered
by the kind of thing that is nearest to the image, and the best label of each aspect of such things;
a question for a short answer by the best label of the aspect that it asks for.

Vectors in float32 take half the time and depend on the processor. So an answer is first sought by
such a vector, and where it leaves a doubt by the exact one: what comes out is the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lvlmbench.core.kept import kept
from lvlmbench.scene.answers import wanted
from lvlmbench.scene.lists import COUNTABLE, PERSON
from lvlmbench.scene.subtasks import subjects
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.captions import KIND, phrase
from lvlmbench.stages.reference.folder import weights_sha256
from lvlmbench.stages.reference.labels import Labels

if TYPE_CHECKING:
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.stages.reference.encoder import Encoder

F64 = npt.NDArray[np.float64]

#: Cosines are multiplied by this before they are held against each other as probabilities.
SCALE = 30.0

#: Scores are rounded before they are compared, so that no last bit decides.
DECIMALS = 6

#: How far a cosine of a quick vector may lie from that of the exact one, rounding included: a
#: hundred times what plain float32 was seen to do.
ERROR = 1e-4

#: What is said of a person without being asked.
_PERSON = ("age", "gender", "expression")

#: Words between quotation marks are what is written in the image, not what is to be seen there.
_QUOTED = re.compile(r'"[^"]*"')


class Unsure(Exception):
    """A quick vector does not decide."""


def _top(scores: F64, error: float) -> int:
    """Number of the highest score; ties go to the first. Unsure where ``error`` allows another."""
    top = int(np.argmax(scores))
    if error and np.count_nonzero(scores >= scores[top] - 2 * error) > 1:
        raise Unsure
    return top


class ZeroShot:
    """An encoder and the labels that it knows.

    Methods that decide something take how far each cosine may be off: 0 for exact vectors,
    :data:`ERROR` for those of :attr:`quick`. They raise :class:`Unsure` where that could decide
    otherwise.

    Attributes
    ----------
    quick
        The same encoder in float32, if it is there.
    """

    def __init__(self, encoder: Encoder, labels: Labels, quick: Encoder | None = None) -> None:
        self.encoder, self.labels, self.quick = encoder, labels, quick

    @classmethod
    def load(cls, folder: Path, vocabulary: Vocabulary, exact: bool = True) -> ZeroShot:
        """Return the reference model of a folder; see :func:`.encoder.load_folder`.

        Raises
        ------
        UserError
            A file is missing or damaged.
        """
        from lvlmbench.stages.reference.encoder import load_folder

        return cls(load_folder(folder, exact), Labels.read(folder, vocabulary))

    def prepared(self) -> ZeroShot:
        """Make what all answers need: the vectors of labels and what finds them in a statement."""
        _ = self._phrases, self._finders
        return self

    @cached_property
    def _phrases(self) -> F64:
        return self.encoder.texts(self.labels.phrases)[0]

    @cached_property
    def _finders(self) -> list[tuple[int, str, str, re.Pattern[str]]]:
        """(letters, aspect, label, what finds it in a statement), longer forms first."""
        found = [
            (len(form), aspect, label, re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.I))
            for aspect, forms in self.labels.forms.items()
            if aspect != KIND
            for label, of_label in zip(self.labels.of[aspect], forms, strict=True)
            for form in of_label
        ]
        return sorted(found, key=lambda one: -one[0])

    def finders(self, aspects: Collection[str]) -> list[tuple[str, str, re.Pattern[str]]]:
        """(aspect, label, what finds it in a text) of some aspects, longer forms first."""
        return [(a, label, found) for _, a, label, found in self._finders if a in aspects]

    def vectors(self, aspect: str, labels: Sequence[str]) -> F64:
        """Vectors of the phrases of labels of an aspect that the model knows, (labels, d)."""
        at = [self.labels.of[aspect].index(label) for label in labels]
        return self._phrases[self.labels.span(aspect)][at]

    def cosines(self, aspect: str, images: F64) -> F64:
        """(images, labels of the aspect)."""
        return np.asarray(np.round(images @ self._phrases[self.labels.span(aspect)].T, DECIMALS))

    def _mentions(self, aspect: str, text: str) -> bool:
        words = (aspect.replace("_", " "), self.labels.nouns.get(aspect, aspect))
        return any(re.search(rf"(?<!\w){re.escape(w)}", text, re.I) for w in words)

    def aspect(self, question: str, options: Sequence[str]) -> str:
        """What a question asks about: the aspect with the most of the options among its labels.

        Where several have as many, the one that the question names, then the first.
        """

        def fit(aspect: str) -> tuple[int, bool]:
            known = sum(self.labels.number(aspect, option) is not None for option in options)
            return known, self._mentions(aspect, question)

        return max((a for a in self.labels.aspects if a != KIND), key=fit)

    def option(self, question: str, options: Sequence[str], image: F64, error: float = 0.0) -> int:
        """Number of the option that is most like the image; ties go to the first.

        Labels that the model was not trained on are compared by their words.
        """
        aspect = self.aspect(question, options)
        known = [self.labels.number(aspect, option) for option in options]
        if None in known:
            texts = self.encoder.texts([phrase(aspect, option) for option in options])[0]
            scores = np.round(texts @ image, DECIMALS)
        else:
            scores = self.cosines(aspect, image[None])[0][known]
        return _top(scores, error)

    def claim(self, statement: str) -> tuple[str, str] | None:
        """The aspect and the label that a statement claims: the longest that stands in it."""
        text = _QUOTED.sub("", statement)
        found: list[tuple[str, str]] = []
        longest = 0
        for letters, aspect, label, pattern in self._finders:
            if letters < longest:
                break
            if pattern.search(text):
                longest = letters
                found.append((aspect, label))

        def fit(one: tuple[str, str]) -> tuple[bool, bool, bool]:
            aspect = one[0]  # a thing has an article ("an orange"), what it is like has none
            return (
                self._mentions(aspect, text),
                aspect not in self.labels.foregrounds,
                aspect in subjects(),
            )

        return max(found, key=fit, default=None)

    def odds(self, aspect: str, label: str, image: F64) -> float:
        """Log-odds of the label against all labels of its aspect that would be wrong in its place.

        ``image`` is the image's unit vector, (d,).
        """
        scores = SCALE * self.cosines(aspect, image[None])[0]
        others = scores[self.labels.rivals(aspect, label)]
        if not len(others):
            return 0.0
        top = others.max()
        rest = top + np.log(np.exp(others - top).sum())
        at = self.labels.number(aspect, label)
        return float(np.round(scores[at] - rest, DECIMALS))

    def above(
        self, claim: tuple[str, str], threshold: float, image: F64, error: float = 0.0
    ) -> bool:
        """Whether the log-odds of a claim, an aspect and a label, are above a threshold."""
        odds = self.odds(*claim, image)
        if error and abs(odds - threshold) <= 2 * SCALE * error:
            raise Unsure
        return odds > threshold

    def best(self, aspect: str, image: F64, error: float = 0.0) -> str:
        """The label of an aspect that is most like the image."""
        return self.labels.of[aspect][_top(self.cosines(aspect, image[None])[0], error)]

    def short(self, question: str, image: F64, error: float = 0.0) -> str | None:
        """The best label of the aspect that a question for a short answer asks for, a number or a
        color; None where it is no aspect that the model knows.

        Its one vector is of the whole picture: of several things it tells the numbers and the
        colors no better than they are mixed in it.
        """
        aspect = wanted(question)
        return self.best(aspect, image, error) if self.labels.of.get(aspect) else None

    def describe(self, image: F64, error: float = 0.0) -> list[tuple[str, str]]:
        """(aspect, best label) for what can be said of such an image."""
        kind = self.best(KIND, image, error)
        name = kind.replace(" ", "_")
        if kind == PERSON:
            found, aspects = [(PERSON, PERSON)], [*_PERSON, "background", "style"]
        else:
            number = ["number"] if name in COUNTABLE else []
            found, aspects = [], [name, *number, "background", "style"]
        return found + [(a, self.best(a, image, error)) for a in aspects if self.labels.of.get(a)]


@kept()
def zero_shot(folder: Path, vocabulary: Path) -> ZeroShot:
    """Return the reference model of a folder, for the vocabulary of another, ready to answer.

    It is loaded once a process as long as both stay as they are.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    return _loaded(folder, weights_sha256(folder), load_vocabulary(vocabulary))


@lru_cache(maxsize=2)
def _loaded(folder: Path, weights: str, vocabulary: Vocabulary) -> ZeroShot:
    from lvlmbench.stages.reference.encoder import load_folder

    model = ZeroShot.load(folder, vocabulary)
    return ZeroShot(model.encoder, model.labels, load_folder(folder, exact=False)).prepared()
