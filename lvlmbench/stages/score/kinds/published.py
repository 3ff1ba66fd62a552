"""Strategy ``dysca_code``: as the code that Dysca's authors published reads a choice.

The rule of ``evaluate_LVLMs/Dysca_compute.py`` (Robin-WZQ/Dysca, commit ac202cb), written anew. It
is here so that figures which that code computed can be compared; its faults are kept with it:

- The last letter in brackets counts, else the last capital letter anywhere, within words and names,
  too: "B, a cat from New York" is Y.
- A letter that is no option's takes the place of the whole answer. Next to it the option with the
  shortest text is the nearest, or one that has this capital.
- The distance is that to "(A) text", so that short options are near to short answers. Small letters
  and capitals differ, and of equals the last is taken.
- It knows no way to choose nothing: a refusal is some option, an empty answer the shortest one,
  which of True and False is True.

One fault is left out, as it is none of the rule: the code looks for the options behind a line
"Choices:", which the multiple-choice questions of its own generator lack, so that each letter means
the option before its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from lvlmbench.stages.score.strategy import STRATEGIES, Logprobs

if TYPE_CHECKING:
    from lvlmbench.stages.score.choice import Choice

_BRACKETED = re.compile(r"(?<=\()[A-Za-z](?=\))")
_CAPITAL = re.compile(r"[A-Z]")


def code_choice(
    answer: str, options: Sequence[str]
) -> tuple[int, Literal["letter", "edit_distance"]]:
    """Return the index of the chosen option, and how it was found.

    Parameters
    ----------
    answer
        What the model said; may be empty.
    options
        1 to 26 option texts, lettered A, B, C ... in order.
    """
    said = answer.strip()
    letters = _BRACKETED.findall(said) or _CAPITAL.findall(said)
    if letters:
        said = letters[-1].upper()
        index = ord(said) - ord("A")
        if index < len(options):
            return index, "letter"
    from rapidfuzz.distance import Levenshtein

    lines = (f"({chr(ord('A') + i)}) {option}" for i, option in enumerate(options))
    distances = [Levenshtein.distance(said, line) for line in lines]
    nearest = min(distances)
    return max(i for i, each in enumerate(distances) if each == nearest), "edit_distance"


@STRATEGIES.register(
    "dysca_code",
    place=3,
    label="by the rule of Dysca's published code, so that what it scored can be compared",
)
def read(answer: str, options: Sequence[str], logprobs: Logprobs) -> Choice:
    """Read by the code's rule, which always chooses."""
    from lvlmbench.stages.score.choice import NO_CHOICE, Choice

    return Choice(*code_choice(answer, options)) if options else NO_CHOICE
