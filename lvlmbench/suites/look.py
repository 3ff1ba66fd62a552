"""What a kind of suite says of a user's own folder or file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.core.errors import UserError


@dataclass(frozen=True)
class Look:
    """What a kind of suite says of a folder or a file that it was shown.

    Attributes
    ----------
    lines
        What was found, slips and what to write into the parameters included.
    mistakes
        What is to be mended first; none where all is well.
    """

    lines: Sequence[str]
    mistakes: Sequence[UserError] = ()
