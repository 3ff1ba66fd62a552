"""Settings of the suite ``dysca``: what makes its questions harder than the paper's."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lvlmbench.config.section import Section


class Harder(Section):
    """What makes scenes and questions harder than the paper's, which is the default."""

    distractors: Literal["any", "near"] = Field(
        "any",
        description="`near`: wrong options look like the answer, where `near.yaml` of the "
        "vocabulary knows look-alikes; `any`: they come from the whole list.",
    )
    words: Literal["any", "alike"] = Field(
        "any",
        description="`alike`: the options for a word have its length and at least half of its "
        "letters; texts are then only words that have three such, of each length as many.",
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


#: As the paper has it.
DEFAULT = Harder.model_validate({})
