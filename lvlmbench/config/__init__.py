"""Configuration: params.yaml, validated before anything runs."""

from lvlmbench.config.loading import load_params, load_project, suite_of, validate, validate_project
from lvlmbench.config.project import Project
from lvlmbench.config.sections import Params
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.tables import QUESTION_TYPES

__all__ = [
    "QUESTION_TYPES",
    "SUBTASKS",
    "Params",
    "Project",
    "load_params",
    "load_project",
    "suite_of",
    "validate",
    "validate_project",
]
