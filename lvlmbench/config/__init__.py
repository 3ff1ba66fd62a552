"""Configuration: params.yaml, validated before anything runs."""

from lvlmbench.config.loading import load_params, validate
from lvlmbench.config.sections import Params
from lvlmbench.scene.subtasks import (
    QUESTION_TYPES,
    SUBTASKS,
)

__all__ = ["QUESTION_TYPES", "SUBTASKS", "Params", "load_params", "validate"]
