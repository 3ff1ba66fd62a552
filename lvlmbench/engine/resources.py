"""What the jobs of a run share on this machine."""

from __future__ import annotations

from lvlmbench.config import Project
from lvlmbench.core import gpus
from lvlmbench.stages.stage import declared


def gpus_here(project: Project) -> int:
    """GPUs that jobs of this machine may share; 0 where none is wanted or none is to be seen."""
    asking = any(
        stage.needs(project.suite(values["suite"]), values).gpus
        for stage in declared().values()
        for values in stage.values(project)
    )
    return len(gpus.visible(ask_torch=False)) if asking else 0
