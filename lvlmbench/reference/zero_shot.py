"""How a reference model answers: by how alike the image and what could be said of it are.

Multiple choice takes the option whose phrase is nearest to the image. A true-or-false statement is
held against its negations: what the image is more like, the label claimed or all other labels of
its list together; the threshold was set on scenes held out from training. A free-form question is
answered by the best label of each aspect that such a scene has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lvlmbench.corpus.recipes import PERSON, RECIPES
from lvlmbench.reference.captions import phrase
from lvlmbench.reference.labels import Labels

if TYPE_CHECKING:
    from lvlmbench.reference.encoder import Encoder

F64 = npt.NDArray[np.float64]

#: Cosines are multiplied by this before they are held against each other as probabilities.
SCALE = 30.0

#: Scores are rounded before they are compared, so that no last bit decides.
DECIMALS = 6


class ZeroShot:
    """An encoder and the labels that it knows."""

    def __init__(self, encoder: Encoder, labels: Labels) -> None:
        self.encoder, self.labels = encoder, labels

    @cached_property
    def _phrases(self) -> F64:
        return self.encoder.texts(self.labels.phrases)[0]

    @cached_property
    def _finders(self) -> dict[str, list[tuple[int, re.Pattern[str]]]]:
        """Aspect -> (number of a label, what finds it in a statement), longer forms first."""
        found = {}
        for aspect, forms in self.labels.forms.items():
            pairs = sorted(
                ((form, i) for i, of_label in enumerate(forms) for form in of_label),
                key=lambda pair: (-len(pair[0]), pair),
            )
            found[aspect] = [
                (i, re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.IGNORECASE))
                for form, i in pairs
            ]
        return found

    def cosines(self, aspect: str, images: F64) -> F64:
        """(images, labels of the aspect)."""
        return np.asarray(np.round(images @ self._phrases[self.labels.span(aspect)].T, DECIMALS))

    def option(self, aspect: str, options: Sequence[str], image: F64) -> int:
        """Number of the option that is most like the image; ties go to the first.

        Labels that the model was not trained on, and aspects that it does not know, are compared
        by their words.
        """
        known = self.labels.of.get(aspect, ())
        if all(option in known for option in options):
            scores = self.cosines(aspect, image[None])[0][[known.index(o) for o in options]]
        else:
            texts = self.encoder.texts([phrase(aspect, option) for option in options])[0]
            scores = np.round(texts @ image, DECIMALS)
        return int(np.argmax(scores))

    def claim(self, aspect: str, statement: str) -> str | None:
        """The label that a statement claims: the longest that stands in it."""
        for i, pattern in self._finders.get(aspect, ()):
            if pattern.search(statement):
                return self.labels.of[aspect][i]
        return None

    def odds(self, aspect: str, label: str, image: F64) -> float:
        """Log-odds of the label against all others of its aspect."""
        scores = SCALE * self.cosines(aspect, image[None])[0]
        at = self.labels.of[aspect].index(label)
        others = np.delete(scores, at)
        if not len(others):
            return 0.0
        top = others.max()
        rest = top + np.log(np.exp(others - top).sum())
        return float(np.round(scores[at] - rest, DECIMALS))

    def describe(self, subtask: str, image: F64) -> list[tuple[str, str]]:
        """(aspect, best label) for each aspect that a scene of the subtask has.

        Of several lists that the foreground may come from, the one with the nearest label is taken.
        """
        recipe = RECIPES[subtask]
        best = []
        for variant, foreground in enumerate(recipe.foregrounds):
            if foreground in self.labels.of:
                best.append((float(self.cosines(foreground, image[None]).max()), -variant))
        variant = -max(best)[1] if best else 0
        found = []
        for aspect in recipe.aspects(variant):
            if aspect in self.labels.of:
                at = int(np.argmax(self.cosines(aspect, image[None])[0]))
                found.append((aspect, self.labels.of[aspect][at]))
            elif aspect == PERSON:
                found.append((aspect, PERSON))
        return found
