"""Settings of the suite ``dysca``: what makes its questions harder than the paper's."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lvlmbench.config.section import Section


class Restyled(Section):
    """The same scenes in several styles, which the scenario `restyled` asks about."""

    scenes_per_subtask: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="The first scenes of each subtask that are shown again in several styles; 0: "
        "none are, and the scenario `restyled` shows nothing.",
    )
    styles_per_scene: int = Field(
        5,
        ge=2,
        le=1_000,
        description="Styles that each of them is shown in, as far as so many hide nothing that is "
        "asked.",
    )


class Harder(Section):
    """What makes scenes and questions harder than the paper's, which is the default."""

    distractors: Literal["any", "near"] = Field(
        "any",
        description="`near`: wrong options look like the answer, where `near.yaml` of the "
        "vocabulary knows look-alikes; `any`: they come from the whole list.",
    )
    words: Literal["any", "alike", "lines"] = Field(
        "any",
        description="`alike`: the options for a word have its length and at least half of its "
        "letters; texts are then only words that have three such, of each length as many. `lines`: "
        "as `alike`, and half of the texts are two words, one of which the options have as well.",
    )
    subjects: Literal["any", "small", "hidden"] = Field(
        "any",
        description="`small`: animals, objects, plants and food are drawn an eighth to a sixth as "
        "large as the picture; `hidden`: 15 to 40 percent of one is behind a fence or a crate.",
    )
    counts: bool = Field(
        False,
        description="Whether closed questions ask how many there are of a countable animal, "
        "object, plant or food.",
    )
    restyled: Restyled = Field(
        default_factory=lambda: Restyled.model_validate({}),
        description="The same scenes in several styles; nothing else in the suite changes by it.",
    )


#: As the paper has it.
DEFAULT = Harder.model_validate({})
