"""What holds pictures against what they were to show, while they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Fault(NamedTuple):
    """Why a picture is to be drawn anew.

    Attributes
    ----------
    reason
        In a word or two that the report counts.
    score, threshold
        What was measured, and the least that it was to be.
    """

    reason: str
    score: float | None = None
    threshold: float | None = None


class Validator(Protocol):
    """Holds pictures against what they were to show, while they are drawn.

    Attributes
    ----------
    name
        In the table ``attempts``.
    attempts
        Further attempts at a scene, at most.
    """

    name: str
    attempts: int

    def judge(self, scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]]) -> Fault | None:
        """Return what is wrong with a picture; None where nothing is.

        ``scene`` is a row of ``tables.SCENES``, ``layout`` rows of ``tables.LAYOUTS``.
        """
        ...
