"""A person's age, gender, expression and race."""

from __future__ import annotations

from lvlmbench.scene.lists import PERSON, PERSON_ATTRIBUTES
from lvlmbench.scene.subtasks import SUBTASKS, Subtask


def _person(name: str, order: int) -> Subtask:
    # Most styles change skin tones. So race is part of its own scenes only, lest all scenes with
    # a person be left with the few styles that do not.
    attributes = tuple(a for a in PERSON_ATTRIBUTES if a != "race" or name == "race")
    return Subtask(
        name=name,
        order=order,
        granularity="fine",
        foregrounds=(PERSON,),
        attributes=attributes,
        secondary=(*(a for a in attributes if a != name), "background", "style"),
    )


@SUBTASKS.register("age")
def age() -> Subtask:
    """Return the subtask: how old a person is."""
    return _person("age", 7)


@SUBTASKS.register("gender")
def gender() -> Subtask:
    """Return the subtask: the gender of a person."""
    return _person("gender", 8)


@SUBTASKS.register("expression")
def expression() -> Subtask:
    """Return the subtask: what a face expresses."""
    return _person("expression", 9)


@SUBTASKS.register("race")
def race() -> Subtask:
    """Return the subtask: the race of a person, or the skin tone that stands for it."""
    return _person("race", 10)
