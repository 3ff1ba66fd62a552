"""What a reference model answers about one thing among several, or about how many there are.

A question presumes that what it speaks of is there. So the surest window for it is taken, however
unsure, and others as far as they are sure enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PIL import Image
from scipy import ndimage

from lvlmbench.scene.answers import LARGEST, NUMBER_WORDS
from lvlmbench.scene.grammar import capitalized, singular
from lvlmbench.stages.answer.looking.captions import Someone
from lvlmbench.stages.answer.looking.gaze import Gaze
from lvlmbench.stages.answer.looking.single import COLOR, LOOK, NUMBER, ODD, Single
from lvlmbench.stages.answer.looking.spotting import LEAST, Spotted, Spotter, is_apart, sure_enough
from lvlmbench.stages.answer.looking.windows import Window

if TYPE_CHECKING:
    from lvlmbench.scene.vocabulary import Entry

Named = Sequence[tuple[str, str]]

#: Where panels lie.
_CORNERS = ("top left", "top right", "bottom left", "bottom right")
#: From this much a pixel of one panel differs from what is there in most, in steps of 256; parts
#: nearer to each other than so many pixels are one.
_DIFFERENT, _JOINED = 12, 4
#: The part of a thing that its color is read from, as a share of its shorter side.
_MIDDLE = 0.6
#: From how many steps of log-odds on a thing of another list is there beside the surest one.
_OTHERWISE = (-2, -2)


class Knows(Protocol):
    """What knows things and their colors."""

    @property
    def spotter(self) -> Spotter:
        """What finds things in windows."""
        ...

    def colors(self, gaze: Gaze, windows: Sequence[int]) -> list[str]:
        """Return the color that each of some windows is most like."""
        ...

    def entry(self, kind: str, label: str) -> Entry:
        """Return what the vocabulary says of a thing."""
        ...


class Pointer:
    """Looks for things in one picture.

    Parameters
    ----------
    captioner
        What knows things and their colors.
    gaze
        The picture.
    people
        Those in it, from left to right.
    panels
        The pictures that it is put together of; none where it is one.
    """

    def __init__(
        self,
        captioner: Knows,
        gaze: Gaze,
        people: Sequence[Someone],
        panels: Sequence[Image.Image],
    ) -> None:
        self._captioner, self._gaze = captioner, gaze
        self._spotter: Spotter = captioner.spotter
        self._people, self._panels = people, panels

    def answer(self, asked: Single) -> str | None:
        """Return an answer; None where nothing is seen that could be one."""
        if asked.everywhere:
            return self._everywhere()
        if asked.sort == ODD or asked.changes:
            return self._compared(asked)
        if asked.sort == LOOK:
            return self._look(asked)
        if asked.sort == NUMBER:
            return f"{capitalized(NUMBER_WORDS[self._number(asked)])}."
        if asked.sort != COLOR and len(asked.subjects) > 1:
            return f"{capitalized(self._most(asked))}."
        found = self._chosen(asked)
        if found is None:
            return None
        if asked.sort == COLOR:
            return f"It is {self._color(found)}."
        return f"It is {singular(self._captioner.entry(found.kind, found.label))}."

    def _some(self, named: Named) -> list[Spotted]:
        """Where things with these labels are."""
        found = self._spotter.spot(self._gaze, named)
        least = [LEAST.get(each.kind, _OTHERWISE)[not each.even] for each in found]
        return [e for at, e in enumerate(found) if not at or e.sure >= least[at]]

    def _pool(self, asked: Single) -> list[Spotted]:
        if not asked.subjects and not asked.kinds:
            return sure_enough(self._spotter.spot(self._gaze))
        kinds = [each for each in self._spotter.named if each[0] in asked.kinds]
        return self._some(asked.subjects or kinds)

    def _color(self, one: Spotted) -> str:
        """The color of the middle of a thing."""
        box = one.extent
        side = _MIDDLE * min(box.width, box.height)
        x, y = box.center
        windows = self._gaze.look([Window(0, x - side / 2, y - side / 2, side)])
        return self._captioner.colors(self._gaze, windows)[0]

    def _chosen(self, asked: Single) -> Spotted | None:
        """The one thing that is asked about."""
        pool = self._beside(asked, self._pool(asked))
        if asked.nth is not None:
            return sorted(pool, key=_middle(0))[min(asked.nth, len(pool) - 1)] if pool else None
        if asked.size is not None:
            by_size = sorted(pool, key=lambda each: max(each.extent.width, each.extent.height))
            return by_size[-asked.size] if pool else None
        if asked.end is not None:
            axis, far = asked.end
            return sorted(pool, key=_middle(axis))[-far] if pool else None
        return pool[0] if pool else None

    def _beside(self, asked: Single, pool: list[Spotted]) -> list[Spotted]:
        """The things beside the anchor, or in the color that the question names; else all."""
        color = asked.color
        there = self._some([asked.anchor])[:1] if asked.anchor is not None else ()
        for anchor in there:
            pool = [each for each in pool if is_apart(each.box, anchor.box)]
            if asked.side is not None:
                axis, far = asked.side
                middle = _middle(axis)
                pool = [e for e in pool if (middle(e) > middle(anchor)) == far] or pool
            if asked.same:
                color = self._color(anchor)
        return [each for each in pool if self._color(each) == color] or pool if color else pool

    def _number(self, asked: Single) -> int:
        """How many there are, or how many more than of another thing."""
        if len(asked.subjects) > 1:
            return abs(len(self._some(asked.subjects[:1])) - len(self._some(asked.subjects[1:2])))
        pool = self._pool(asked)
        if asked.without:
            return len([each for each in pool if self._color(each) != asked.color])
        return min(len(self._beside(asked, pool)), len(NUMBER_WORDS) - 1)

    def _most(self, asked: Single) -> str:
        """The one of two kinds of things that there is more of, in a color if one is named."""

        def number(one: tuple[str, str]) -> tuple[int, int]:
            found = self._some([one])
            colored = [each for each in found if asked.color in (None, self._color(each))]
            return len(colored), found[0].sure if found else 0

        return self._captioner.entry(*max(asked.subjects, key=number)).plural

    def _look(self, asked: Single) -> str | None:
        """How somebody looks: who wears something in a color, or is at an end of the picture."""
        if not self._people:
            return None
        worn = {label for _, label in asked.subjects}
        fit = [
            sum((each.label in worn) + (each.color == asked.color) for each in one.worn)
            for one in self._people
        ]
        at = fit.index(max(fit))
        if asked.end is not None:
            at = -1 if asked.end[1] else 0
        return f"The person looks {self._people[at].expression or 'neutral'}."

    def _everywhere(self) -> str | None:
        """What most of the panels show."""
        panels: dict[tuple[str, str], int] = defaultdict(int)
        sure: dict[tuple[str, str], int] = defaultdict(int)
        for panel in self._panels:
            best: dict[tuple[str, str], int] = {}
            for each in self._spotter.spot(Gaze(self._spotter.model, panel)):
                best.setdefault((each.kind, each.label), each.sure)
            for key, own in best.items():
                panels[key] += 1
                sure[key] += own
        if not panels:
            return None
        common = max(panels, key=lambda each: (panels[each], sure[each]))
        return f"It is {singular(self._captioner.entry(*common))}."

    def _compared(self, asked: Single) -> str | None:
        """Which of four panels is not like the others, or in how many places two of them differ."""
        if len(self._panels) < 2:
            return None
        size = self._panels[0].size
        pixels = np.stack([np.asarray(each.convert("RGB").resize(size)) for each in self._panels])
        away = np.abs(pixels - np.median(pixels, axis=0)).max(axis=3) > _DIFFERENT
        if asked.sort == ODD:
            return f"The one at the {_CORNERS[int(away.sum(axis=(1, 2)).argmax())]}."
        parts = ndimage.binary_dilation(away[0], iterations=_JOINED)
        return f"{capitalized(NUMBER_WORDS[min(ndimage.label(parts)[1], LARGEST)])}."


def _middle(axis: int) -> Callable[[Spotted], float]:
    """A function that gives the coordinate of a thing's center along an axis."""
    return lambda each: each.extent.center[axis]
