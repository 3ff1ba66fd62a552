"""Strategy ``dysca``: the paper's own way (Dysca, section 3.4), as its text has it.

"We use regular expressions to extract the model's answer choices. For cases where the extraction
is fail, we calculate the Levenshtein distance between the answer string and the choice string, and
select the option with the minimum distance as the model's answer." The text does not
give the expression. Here it is the plainest one: an option's capital letter that stands by itself,
the first of them. The published code has another, and other faults: ``published.py`` beside this.
The rule knows no way to choose nothing: refusals and empty answers get an option too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from lvlmbench.stages.score.strategy import STRATEGIES, Logprobs

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice


@lru_cache(maxsize=32)
def _letter(n: int) -> re.Pattern[str]:
    """The capital letters of ``n`` options, with no letter, digit or underscore beside them."""
    return re.compile(rf"\b[A-{chr(ord('A') + n - 1)}]\b")


def dysca_choice(
    answer: str, options: Sequence[str]
) -> tuple[int, Literal["letter", "edit_distance"]]:
    """Index of the chosen option, and how it was found.

    The strings are compared as they stand: case, spaces and punctuation count. Of equally near
    options the first is taken.

    Parameters
    ----------
    answer
        What the model said; may be empty.
    options
        1 to 26 option texts, lettered A, B, C ... in order.
    """
    letter = _letter(len(options)).search(answer)
    if letter:
        return ord(letter.group()) - ord("A"), "letter"
    from rapidfuzz.distance import Levenshtein

    distances = [Levenshtein.distance(answer, option) for option in options]
    return distances.index(min(distances)), "edit_distance"


@STRATEGIES.register(
    "dysca",
    place=2,
    label="by the rule of the paper (Dysca, section 3.4), so that its figures can be compared",
)
def read(answer: str, options: Sequence[str], logprobs: Logprobs) -> Choice:
    """Read by the paper's rule, which always chooses."""
    from lvlmbench.stages.score.choice import NO_CHOICE, Choice

    return Choice(*dysca_choice(answer, options)) if options else NO_CHOICE
