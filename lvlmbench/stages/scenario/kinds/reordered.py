"""Scenario ``reordered``: the same questions with the right option at one place after another.

A model that sees and reads has the same right wherever the right option stands; one that prefers a
letter has not (AutoBench-V, section 4.3; AutoDavis, section 3.2: all at A, all at D).
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.config.section import Section, no_truth_value, once
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import (
    SCENARIOS,
    Row,
    Shard,
    Weights,
    asked_of,
    first_of,
    perturbation,
    shown,
)
from lvlmbench.suites.suite import suite_of

Place = Annotated[int, BeforeValidator(no_truth_value), Field(ge=1, le=26)]


class Reordered(Section):
    """The same questions with the right option at other places."""

    at: tuple[Place, ...] = Field(
        (1, 2, 3, 4),
        min_length=1,
        description="Places of the right option, from 1; a question is asked with it at each of "
        "them, as far as it has so many options.",
    )
    rotate: bool = Field(
        False,
        description="Whether all options move along in a circle. If not, the wrong ones keep their "
        "order.",
    )
    scenes_per_subtask: int | None = Field(
        None,
        ge=1,
        description="Only the first so many scenes of each subtask; null: all of them.",
    )

    _each_once = field_validator("at")(once("place"))


def moved(options: int, right: int, place: int, rotate: bool) -> list[int]:
    """Return the order of some options in which the right one is at a place, both from 0."""
    if rotate:
        return [(right - place + at) % options for at in range(options)]
    others = [at for at in range(options) if at != right]
    return [*others[:place], right, *others[place:]]


class Moving:
    """Shows each picture unchanged, once for each question and place."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.own(Reordered)

    def apply(self, shard: Shard) -> Iterator[Row]:
        """Rows of one question side by side, in the order of the places."""
        asked = asked_of(shard)
        first = first_of(self._params, shard.scenes, self._settings.scenes_per_subtask)
        for clean in shard.images.to_pylist():
            if clean["scene_id"] in first:
                for question in asked.get(clean["scene_id"], []):
                    yield from self._places(clean, question)

    def _places(self, clean: Row, question: Row) -> Iterator[Row]:
        options, right = len(question["options"]), question["answer_index"]
        for place in self._settings.at:
            if place <= options:
                order = moved(options, right, place - 1, self._settings.rotate)
                yield shown(
                    self._params, self._spec, clean, clean["image"]["bytes"],
                    perturbation("position", place, {"rotate": self._settings.rotate}),
                    question["question_id"], str(place), order=order,
                )  # fmt: skip


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether some question has so many options.

    Raises
    ------
    UserError
        None of the suite has.
    """
    most = suite_of(params).most_options
    beyond = [place for place in spec.own(Reordered).at if most is not None and place > most]
    if beyond:
        raise UserError(
            f"{where}: reordered: at",
            f"{beyond[0]} is no place of an option: questions offer {most} at most",
            f"write places from 1 to {most}",
        )


def images(params: Params, spec: ScenarioSpec, scenes: float) -> float:
    """Return about how many images some scenes give."""
    settings = spec.own(Reordered)
    if settings.scenes_per_subtask is not None:
        scenes = min(scenes, settings.scenes_per_subtask * len(params.corpus.subtasks))
    return scenes * params.corpus.questions_per_scene * len(settings.at)


@SCENARIOS.register(
    "reordered",
    vocabulary=False,
    settings=Reordered,
    check=check,
    place=9,
    a_question=True,
    moves=True,
    images=images,
    every=lambda spec: True,
    scale=lambda spec: [f"right at {letter}" for letter in ascii_uppercase],
    about="the same image, with the right option at one place after another",
    exactness=(Promise(Exactness.EVERYWHERE, "takes the images as they were drawn"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Moving:
    """The scenario; it needs no trained model."""
    return Moving(params, spec)
