"""Tasks of which no scene is drawn: they want the faces, works and scenes of the real world."""

from __future__ import annotations

from functools import partial

from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.touchstone.task import not_drawn

for _name, _task in TASKS.items():
    if _task.decided == "not drawn":
        SUBTASKS.register(_name)(partial(not_drawn, _name))
