"""What a drawn task is: how its scenes are planned, and what is asked about them.

A task is one file in ``tasks/`` that registers a :class:`DrawnTask` beside the subtasks of other
suites. Which ability it is of, and what decides how good an answer is, says
:data:`lvlmbench.suites.dialogue.TASKS` (TouchStone, section 3.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from lvlmbench.scene.claims import Scope
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.world import World
from lvlmbench.suites.dialogue import KINDS, TASKS
from lvlmbench.suites.graphs.level import Level
from lvlmbench.suites.touchstone.describing import describe as described
from lvlmbench.suites.touchstone.kit import TaskKit

#: Where the first task stands among all subtasks.
_FIRST = 400


class Turn(NamedTuple):
    """What was said before a question, which is true."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked about a picture.

    Attributes
    ----------
    question
        As it stands by itself.
    answer
        The reference: a sentence or more, true and helpful.
    accepted
        Forms of the one value that decides whether an answer is right, the value first; none
        where there is no such value.
    rivals
        Other values of its kind that the picture shows, or that are easily said instead.
    owes
        Where no value decides: names of the features that an answer is to say, as ``o1`` and
        ``o1.color``. Of tasks that owe by kind it is what the task says.
    before
        What may have been said before it; nothing where it has no earlier turns.
    behind
        How it is asked behind those turns; None leaves it as it is.
    description
        What stands for the picture; by default what the task's ``describe`` says.
    hops, near, prior
        As of :class:`lvlmbench.suites.graphs.ask.Ask`.
    """

    question: str
    answer: str
    accepted: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    owes: frozenset[str] = frozenset()
    before: tuple[Turn, ...] = ()
    behind: str | None = None
    description: str | None = None
    hops: int = 0
    near: int = 0
    prior: str | None = None


@dataclass(frozen=True, kw_only=True)
class DrawnTask(Subtask):
    """A subtask of this suite.

    Attributes
    ----------
    level
        How much its pictures show, how large, and before what.
    plan
        Returns what a scene is to show.
    ask
        Returns what is asked about a picture; None where nothing can surely be asked. It must
        follow from what was measured, never from the plan.
    describe
        Returns the text that stands for a picture, true by what was measured.
    scope
        What of a free answer counts; None where all does.
    owes
        What of a picture an answer is to say: all else may be said. None where each question says
        so by itself.
    """

    level: Level
    plan: Callable[[TaskKit], Graph]
    ask: Callable[[TaskKit, World], Asked | None]
    describe: Callable[[TaskKit, World], str]
    scope: Scope | None
    owes: Scope | None


#: Nothing is owed.
_NOTHING = Scope(())


def drawn(
    name: str,
    *,
    things: tuple[int, int],
    span: tuple[int, int],
    plan: Callable[[TaskKit], Graph],
    ask: Callable[[TaskKit, World], Asked | None],
    describe: Callable[[TaskKit, World], str] = described,
    background: bool = False,
    style: bool = False,
    weather: bool = False,
    hops: int = 0,
    near: int = 0,
    placed: bool = False,
    written: bool = False,
    scope: Scope | None = None,
    owes: Scope | None = _NOTHING,
) -> DrawnTask:
    """Return a task by its parts; tasks stand in Figure 1's order behind other suites' subtasks."""
    return DrawnTask(
        name=name,
        order=_FIRST + [*TASKS].index(name),
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=KINDS,
        label=TASKS[name].label,
        placed=placed,
        written=written,
        level=Level(
            things=things,
            span=span,
            background=background,
            style=style,
            weather=weather,
            hops=hops,
            near=near,
        ),
        plan=plan,
        ask=ask,
        describe=describe,
        scope=scope,
        owes=owes,
    )


def not_drawn(name: str) -> Subtask:
    """Return a task of which no scene is drawn: a user's own copy of the questions has it."""
    return Subtask(
        name=name,
        order=_FIRST + [*TASKS].index(name),
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=KINDS[1:],
        label=TASKS[name].label,
    )
