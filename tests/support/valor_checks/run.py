"""``python -m tests.planted valor``: run checks, print a line a figure."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

from support.judge_checks.asked import Line
from support.valor_checks import checks, effects
from support.valor_checks.asked import Asked

CHECKS: dict[str, Callable[[Asked], Iterator[Line]]] = {**checks.CHECKS, **effects.CHECKS}


def main(arguments: Sequence[str]) -> int:
    """Run checks; return 1 where one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted valor", description=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    for name, default in vars(Asked()).items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"({default})")
    given = vars(parser.parse_args(arguments))
    names = given.pop("checks") or list(CHECKS)
    if unknown := sorted({*names} - {*CHECKS}):
        parser.error(f"no check {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    asked, failed = Asked(**given), False
    for name in names:
        for line in CHECKS[name](asked):
            print(line, flush=True)
            failed |= not line.holds
    return int(failed)
