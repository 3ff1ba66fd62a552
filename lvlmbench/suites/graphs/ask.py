"""What can be asked about a picture of several things, and how an answer is offered.

Whether what is asked is true, and what is offered beside it false, is for the program to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lvlmbench.scene.answers import LARGEST
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import Program, Value

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
    least
        So many of these are offered at least, or nothing is asked.
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
    least: int = 0
    hops: int = 0
    prior: str | None = None
    short: Short | None = None


def exchanged(graph: Graph, first: int, second: int, *fields: str) -> Graph:
    """Return a graph in which two objects, by their places, have each other's fields."""
    things = list(graph.objects)
    a, b = things[first], things[second]
    things[first] = replace(a, **{name: getattr(b, name) for name in fields})
    things[second] = replace(b, **{name: getattr(a, name) for name in fields})
    return replace(graph, objects=tuple(things))
