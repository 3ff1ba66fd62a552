"""A reference model that tells of several things: what it spots in windows, put into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from lvlmbench.scene.structured import Form
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.looking.captions import Someone, Thing, filled, told
from lvlmbench.stages.answer.looking.finding import extent
from lvlmbench.stages.answer.looking.gaze import Gaze, Held
from lvlmbench.stages.answer.looking.persons import Persons
from lvlmbench.stages.answer.looking.pointing import Pointer
from lvlmbench.stages.answer.looking.single import LOOK, Single, single
from lvlmbench.stages.answer.looking.spotting import Spotter, sure_enough
from lvlmbench.stages.answer.looking.topics import COLORS, PEOPLE, topics

if TYPE_CHECKING:
    from lvlmbench.scene.vocabulary import Entry, Vocabulary
    from lvlmbench.stages.answer.dialogue import Turn
    from lvlmbench.stages.reference.zero_shot import ZeroShot

#: From how many steps of log-odds on a color is told: of what was known on the scenes that set
#: thresholds, 92 % were then right.
_LEAST = -1


class Captioner:
    """A reference model and the words of a vocabulary."""

    def __init__(self, model: ZeroShot, vocabulary: Vocabulary) -> None:
        self._model, self._vocabulary = model, vocabulary

    @cached_property
    def spotter(self) -> Spotter:
        return Spotter(self._model)

    @cached_property
    def persons(self) -> Persons:
        return Persons(self._model, self.spotter, self._vocabulary)

    @cached_property
    def _colors(self) -> tuple[Sequence[str], Held]:
        colors = self._model.labels.of["color"]
        return colors, Held(self._model.vectors("color", colors))

    def sight(self, picture: Image.Image) -> Sight:
        """Return what several questions about one picture share."""
        side, square = max(picture.size), picture.convert("RGB")
        if picture.width != picture.height:
            square = square.resize((side, side), Image.Resampling.BICUBIC)
        return Sight(self, Gaze(self._model, square))

    def things(self, gaze: Gaze) -> list[tuple[int, Thing]]:
        """Return the things in a picture without their colors, each with the window it is in."""
        pixels = np.asarray(gaze.picture)
        things = []
        for each in sure_enough(self.spotter.spot(gaze)):
            entry = self._vocabulary.lists[each.kind].by_label[each.label]
            box = each.part or extent(pixels, gaze.windows[each.window])
            things.append((each.window, Thing(each.label, entry.article, box)))
        return things

    def colors(self, gaze: Gaze, windows: Sequence[int]) -> list[str]:
        """Return the color that each of some windows is most like."""
        colors, held = self._colors
        return [colors[at] for at, _ in gaze.read(windows, held).tolist()]

    def entry(self, kind: str, label: str) -> Entry:
        """Return what the vocabulary says of a thing."""
        return self._vocabulary.lists[kind].by_label[label]

    @cached_property
    def _forms(self) -> list[tuple[str, str, re.Pattern[str]]]:
        """(list, label, what finds it) of things and landmarks, longer forms first."""
        return self._model.finders((*THINGS, "landmark"))

    def asks(self, question: str, turns: Sequence[Turn]) -> Single | None:
        """Return what a question about one thing, or about how many, asks; None where it is no
        such."""
        return single(question, " ".join(turn.question for turn in turns), self._forms)

    def colored(self, gaze: Gaze, found: Sequence[tuple[int, Thing]]) -> list[Thing]:
        """Return things with their colors, where these are sure enough."""
        colors, held = self._colors
        if not colors:
            return [thing for _, thing in found]
        read = gaze.read([window for window, _ in found], held)
        return [
            replace(thing, color=colors[at]) if sure >= _LEAST else thing
            for (_, thing), (at, sure) in zip(found, read.tolist(), strict=True)
        ]


class Sight:
    """One picture, looked at once for all questions about it."""

    def __init__(self, captioner: Captioner, gaze: Gaze) -> None:
        self._captioner, self._gaze = captioner, gaze

    def tell(self, question: str) -> str:
        """Return an answer to a question that :func:`.topics` of it are found in."""
        wanted = topics(question)
        return told(wanted, *self._seen(PEOPLE in wanted, COLORS in wanted))

    def point(self, asked: Single, panels: Sequence[Image.Image]) -> str | None:
        """Return an answer about one thing, or how many; None where nothing is seen of it."""
        people = self._people if asked.sort == LOOK else ()
        return Pointer(self._captioner, self._gaze, people, panels).answer(asked)

    def fill(self, form: Form) -> str:
        """Return a description in a form."""
        return filled(form, *self._seen(bool(form.people), "color" in form.things))

    def _seen(self, people: bool, colored: bool) -> tuple[list[Thing], list[Someone]]:
        """The people in the picture, or its things."""
        if people:
            return [], self._people
        return self._colored if colored else [thing for _, thing in self._things], []

    @cached_property
    def _people(self) -> list[Someone]:
        return self._captioner.persons.spot(self._gaze)

    @cached_property
    def _things(self) -> list[tuple[int, Thing]]:
        return self._captioner.things(self._gaze)

    @cached_property
    def _colored(self) -> list[Thing]:
        return self._captioner.colored(self._gaze, self._things)
