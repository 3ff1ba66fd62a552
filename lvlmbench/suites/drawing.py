"""Which drawing of its plan a suite is, and what pictures are held against while they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from lvlmbench.suites.posed import Posed


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


class Confirmer(Protocol):
    """Has models look at pictures while they are drawn.

    Attributes
    ----------
    name
        In the table ``attempts``.
    attempts
        Further attempts at a scene, at most.
    """

    name: str
    attempts: int

    def checks(self, scene: Mapping[str, Any]) -> Sequence[Posed]:
        """Return what validators are asked of the picture of a row of ``tables.SCENES``."""
        ...

    def judge(self, scene: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Fault | None:
        """Return what is wrong with a picture; None where nothing is, or nobody could tell.

        ``rows`` are those of ``tables.ATTEMPT_CHECKS`` about it, of all validators.
        """
        ...

    def prompt(
        self, scene: Mapping[str, Any], number: int, rows: Sequence[Mapping[str, Any]]
    ) -> str | None:
        """Return the prompt of an attempt, by its number from 1 and by the rows about the one
        before; None where the scene's own stays."""
        ...


class Drawing(NamedTuple):
    """Which drawing of a plan a suite is.

    Attributes
    ----------
    number
        From 0; another number makes other pictures and questions of the same plan.
    plan
        Hash of all else that its kind and its section of the corpus decide.
    """

    number: int
    plan: str
