"""What a judge is: it reads claims out of answers, holds them against the truth, compares answers.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.judges``) that registers what makes a :class:`Judge`::

    @JUDGES.register("mine", settings=MySettings)
    def make(params: Params, judge: JudgeParams) -> Judge: ...

A judge is given answers and features by their numbers. It never learns whose answer it reads, nor
which of two was asked for first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.scene.claims import ANYTHING, Claim, Match, Scope, Truth

#: Types of questions whose answers are free text, which all judges read that name no others.
FREE_TEXT = ("free_form",)

#: What may come of judging.
Status = Literal["judged", "unjudged", "refused", "malformed", "error", "timeout"]


@dataclass(frozen=True)
class Answer:
    """An answer under judgement.

    Attributes
    ----------
    key
        Names it among those that are judged.
    question, text
        What was asked, and what came back.
    truth
        What is so in the picture.
    description
        What stands for the picture; None where the truth does.
    unread
        Characters of the text, as (first, one past the last), of which whoever read it could make
        nothing sure.
    """

    key: str
    question: str
    text: str
    truth: Truth
    description: str | None = None
    unread: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a judge reads in an answer; ``why`` says in one line why there is nothing.

    ``unread`` is as of :class:`Answer`.
    """

    status: Status
    claims: tuple[Claim, ...] = ()
    why: str | None = None
    unread: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Holding:
    """What became of an answer's claims, one match a claim.

    ``unsure`` names the owed features of which the judge cannot tell whether they are stated.
    """

    status: Status
    matches: tuple[Match, ...] = ()
    why: str | None = None
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two answers to one question, in the order in which they are shown.

    Attributes
    ----------
    description
        What stands for the picture; None where the truth does.
    turns
        What was said before, as (question, answer).
    forms
        Forms of the one value that decides whether an answer is right; none where none does.
    rivals
        Other values of its kind, which a right answer does not give.
    scope
        What of the picture answers are to speak of.
    taste
        Whether what is seen decides nothing, so that a language model alone can judge.
    """

    key: str
    question: str
    first: str
    second: str
    truth: Truth
    description: str | None = None
    turns: tuple[tuple[str, str], ...] = ()
    forms: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    scope: Scope = ANYTHING
    taste: bool = False


@dataclass(frozen=True)
class Comparison:
    """How good two answers are, 1 to 10 each, in the order in which they were shown.

    ``why`` says in one line why there are no scores; ``reasons`` what the judge says of them.
    """

    status: Status
    first: float | None = None
    second: float | None = None
    why: str | None = None
    reasons: str | None = None


@dataclass(frozen=True)
class Rating:
    """How much of an answer is made up, 0 (nothing) to 10 (all)."""

    status: Status
    invented: float | None = None
    why: str | None = None


class Judge(Protocol):
    """A judge. Each method yields one result an item, in any order, each as soon as it is there."""

    @property
    def requests(self) -> Sequence[Mapping[str, Any]]:
        """Rows of the table ``requests`` about what was asked so far; none of an embedded one."""
        ...

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers."""
        ...

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Hold claims against the truth; each claim gets one match."""
        ...

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare the answers of pairs, each in the one order that is given."""
        ...

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Say how much of each answer is made up."""
        ...


@dataclass(frozen=True, kw_only=True)
class JudgeKind(Kind):
    """A registered judge.

    Attributes
    ----------
    served
        Whether it is asked over requests, which cost time and money.
    reads
        Types of questions whose answers it judges.
    """

    served: bool = False
    reads: tuple[str, ...] = FREE_TEXT


#: Kinds of judges by name.
JUDGES: Kinds[JudgeKind] = Kinds("judges", "lvlmbench.stages.judge.kinds", JudgeKind)
