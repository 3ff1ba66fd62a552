"""What a reference model spots in a picture: things and people, and where they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.relations import Box
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.looking.finding import overlap
from lvlmbench.stages.answer.looking.gaze import Among, Bools, Gaze, Held
from lvlmbench.stages.answer.looking.windows import Window, around, standing_out
from lvlmbench.stages.reference.captions import KIND

if TYPE_CHECKING:
    from lvlmbench.stages.reference.zero_shot import ZeroShot

#: Where an even ground does not tell where things are: sides of windows as shares of the picture's,
#: and about how far apart they lie.
_SIDES = ((1 / 2, 1 / 2), (1 / 3, 1 / 6))
#: What is spotted in windows from this side on is looked at again in five windows smaller by this.
_LARGE, _CLOSER = 0.25, 0.62
#: By how much windows are larger than what stands out from an even ground.
_MARGIN = 1.1
#: How many windows are looked at again, of those that are at least so sure.
_AGAIN, _FAINT = 6, -6
#: Windows whose middles are nearer to each other than this share of the larger side show one thing,
#: and so do those of which one covers this share of the other.
_SAME, _COVERS = 0.5, 0.5

#: From how many steps of log-odds on a thing of a list is said to be there: where things stand out
#: from an even ground, and elsewhere. Set by `benchmarks/captioning.py --calibrate --scenes 32`, on
#: composed scenes of a seed that no snapshot can have. Of other lists nothing is said.
LEAST: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"animal": (-4, -2), "object": (0, 2), "plant": (-5, 1), "food": (-4, -2), "clothes": (-4, -3)}
)


@dataclass(frozen=True)
class Spotted:
    """Something that was spotted.

    Attributes
    ----------
    kind
        List that its label is from.
    label
        What it is held for.
    sure
        How sure that is, in steps of log-odds.
    window
        Number of the window that shows it.
    box
        Where that is.
    even
        Whether the ground is even.
    part
        What stands out from it there; None where that is not known.
    """

    kind: str
    label: str
    sure: int
    window: int
    box: Box
    even: bool
    part: Box | None = None

    @property
    def extent(self) -> Box:
        """Where it is, as exactly as that is known."""
        return self.part or self.box


class Spotter:
    """The phrases of a reference model, held against the windows of pictures.

    Attributes
    ----------
    named, phrases
        (list, label) of all that a window may show, a person and backgrounds among them, and the
        vectors of their phrases.
    """

    def __init__(self, model: ZeroShot) -> None:
        known: dict[str, Sequence[str]] = {
            **{kind: model.labels.of[kind] for kind in model.labels.foregrounds},
            KIND: [each for each in model.labels.of[KIND] if each == PERSON],
            "background": model.labels.of["background"],
        }
        self.model = model
        self.named = [(kind, label) for kind, labels in known.items() for label in labels]
        self.phrases = np.concatenate([model.vectors(*each) for each in known.items()])
        self._alike = self.alike()
        self._held = Held(self.phrases, self._alike)

    def alike(self) -> Bools:
        """Return which labels may stand for each other: those of a group, or of two lists."""
        kinds, labels = (np.array(each) for each in zip(*self.named, strict=True))
        found = labels[:, None] == labels[None]
        for at, (kind, label) in enumerate(self.named):
            if kind != KIND:
                found[at, kinds == kind] |= ~self.model.labels.rivals(kind, label)
        return np.asarray(found)

    def spot(self, gaze: Gaze, only: Collection[tuple[str, str]] = ()) -> list[Spotted]:
        """Return the things that windows show at different places, the surest first.

        None is left out for being unsure (:func:`sure_enough` does that). Of ``only`` some (list,
        label), where these are, whatever else a window may show.
        """
        windows, parts = first_look(gaze.picture)
        even, read = parts is not None, partial(self._one_of, only) if only else self._read
        numbers = gaze.look(windows)
        found = read(gaze, numbers, even)
        if parts is not None:
            of = dict(zip(numbers, parts, strict=True))
            return apart(replace(each, part=of[each.window]) for each in found)
        again = [gaze.windows[each.window] for each in apart(found)[:_AGAIN]]
        return apart([*found, *read(gaze, gaze.look([*second_look(again)]), even)])

    def _one_of(
        self, only: Collection[tuple[str, str]], gaze: Gaze, numbers: Sequence[int], even: bool
    ) -> list[Spotted]:
        at = [i for i, each in enumerate(self.named) if each in only]
        among = Among(self.phrases, np.asarray(self._alike[at].any(axis=0)))
        sure = gaze.read(numbers, among).ravel().tolist()
        best = gaze.read(numbers, Held(self.phrases[at]))[:, 0].tolist() if numbers else []
        found = zip(numbers, (self.named[at[top]] for top in best), sure, strict=True)
        return [
            Spotted(kind, label, each, number, gaze.windows[number].box, even)
            for number, (kind, label), each in found
        ]

    def _read(self, gaze: Gaze, numbers: Sequence[int], even: bool) -> list[Spotted]:
        found = []
        read = gaze.read(numbers, self._held).tolist()
        for number, (top, sure) in zip(numbers, read, strict=True):
            kind, label = self.named[top]
            if kind in THINGS and sure >= _FAINT:
                box = gaze.windows[number].box
                found.append(Spotted(kind, label, sure, number, box, even))
        return found


def sure_enough(found: Iterable[Spotted]) -> list[Spotted]:
    """Return what is sure enough to be said (:data:`LEAST`)."""
    some = (each for each in found if each.kind in LEAST)
    return [each for each in some if each.sure >= LEAST[each.kind][not each.even]]


def grid(share: float, step: float) -> Iterator[Window]:
    """Yield windows of one size, about so far apart, that cover a picture."""
    n = 1 + round((1 - share) / step)
    for row in range(n):
        for column in range(n):
            left, top = ((1 - share) * each / max(1, n - 1) for each in (column, row))
            yield Window(0, left, top, share)


def first_look(picture: Image.Image) -> tuple[list[Window], list[Box] | None]:
    """Return windows around what stands out from an even ground, and where exactly that is.

    Without such a ground windows of all sizes, and None.
    """
    width = picture.width
    parts = standing_out(np.asarray(picture), width)
    if parts is None:
        return [window for side, step in _SIDES for window in grid(side, step)], None
    windows = []
    for part in parts:
        left, top, side = around(*part, _MARGIN)
        side = min(side, float(width))
        left, top = (min(max(0.0, each), width - side) for each in (left, top))
        windows.append(Window(0, left / width, top / width, side / width))
    return windows, [Box(*(each / width for each in part)) for part in parts]


def second_look(windows: Iterable[Window]) -> Iterator[Window]:
    """Yield five smaller windows within each that is large: its corners and its middle."""
    for each in windows:
        if each.side >= _LARGE:
            side = each.side * _CLOSER
            room = each.side - side
            for x, y in ((0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (1.0, 1.0)):
                yield Window(0, each.left + x * room, each.top + y * room, side)


def apart(found: Iterable[Spotted]) -> list[Spotted]:
    """Return what is at different places, the surest of each, and the surest first."""
    kept: list[Spotted] = []
    for one in sorted(found, key=lambda each: (-each.sure, each.window)):
        if all(is_apart(one.box, other.box) for other in kept):
            kept.append(one)
    return kept


def is_apart(a: Box, b: Box) -> bool:
    """Return whether two windows show different places."""
    (x, y), (to_x, to_y) = a.center, b.center
    near = max(abs(x - to_x), abs(y - to_y)) < _SAME * max(a.width, b.width)
    return not near and overlap(a, b) < _COVERS
