"""Windows of a picture as vectors that are as exact as what they decide needs.

A vector in float32 takes less than half the time of one in float64 and depends on the processor.
So each window is first read by its quick vector, and again by its exact one where that leaves a
doubt: what is read is the same everywhere, whatever other windows are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench.stages.answer.looking.windows import Window
from lvlmbench.stages.reference.zero_shot import DECIMALS, ERROR, SCALE

if TYPE_CHECKING:
    from lvlmbench.stages.reference.zero_shot import ZeroShot

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: From vectors, (n, d), and how far each cosine may be off: what is read of each, (n, k), and of
#: which that is in doubt, (n,).
Read: TypeAlias = Callable[[F64, float], tuple[I64, Bools]]

#: How sure something is, is told in steps of this many log-odds.
STEP = 0.5
#: What is added to shares, so that none is nothing.
_NONE = 1e-12
#: Windows encoded at once: with more or fewer each takes longer.
_AT_ONCE = 32


class Gaze:
    """One picture, looked at window by window.

    Attributes
    ----------
    picture
        A square.
    windows
        Those that were looked at, by their numbers.
    """

    def __init__(self, model: ZeroShot, picture: Image.Image) -> None:
        self._model, self.picture = model, picture
        self.windows: list[Window] = []
        self._numbers: dict[Window, int] = {}
        self._quick: list[F64] = []
        self._exact: dict[int, F64] = {}

    def look(self, windows: Sequence[Window]) -> list[int]:
        """Look at some windows, those that were seen before excepted; return their numbers."""
        new = [each for each in dict.fromkeys(windows) if each not in self._numbers]
        self._numbers |= {each: at for at, each in enumerate(new, len(self.windows))}
        self.windows += new
        if self._model.quick is not None:
            for at in range(0, len(new), _AT_ONCE):
                some = [self._cut(window) for window in new[at : at + _AT_ONCE]]
                self._quick += [*self._model.quick.images(some)]
        return [self._numbers[each] for each in windows]

    def _cut(self, window: Window) -> Image.Image:
        width, size = self.picture.width, self._model.encoder.preprocessing.size
        box = [each * width for each in window.box]
        left, top = max(0.0, box[0]), max(0.0, box[1])
        right, bottom = min(width, box[2]), min(width, box[3])
        return self.picture.resize(
            (size[0], size[0]), Image.Resampling.BICUBIC, box=(left, top, right, bottom)
        )

    def _surely(self, numbers: Sequence[int]) -> F64:
        """The exact vectors of windows."""
        new = [each for each in numbers if each not in self._exact]
        if new:
            found = self._model.encoder.images([self._cut(self.windows[each]) for each in new])
            self._exact |= zip(new, found, strict=True)
        return np.stack([self._exact[each] for each in numbers])

    def read(self, numbers: Sequence[int], read: Read) -> I64:
        """What is read of windows, (n, k)."""
        if not numbers:
            return np.zeros((0, 0), np.int64)
        if self._model.quick is None:
            return read(self._surely(numbers), 0.0)[0]
        values, doubtful = read(np.stack([self._quick[each] for each in numbers]), ERROR)
        again = np.flatnonzero(doubtful)
        if len(again):
            values[again] = read(self._surely([numbers[each] for each in again]), 0.0)[0]
        return values


class Held:
    """Labels that windows are held against.

    Parameters
    ----------
    phrases
        Vectors of their phrases, (labels, d).
    alike
        Which may stand for each other, (labels, labels): these are no rivals. By default none.
    """

    def __init__(self, phrases: F64, alike: Bools | None = None) -> None:
        self._phrases = phrases
        self._alike = np.eye(len(phrases), dtype=np.bool_) if alike is None else alike

    def __call__(self, vectors: F64, error: float) -> tuple[I64, Bools]:
        """Read the number of the label that each is most like, and how sure that is."""
        scores = SCALE * np.round(vectors @ self._phrases.T, DECIMALS)
        top, own = scores.argmax(axis=1), scores.max(axis=1)
        tied = (scores >= own[:, None] - 2 * SCALE * error).sum(axis=1) > 1
        rivals = np.where(self._alike[top], 0.0, np.exp(scores - own[:, None])).sum(axis=1)
        sure, near = steps(-np.log(rivals + _NONE), error)
        return np.stack([top, sure], axis=1), (tied | near) if error else near


class Among:
    """Labels of which some are looked for, whichever.

    Parameters
    ----------
    phrases
        Vectors of the phrases of all, (labels, d).
    wanted
        Which are looked for, (labels,).
    """

    def __init__(self, phrases: F64, wanted: Bools) -> None:
        self._phrases, self._wanted = phrases, wanted

    def __call__(self, vectors: F64, error: float) -> tuple[I64, Bools]:
        """Read how sure it is that each shows one of those that are looked for."""
        scores = SCALE * np.round(vectors @ self._phrases.T, DECIMALS)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        of, others = (shares[:, each].sum(axis=1) for each in (self._wanted, ~self._wanted))
        sure, near = steps(np.log((of + _NONE) / (others + _NONE)), error)
        return sure[:, None], near


def steps(odds: F64, error: float) -> tuple[I64, Bools]:
    """Return log-odds in steps of :data:`STEP`, and which are so near to one that they may be off.

    ``error`` is how far each cosine may be off.
    """
    odds, away = np.round(odds, DECIMALS), 2 * SCALE * error
    near = np.floor((odds - away) / STEP) != np.floor((odds + away) / STEP)
    return np.floor(odds / STEP).astype(np.int64), near
