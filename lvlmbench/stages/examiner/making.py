"""The role of an examiner."""

from __future__ import annotations

from lvlmbench.stages.roles.making import Role

EXAMINER = Role(
    "examiner",
    "examiner.examiners",
    "answers questions about pictures and can write none",
)
