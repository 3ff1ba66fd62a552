"""The role of a validator."""

from __future__ import annotations

from lvlmbench.stages.roles.making import Role

VALIDATOR = Role(
    "validator",
    "validator.validators",
    "answers the questions of a suite and no others",
)
