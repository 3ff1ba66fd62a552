"""``python -m tests.planted valor``: run checks, print a line a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from support.judge_checks.asked import Line
from support.judge_checks.run import run
from support.valor_checks import checks, effects, pixels
from support.valor_checks.asked import Asked

CHECKS: dict[str, Callable[[Asked], Iterator[Line]]] = {
    **checks.CHECKS,
    **effects.CHECKS,
    **pixels.CHECKS,
}


def main(arguments: Sequence[str]) -> int:
    """Run checks; return 1 where one fails."""
    return run("valor", CHECKS, Asked, arguments)
