"""What a reference model makes out of people who are drawn from head to foot.

Its towers have learned faces, clothes that nobody wears, and people seen as a whole, so they guess
more than they see. It presumes that there are people, as it is asked for them: each window that
may show one is read in three parts, the head, the trunk and the legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from lvlmbench.scene.lists import PERSON, PERSON_ATTRIBUTES
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.answer.looking.captions import Someone, Thing
from lvlmbench.stages.answer.looking.gaze import Among, Gaze, Held
from lvlmbench.stages.answer.looking.spotting import Spotted, Spotter, apart, first_look
from lvlmbench.stages.answer.looking.windows import Window
from lvlmbench.stages.reference.captions import KIND

if TYPE_CHECKING:
    from lvlmbench.stages.reference.zero_shot import ZeroShot

#: A part of a window: the height of its middle, and its side.
Part: TypeAlias = tuple[float, float]

#: Lists of what people do, are and wear: what shows one of these may be a person.
_HUMAN = ("action", "profession", "clothes", KIND)
#: Parts of a window that shows a person from head to foot.
_HEAD, _TRUNK, _LEGS = _PARTS = ((0.23, 0.37), (0.52, 0.25), (0.70, 0.25))
#: Groups of clothes that cover the trunk, and the legs.
_COVERS: dict[Part, tuple[str, ...]] = {
    _TRUNK: ("top", "coat", "dress", "sweater"),
    _LEGS: ("trousers", "skirt"),
}
#: The group of what covers both.
_WHOLE = "dress"
#: How many people are told of; from how many steps of log-odds on one is there beside the surest,
#: where nothing stands out from an even ground (few such pictures were seen; nothing sets this).
_MOST, _LEAST = 6, -4


class Persons:
    """The phrases of a reference model that are about people."""

    def __init__(self, model: ZeroShot, spotter: Spotter, vocabulary: Vocabulary) -> None:
        self._clothes, of = vocabulary.lists["clothes"].by_label, model.labels.of
        human = np.array([kind in _HUMAN for kind, _ in spotter.named])
        self._human = Among(spotter.phrases, human)
        self._of: dict[str | Part, tuple[Sequence[str], Held]] = {
            name: (of[name], Held(model.vectors(name, of[name])))
            for name in (*PERSON_ATTRIBUTES, "color")
        }
        for part, groups in _COVERS.items():
            labels = [each for each in of["clothes"] if self._clothes[each].group in groups]
            self._of[part] = labels, Held(model.vectors("clothes", labels))

    def spot(self, gaze: Gaze) -> list[Someone]:
        """Return people from left to right: the surest one, and others that are sure enough."""
        windows, parts = first_look(gaze.picture)
        numbers, even = gaze.look(windows), parts is not None
        sure = gaze.read(numbers, self._human).ravel().tolist()
        found = apart(
            Spotted(PERSON, PERSON, each, number, gaze.windows[number].box, even)
            for number, each in zip(numbers, sure, strict=True)
        )
        some = [e for at, e in enumerate(found[:_MOST]) if even or not at or e.sure >= _LEAST]
        whole = [gaze.windows[each.window] for each in sorted(some, key=lambda each: each.box.left)]
        parts_of = [_part(each, *part) for each in whole for part in _PARTS]
        seen = iter(gaze.look(parts_of))
        return [self._someone(gaze, *each) for each in zip(seen, seen, seen, strict=True)]

    def _someone(self, gaze: Gaze, head: int, *others: int) -> Someone:
        looks = {name: self._best(gaze, head, name) for name in PERSON_ATTRIBUTES}
        worn: list[Thing] = []
        for number, part in zip(others, _PARTS[1:], strict=True):
            label = self._best(gaze, number, part)
            whole = any(self._clothes[each.label].group == _WHOLE for each in worn)
            if label is not None and not whole:
                color = self._best(gaze, number, "color")
                box = gaze.windows[number].box
                worn.append(Thing(label, self._clothes[label].article, box, color))
        return Someone(**looks, worn=tuple(worn))

    def _best(self, gaze: Gaze, number: int, name: str | Part) -> str | None:
        """What is most like a window among the labels of an aspect, or what covers a part."""
        labels, held = self._of[name]
        return labels[int(gaze.read([number], held)[0, 0])] if labels else None


def _part(window: Window, middle: float, share: float) -> Window:
    """A part of a window, in the middle of its width."""
    side = window.side * share
    left = window.left + (window.side - side) / 2
    return Window(window.panel, left, window.top + middle * window.side - side / 2, side)
