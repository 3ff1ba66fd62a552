"""What a verification says about stages: those asked for, and those that are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from lvlmbench.core.exactness import Exactness
from lvlmbench.versions.verify_words import stage_lines
from lvlmbench.versions.verifying import Found
from lvlmbench.versions.versions import Version

OWN = {
    "scenes/dysca": Exactness.EVERYWHERE,
    "judge/dysca": Exactness.HARDWARE,
    "answer/dysca": Exactness.ARTIFACT,
}


@pytest.mark.parametrize(
    ("asked", "broken", "told"),
    [
        ([], {}, []),
        (["judge/dysca"], {}, ["judge/dysca"]),
        (list(OWN), {}, list(OWN)),
        (["judge/dysca"], {"answer/dysca": "of other bytes"}, ["judge/dysca", "answer/dysca"]),
    ],
)
def test_a_line_for_each_stage_that_was_asked_for(
    asked: list[str], broken: dict[str, str], told: list[str]
) -> None:
    found = Found(cast(Version, None), False, own=OWN, stages=dict.fromkeys(OWN))
    found = replace(found, asked=frozenset(asked), broken=broken)
    assert [line.split()[0] for line in stage_lines(found)] == told
