"""Configuration: params.yaml, validated before anything runs."""

from lvlmbench.config.loading import (
    load_params,
    load_project,
    several,
    suite_of,
    validate,
    validate_project,
)
from lvlmbench.config.project import Project
from lvlmbench.config.sections import Params
from lvlmbench.scene.subtasks import SUBTASKS

__all__ = [
    "SUBTASKS",
    "Params",
    "Project",
    "load_params",
    "load_project",
    "several",
    "suite_of",
    "validate",
    "validate_project",
]
