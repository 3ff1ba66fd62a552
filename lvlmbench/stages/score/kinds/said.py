"""Strategy ``lvlmbench``: ours, by what the answer says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lvlmbench.stages.score.strategy import STRATEGIES, Logprobs

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice


@STRATEGIES.register(
    "lvlmbench",
    place=1,
    abstains=True,
    asked=True,
    label="by what the answer says; an answer that chooses nothing is none",
)
def read(answer: str, options: Sequence[str], logprobs: Logprobs, question: str) -> Choice:
    """Read the answer's words, and what they say of the question's."""
    from lvlmbench.stages.score.choice import extract_choice

    return extract_choice(answer, options, question)
