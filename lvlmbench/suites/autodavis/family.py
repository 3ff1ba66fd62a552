"""What a family of questions is: it plans pictures for an aspect, and asks about what was drawn.

A family is one file in ``families/`` (or an entry point in the group ``lvlmbench.aspects``) that
registers a class under its name, with a model of what the catalogue may say of an aspect::

    @FAMILIES.register("mine", settings=About)
    class Mine(Family): ...
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.world import Facts, World
from lvlmbench.suites.autodavis.examiner import Examiner
from lvlmbench.suites.autodavis.settings import ExamLevel
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit


@dataclass(frozen=True)
class ExamKit(Kit):
    """Of one scene: its level, all that is drawn from, and what is known of things.

    Attributes
    ----------
    values
        Choices that are the same for all plans of a scene. What is to be right is drawn with them
        where few things have it: were it drawn again for each plan, words that are banned would
        make it rarer.
    examiner, steps
        Who asks, and from how many steps away it names things.
    """

    level: ExamLevel
    values: Draws
    examiner: Examiner
    steps: int
    facts: Facts = field(default_factory=dict)


class Family(Protocol):
    """One family of questions, made with what the catalogue says of an aspect."""

    def __init__(self, about: Any) -> None: ...

    def plan(self, kit: ExamKit) -> Graph | None:
        """Return what a picture is to show; None where the level has nothing to show.

        Each option that is offered later must be as likely to be right as any other.
        """
        ...

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Return a planned picture with one fact changed, so that an answer becomes another.

        By default there is none, and a picture has no twin.
        """
        return None

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Return what can be asked about a picture, each with four options."""
        ...


#: Families by name.
FAMILIES: Kinds[Kind] = Kinds("aspects", "lvlmbench.suites.autodavis.families", Kind)
