"""A reference model that tells of several things: what it spots in windows, put into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from lvlmbench.scene.structured import Form
from lvlmbench.stages.answer.looking.captions import Someone, Thing, filled, told
from lvlmbench.stages.answer.looking.finding import extent
from lvlmbench.stages.answer.looking.gaze import Gaze, Held
from lvlmbench.stages.answer.looking.persons import Persons
from lvlmbench.stages.answer.looking.spotting import Spotter, sure_enough
from lvlmbench.stages.answer.looking.topics import COLORS, PEOPLE, topics

if TYPE_CHECKING:
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.stages.reference.zero_shot import ZeroShot

#: From how many steps of log-odds on a color is told: of what was known on the scenes that set
#: thresholds, 92 % were then right.
_LEAST = -1


class Captioner:
    """A reference model and the words of a vocabulary."""

    def __init__(self, model: ZeroShot, vocabulary: Vocabulary) -> None:
        self._model, self._vocabulary = model, vocabulary

    @cached_property
    def _spotter(self) -> Spotter:
        return Spotter(self._model)

    @cached_property
    def _persons(self) -> Persons:
        return Persons(self._model, self._spotter, self._vocabulary)

    @cached_property
    def _colors(self) -> tuple[Sequence[str], Held]:
        colors = self._model.labels.of["color"]
        return colors, Held(self._model.vectors("color", colors))

    def tell(self, question: str, picture: Image.Image) -> str:
        """Return an answer to a question that :func:`.topics` of it are found in."""
        wanted = topics(question)
        return told(wanted, *self._seen(picture, PEOPLE in wanted, COLORS in wanted))

    def fill(self, form: Form, picture: Image.Image) -> str:
        """Return a description in a form."""
        return filled(form, *self._seen(picture, bool(form.people), "color" in form.things))

    def _seen(
        self, picture: Image.Image, people: bool, colored: bool
    ) -> tuple[list[Thing], list[Someone]]:
        """The people in a picture, or its things."""
        side, square = max(picture.size), picture.convert("RGB")
        if picture.width != picture.height:
            square = square.resize((side, side), Image.Resampling.BICUBIC)
        gaze = Gaze(self._model, square)
        if people:
            return [], self._persons.spot(gaze)
        return self._things(gaze, colored), []

    def _things(self, gaze: Gaze, colored: bool) -> list[Thing]:
        found = sure_enough(self._spotter.spot(gaze))
        pixels = np.asarray(gaze.picture)
        things = []
        for each in found:
            entry = self._vocabulary.lists[each.kind].by_label[each.label]
            box = each.part or extent(pixels, gaze.windows[each.window])
            things.append(Thing(each.label, entry.article, box))
        colors, held = self._colors
        if not colored or not colors:
            return things
        read = gaze.read([each.window for each in found], held)
        return [
            replace(thing, color=colors[at]) if sure >= _LEAST else thing
            for thing, (at, sure) in zip(things, read.tolist(), strict=True)
        ]
