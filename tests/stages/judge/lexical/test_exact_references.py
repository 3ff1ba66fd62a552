"""Every reference of the suite that one value decides is read as right."""

from __future__ import annotations

from collections import Counter

import pytest

from lvlmbench.stages.judge.kinds.lexical.exact import Verdict
from support.touchstone_checks.asked import Asked
from support.touchstone_checks.values import TASKS, read, rows, values


@pytest.mark.parametrize("seed", [5, 6])
def test_references_are_right(seed: int) -> None:
    found = [*rows(Asked(seed=seed), scenes=8, seeds=1)]
    read_as = Counter(read(row, row["answer"]) for row in found)
    assert len({row["subtask"] for row in found}) == len(TASKS)
    assert read_as[Verdict.WRONG] == 0 and read_as[Verdict.RIGHT] >= 0.98 * len(found)


def test_answers_to_questions_of_the_suite() -> None:
    lines = [*values(Asked(seed=7), scenes=2)]
    assert lines and not [str(line) for line in lines if not line.holds]
