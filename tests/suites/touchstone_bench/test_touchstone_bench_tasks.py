"""All tasks of TouchStone are subtasks of a user's own copy."""

from __future__ import annotations

from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.suites.dialogue import TASKS


def test_a_users_copy_has_every_task_in_the_papers_order() -> None:
    assert subtasks_of("touchstone_bench") == (*TASKS,)
