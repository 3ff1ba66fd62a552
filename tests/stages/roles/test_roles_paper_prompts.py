"""The prompt set ``paper``: whole, with the fields of the default one, in words of its own."""

from __future__ import annotations

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.stages.check.checking import check_prompts as of_validator
from lvlmbench.stages.examiner.proposing import check_prompts as of_examiner
from lvlmbench.stages.judge.served.judge import FIELDS as JUDGED
from lvlmbench.stages.judge.served.judge import check_prompts as of_judge
from lvlmbench.stages.planner.planning import check_prompts as of_planner

FOLDER = "data/prompts/paper"
OWN = ("general", "fine", "describe_text", "describe_checks", "question_text", "eoa", "check",
       *JUDGED)  # fmt: skip


def test_roles_take_the_set() -> None:
    found = {**of_planner(FOLDER), **of_examiner(FOLDER), **of_judge(FOLDER)}
    found["check"] = of_validator(FOLDER)
    for purpose in OWN:
        assert f"{FOLDER}/{purpose}.md" in found[purpose].where, purpose


@pytest.mark.parametrize("purpose", OWN)
def test_a_prompt_differs_from_the_default_one(purpose: str) -> None:
    paper, default = (
        (PROJECT_ROOT / folder / f"{purpose}.md").read_text().split("---\n", 2)[2]
        for folder in (FOLDER, "data/prompts/default")
    )
    assert paper != default
