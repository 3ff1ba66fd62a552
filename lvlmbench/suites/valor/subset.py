"""What a subset is: how its scenes are planned, what is asked about them, what an answer owes.

A subset is one file in ``subsets/`` that registers a :class:`Subset` beside the subtasks of other
suites (VALOR-Eval, section 3.1.1 and Table 2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lvlmbench.scene.claims import Scope
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.world import World
from lvlmbench.suites.claimed import KINDS, SCOPES
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import Level
from lvlmbench.suites.valor.settings import Hallucinating


class Site(NamedTuple):
    """What a scene is planned with: random choices, its ordinal, the settings of the suite."""

    kit: Kit
    ordinal: int
    own: Hallucinating


@dataclass(frozen=True, kw_only=True)
class Subset(Subtask):
    """A subtask of this suite.

    Attributes
    ----------
    level
        How much its pictures show, how large, and before what.
    scope
        What of an answer counts.
    owes
        What of a picture an answer is to say; what else is so of it may be said.
    questions
        Our ways to ask for a description.
    form
        What a structured description tells.
    plan
        Returns what a scene is to show.
    said
        Returns the reference description of what a picture shows: it says all that is owed.
    prior
        Returns whether a scene agrees with what is so in the world: ``with``, ``against``, or None
        where that cannot be said.
    first
        Returns the ordinal of the scene that one of an ordinal shares all random choices with;
        None of a scene by itself.
    designed
        Returns why a scene shows what it shows: columns of :data:`lvlmbench.tables.DESIGNS`; None
        where there is no design.
    probed
        Whether probes ask about its things.
    """

    level: Level
    scope: Scope
    owes: Scope
    questions: tuple[str, ...]
    form: Form
    plan: Callable[[Site], Graph]
    said: Callable[[Kit, World], str]
    prior: Callable[[Kit, Graph], str | None]
    first: Callable[[Hallucinating, int], int | None]
    designed: Callable[[Site], dict[str, Any]] | None
    probed: bool


def subset(
    name: str,
    order: int,
    *,
    things: tuple[int, int],
    span: tuple[int, int],
    owes: Scope | None = None,
    questions: tuple[str, ...],
    form: Form,
    plan: Callable[[Site], Graph],
    said: Callable[[Kit, World], str],
    background: bool = False,
    placed: bool = False,
    prior: Callable[[Kit, Graph], str | None] = lambda kit, graph: None,
    first: Callable[[Hallucinating, int], int | None] = lambda own, ordinal: None,
    designed: Callable[[Site], dict[str, Any]] | None = None,
    probed: bool = False,
) -> Subset:
    """Return a subset by its parts; subsets stand behind the subtasks of other suites."""
    return Subset(
        name=name,
        order=300 + order,
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=KINDS,
        placed=placed,
        level=Level(
            things=things,
            span=span,
            background=background,
            style=False,
            weather=False,
            hops=0,
            near=0,
        ),
        scope=SCOPES[name],
        owes=owes or SCOPES[name],
        questions=questions,
        form=form,
        plan=plan,
        said=said,
        prior=prior,
        first=first,
        designed=designed,
        probed=probed,
    )
