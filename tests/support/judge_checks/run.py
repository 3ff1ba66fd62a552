"""``python -m tests.planted judges``: run checks, print a line a figure."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from support.judge_checks import compared, estimates, honest, robust
from support.judge_checks.asked import Asked, Line

CHECKS: dict[str, Callable[[Asked], Iterator[Line]]] = {
    **honest.CHECKS,
    **robust.CHECKS,
    **compared.CHECKS,
    **estimates.CHECKS,
}


def main(arguments: Sequence[str]) -> int:
    """Run checks; return 1 where one fails."""
    return run("judges", CHECKS, Asked, arguments)


def run(
    group: str,
    checks: Mapping[str, Callable[[Any], Iterator[Line]]],
    asking: Callable[..., Any],
    arguments: Sequence[str],
) -> int:
    """Run checks of a group, and print a line a figure; return 1 where one fails."""
    about = f"python -m tests.planted {group}"
    parser = argparse.ArgumentParser(prog=about, description="Run checks, print a line a figure.")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(checks))
    for name, default in vars(asking()).items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"({default})")
    given = vars(parser.parse_args(arguments))
    names = given.pop("checks") or list(checks)
    if unknown := sorted({*names} - {*checks}):
        parser.error(f"no check {', '.join(unknown)}; there are {', '.join(checks)}")
    asked, failed = asking(**given), False
    for name in names:
        for line in checks[name](asked):
            print(line, flush=True)
            failed |= not line.holds
    return int(failed)
