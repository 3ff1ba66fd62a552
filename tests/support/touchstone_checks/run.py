"""``python -m tests.planted touchstone``: run checks, print a line a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from support.judge_checks.asked import Line
from support.judge_checks.run import run
from support.touchstone_checks import points, replies, texts, values
from support.touchstone_checks.asked import Asked

CHECKS: dict[str, Callable[[Asked], Iterator[Line]]] = {
    **points.CHECKS,
    **texts.CHECKS,
    **values.CHECKS,
    **replies.CHECKS,
}


def main(arguments: Sequence[str]) -> int:
    """Run checks; return 1 where one fails."""
    return run("touchstone", CHECKS, Asked, arguments)
