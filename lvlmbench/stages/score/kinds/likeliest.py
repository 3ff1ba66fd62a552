"""Strategy ``logprobs``: the likeliest letter as the first token, where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lvlmbench.stages.score.strategy import STRATEGIES, Logprobs

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice


@STRATEGIES.register(
    "logprobs",
    place=4,
    asked=True,
    label="as the likeliest letter of the first token where the server told it, else by what the "
    "answer says",
)
def read(answer: str, options: Sequence[str], logprobs: Logprobs, question: str) -> Choice:
    """Take the likeliest letter; where none is known, or two are likeliest, read the words."""
    from lvlmbench.stages.score.choice import LIKELIEST, Choice, extract_choice

    if logprobs is not None and len(logprobs) != len(options):
        raise ValueError(f"{len(logprobs)} logprobs for {len(options)} options")
    known = [p for p in logprobs or () if p is not None and p == p]
    if logprobs is None or not known or known.count(max(known)) > 1:
        return extract_choice(answer, options, question)
    return Choice(logprobs.index(max(known)), LIKELIEST)
