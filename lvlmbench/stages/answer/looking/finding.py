"""What is in a picture's windows: where a thing is, how sure that is, and which color it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lvlmbench.scene.relations import Box
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.looking.windows import View, Window
from lvlmbench.stages.reference.captions import phrase
from lvlmbench.stages.reference.zero_shot import SCALE

if TYPE_CHECKING:
    from lvlmbench.stages.reference.zero_shot import ZeroShot

F64 = npt.NDArray[np.float64]
U8 = npt.NDArray[np.uint8]

#: Probabilities are rounded before they are compared: the encoder computes in single precision.
_DECIMALS = 4
#: Windows whose middles are nearer to each other than this share of the larger side show one thing.
_SAME = 0.5
#: So do boxes of which one covers this share of the other.
_COVERS = 0.4
#: From this much a pixel differs from the rim of its window, in steps of 256.
_DIFFERENT = 45
#: A window is so much larger than what is known in it, where its rim does not tell.
_AROUND = 1.35


@dataclass(frozen=True)
class Found:
    """A thing that was found.

    Attributes
    ----------
    label
        What it is held for.
    window
        Where it is known best.
    score
        Probability of the label there, against all others that would be wrong in its place.
    box
        Its extent, as far as it stands out from the rim of the window.
    color
        The color that it is most like.
    """

    label: str
    window: Window
    score: float
    box: Box
    color: str | None = None


def overlap(a: Box, b: Box) -> float:
    """Return the share of the smaller box that lies in the other."""
    across = min(a.right, b.right) - max(a.left, b.left)
    down = min(a.bottom, b.bottom) - max(a.top, b.top)
    if across <= 0 or down <= 0:
        return 0.0
    return across * down / min(a.width * a.height, b.width * b.height)


def together(one: Found, other: Found, share: float = _SAME) -> bool:
    """Return whether two things are found less than a share of a window's side apart."""
    a, b = one.window, other.window
    if a.panel != b.panel:
        return False
    (ax, ay), (bx, by) = a.box.center, b.box.center
    return max(abs(ax - bx), abs(ay - by)) < share * max(a.side, b.side)


def _apart(one: Found, other: Found) -> bool:
    if one.window.panel != other.window.panel:
        return True
    return not together(one, other) and overlap(one.box, other.box) < _COVERS


class Finder:
    """The phrases of an encoder, held against the windows of pictures."""

    def __init__(self, model: ZeroShot) -> None:
        self._model, self.encoder = model, model.encoder
        self._kinds = [name for name in THINGS if name in model.labels.of]
        self._told: dict[str, F64] = {}

    @cached_property
    def _things(self) -> tuple[list[tuple[str, str]], F64]:
        """(aspect, label) of all kinds of things, and the vectors of their phrases."""
        of = self._model.labels.of
        named = [(kind, label) for kind in self._kinds for label in of[kind]]
        return named, self.encoder.texts([phrase(*each) for each in named])[0]

    @cached_property
    def _colors(self) -> tuple[tuple[str, ...], F64]:
        colors = self._model.labels.of.get("color", ())
        return colors, self.encoder.texts([phrase("color", each) for each in colors])[0]

    def colors(self) -> tuple[str, ...]:
        """Return the colors that the encoder has learned."""
        return self._colors[0]

    def _own(self, label: str) -> tuple[F64, npt.NDArray[np.bool_]]:
        """The vector of a label's phrase, and which kinds of things would be wrong in its place."""
        named, vectors = self._things
        at = next((i for i, each in enumerate(named) if each[1] == label), None)
        if at is not None:
            kind, labels = named[at][0], self._model.labels
            alike = {
                other
                for other, wrong in zip(labels.of[kind], labels.rivals(kind, label), strict=True)
                if not wrong
            }
            return vectors[at], np.array(
                [other not in alike if of == kind else other != label for of, other in named]
            )
        if label not in self._told:
            labels = self._model.labels
            known = (a for a in labels.foregrounds if labels.number(a, label) is not None)
            said = phrase(next(known, "object"), label)
            self._told[label] = self.encoder.texts([said])[0][0]
        return self._told[label], np.ones(len(named), np.bool_)

    def everywhere(self, view: View) -> F64:
        """Return what each window has in common with each kind of thing, as weights."""
        _, vectors = self._things
        return np.asarray(np.exp(SCALE * (view.vectors @ vectors.T)))

    def scores(self, view: View, weights: F64, label: str) -> F64:
        """Return the probability of a label in each window."""
        vector, rivals = self._own(label)
        own = np.exp(SCALE * (view.vectors @ vector))
        return np.asarray(np.round(own / (own + weights @ rivals), _DECIMALS))

    def things(
        self, view: View, scores: F64, labels: Sequence[str], least: float, most: int
    ) -> list[Found]:
        """Return what is found at different places, the surest first.

        Parameters
        ----------
        scores, labels
            Of each window, what it shows and how sure that is.
        least, most
            Least score, and how many things there are at most.
        """
        found: list[Found] = []
        for at in np.argsort(-scores, kind="stable"):
            if scores[at] < least or len(found) == most:
                break
            window = view.windows[at]
            one = Found(labels[at], window, float(scores[at]), extent(view.pixels, window))
            if all(_apart(one, other) for other in found):
                found.append(one)
        return found

    def colored(self, view: View, thing: Found, colors: Sequence[str]) -> Found:
        """Return a thing with the one of some colors that it is most like."""
        known, vectors = self._colors
        some = [known.index(each) for each in colors if each in known]
        if not some:
            return thing
        at = view.windows.index(thing.window)
        cosines = np.round(vectors[some] @ view.vectors[at], _DECIMALS)
        return replace(thing, color=known[some[int(np.argmax(cosines))]])

    def best(self, weights: F64) -> tuple[list[str], F64]:
        """Return the kind of thing that each window is most like, and its probability."""
        named, _ = self._things
        top = weights.argmax(axis=1)
        share = weights.max(axis=1) / weights.sum(axis=1)
        return [named[at][1] for at in top], np.asarray(np.round(share, _DECIMALS))


def extent(pixels: U8, window: Window) -> Box:
    """Return where a window differs from its rim; its middle where all of it does."""
    side = pixels.shape[1]
    left, top, size = (round(each * side) for each in (window.left, window.top, window.side))
    part = pixels[top : top + size, left : left + size].astype(np.int16)
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    differs = np.abs(part - np.median(rim, axis=0)).max(axis=2) > _DIFFERENT
    rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    inner = window.side / _AROUND
    spread = max(np.ptp(rows), np.ptp(columns)) if len(rows) else 0
    if not len(rows) or spread >= 0.97 * size or spread < 0.2 * size:
        x, y = window.box.center
        return Box(x - inner / 2, y - inner / 2, x + inner / 2, y + inner / 2)
    return Box(
        window.left + columns[0] / side,
        window.top + rows[0] / side,
        window.left + (columns[-1] + 1) / side,
        window.top + (rows[-1] + 1) / side,
    )
