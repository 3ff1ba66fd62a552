"""What a way of reading answers is: from what a model said to the option it chose.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.strategies``) that registers a function; ``label`` says in words how it reads::

    @STRATEGIES.register("mine", label="by the last letter")
    def read(answer: str, options: Sequence[str], logprobs: Logprobs) -> Choice: ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice

#: Natural logarithm of each option letter's probability, None where it is not known; None if the
#: model does not give any.
Logprobs: TypeAlias = Sequence[float | None] | None

STRATEGIES: Kinds[Kind] = Kinds("strategies", "lvlmbench.stages.score.kinds", Kind)


def read_choice(
    strategy: str, answer: str, options: Sequence[str], logprobs: Logprobs = None
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

    Raises
    ------
    UserError
        An unknown strategy.
    ValueError
        Not one of ``logprobs`` for each option.
    """
    found: Choice = STRATEGIES.get(strategy, "score.strategy")(answer, options, logprobs)
    return found
