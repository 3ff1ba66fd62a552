"""What a skill is: how its scenes are planned, and what is asked about them.

A skill is one file in ``skills/`` that registers a :class:`Skill` beside the subtasks of other
suites. It plans a graph, and asks about the layout that was measured; whether what it asks is
true, and what it offers beside it false, is for the program to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.kit import Kit


@dataclass(frozen=True, kw_only=True)
class Skill(Subtask):
    """A subtask of composed scenes.

    Attributes
    ----------
    plan
        Returns what a scene is to show.
    ask
        Returns what can be asked about what it shows.
    twin
        Returns the same scene with one fact changed, so that an answer becomes another.
    """

    plan: Callable[[Kit], Graph]
    ask: Callable[[Kit, World], list[Ask]]
    twin: Callable[[Kit, Graph], Graph]


def skill(
    name: str,
    order: int,
    plan: Callable[[Kit], Graph],
    ask: Callable[[Kit, World], list[Ask]],
    twin: Callable[[Kit, Graph], Graph],
    *,
    written: bool = False,
    placed: bool = False,
) -> Skill:
    """Return a skill by its parts; skills stand behind all subtasks of other suites."""
    return Skill(
        name=name,
        order=100 + order,
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=("composed",),
        written=written,
        placed=placed,
        plan=plan,
        ask=ask,
        twin=twin,
    )
