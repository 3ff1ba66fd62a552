"""A person's age, gender, expression and race."""

from __future__ import annotations

from lvlmbench.scene.lists import PERSON, PERSON_ATTRIBUTES
from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


def _person(name: str, order: int, asks: Aspect) -> Subtask:
    # Most styles change skin tones. So race is part of its own scenes only, lest all scenes with
    # a person be left with the few styles that do not.
    attributes = tuple(a for a in PERSON_ATTRIBUTES if a != "race" or name == "race")
    return Subtask(
        name=name,
        order=order,
        granularity="fine",
        asks=asks,
        foregrounds=(PERSON,),
        attributes=attributes,
        secondary=(*(a for a in attributes if a != name), "background", "style"),
    )


@SUBTASKS.register("age")
def age() -> Subtask:
    """Return the subtask: how old a person is."""
    return _person(
        "age",
        7,
        Aspect(
            "the person's {noun}",
            questions=(
                "Which {noun} does the person in this image belong to?",
                "What is the {noun} of the person shown?",
                "About how old does the person in this picture look?",
            ),
            statements=(
                "The image shows {claim}.",
                "The person in the image is {claim}.",
            ),
            claim="indefinite",
        ),
    )


@SUBTASKS.register("gender")
def gender() -> Subtask:
    """Return the subtask: the gender of a person."""
    return _person(
        "gender",
        8,
        Aspect(
            "the person's {noun}",
            questions=(
                "What is the {noun} of the person in this image?",
                "Which {noun} does the person in this picture appear to be?",
                "What {noun} is the person shown?",
            ),
            statements=(
                "The person in the image is {claim}.",
                "The {noun} of the person in the image is {claim}.",
            ),
        ),
    )


@SUBTASKS.register("expression")
def expression() -> Subtask:
    """Return the subtask: what a face expresses."""
    return _person(
        "expression",
        9,
        Aspect(
            "the person's {noun}",
            questions=(
                "Which {noun} does the person in this image have?",
                "What does the face of the person in this picture express?",
                "What is the {noun} of the person shown?",
            ),
            statements=(
                "The person in the image looks {claim}.",
                "The {noun} of the person in the image is {claim}.",
            ),
        ),
    )


@SUBTASKS.register("race")
def race() -> Subtask:
    """Return the subtask: the race of a person, or the skin tone that stands for it."""
    return _person(
        "race",
        10,
        Aspect(
            "the person's {noun}",
            questions=(
                "What is the {noun} of the person in this image?",
                "Which {noun} does the person in this picture have?",
                "Which of these describes the {noun} of the person shown?",
            ),
            statements=(
                "The {noun} of the person in the image is {claim}.",
                "The person in the image has this {noun}: {claim}.",
            ),
        ),
    )
