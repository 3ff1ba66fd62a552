"""What a way of reading answers is: from what a model said to the option it chose.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.strategies``) that registers a function; ``label`` says in words how it reads::

    @STRATEGIES.register("mine", label="by the last letter")
    def read(answer: str, options: Sequence[str], logprobs: Logprobs) -> Choice: ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice

#: Natural logarithm of each option letter's probability, None where it is not known; None if the
#: model does not give any.
Logprobs: TypeAlias = Sequence[float | None] | None


@dataclass(frozen=True, kw_only=True)
class Strategy(Kind):
    """A way of reading.

    Attributes
    ----------
    abstains
        Whether it chooses nothing where an answer says that no option fits, and tells so. Of other
        strategies :func:`fits_nothing` finds it out.
    asked
        Whether it reads an answer beside its question, its fourth argument.
    """

    abstains: bool = False
    asked: bool = False


STRATEGIES: Kinds[Strategy] = Kinds("strategies", "lvlmbench.stages.score.kinds", Strategy)


def read_choice(
    strategy: str,
    answer: str,
    options: Sequence[str],
    logprobs: Logprobs = None,
    question: str = "",
) -> Choice:
    """Return the option that an answer chooses.

    Parameters
    ----------
    strategy
        ``score.strategy``.
    answer
        What the model said. An answer that failed (status other than answered) has no choice and
        is not to be read.
    options
        At most 26 option texts.
    question
        What was asked; empty where it is not known.

    Raises
    ------
    UserError
        An unknown strategy.
    ValueError
        Not one of ``logprobs`` for each option.
    """
    kind = STRATEGIES.get(strategy, "score.strategy")
    found: Choice = kind(answer, options, logprobs, *[question] * kind.asked)
    return found


def fits_nothing(strategy: str, answer: str, options: Sequence[str]) -> bool:
    """Whether an answer says that no option fits, from which a strategy has read a choice even so.

    Parameters
    ----------
    strategy
        ``score.strategy``; one that abstains reads no choice from such an answer.
    """
    from lvlmbench.stages.score.choice import NONE_OF_OPTIONS, extract_choice

    if STRATEGIES.get(strategy, "score.strategy").abstains:
        return False
    return extract_choice(answer, options) == NONE_OF_OPTIONS
