"""What a skill is: how its scenes are planned, and what is asked about them.

A skill is one file in ``skills/`` that registers a :class:`Skill` beside the subtasks of other
suites. It plans a graph, and asks about the layout that was measured; whether what it asks is
true, and what it offers beside it false, is for the program to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lvlmbench.scene.answers import LARGEST
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import Program, Value
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.kit import Kit

#: Numbers among which a short answer must be the only one that holds.
NUMBERS = tuple(range(LARGEST + 1))


@dataclass(frozen=True)
class Short:
    """How something is asked for a short answer.

    Attributes
    ----------
    values
        All values of the kind of the answer, a number, a color or a word that is written: of them
        the answer alone may hold. Names are none: people call things by other names.
    questions
        Phrasings that say of which kind it is; where there are none, those with options do.
    program
        A program that can be evaluated for all values, where that with options cannot.
    """

    values: Sequence[Value]
    questions: tuple[str, ...] = ()
    program: Program | None = None


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Something that can be asked about a picture.

    Attributes
    ----------
    family
        Tells questions of one skill apart.
    program
        A statement with a hole.
    questions
        Phrasings of a multiple-choice question.
    statements
        Phrasings of a statement that claims a value; None where nothing can be claimed.
    show
        How an option is written.
    answer, wrong
        What holds, and what does not, in the order in which it is offered. More wrong ones than
        options let a question about a scene and its twin offer what is right of either.
    claims
        What a false statement claims; by default what is wrong.
    options
        How many options there are to be.
    near
        How many of the wrong ones look like something that is there.
    hops
        Steps from one thing to another.
    prior
        ``with`` or ``against`` what is so in the world.
    short
        How it is asked without options; None where answers cannot be held exactly.
    """

    family: str
    program: Program
    questions: tuple[str, ...]
    show: Callable[[Value], str]
    answer: Value
    wrong: Sequence[Value]
    statements: Callable[[Value], tuple[str, ...]] | None = None
    claims: Sequence[Value] | None = None
    options: int = 4
    near: int = 0
    hops: int = 0
    prior: str | None = None
    short: Short | None = None


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


def exchanged(graph: Graph, first: int, second: int, *fields: str) -> Graph:
    """Return a graph in which two objects, by their places, have each other's fields."""
    things = list(graph.objects)
    a, b = things[first], things[second]
    things[first] = replace(a, **{name: getattr(b, name) for name in fields})
    things[second] = replace(b, **{name: getattr(a, name) for name in fields})
    return replace(graph, objects=tuple(things))


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
