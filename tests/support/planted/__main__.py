"""Plant faults and print what the filters find: precision and recall of each.

    python -m tests.support.planted [clip|ocr|all] [--weights data/pinned] [--items 300]

Each module of this package named like a filter has ``run(items, weights) -> list[Outcome]``: it
makes so many items with each kind of fault and as many good ones, judges them with the filter as
params.yaml sets it up, and prints what it got wrong. The last line printed is JSON; the exit code
is 1 where a filter finds less than it must.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from lvlmbench.core.errors import UserError

from . import Outcome

FILTERS = ("clip", "ocr")


def table(outcomes: list[Outcome]) -> str:
    """The outcomes, one a line."""
    head = f"{'filter':7}{'engine':14}{'fault':34}{'caught':>10}{'recall':>9}"
    lines = [f"{head}{'precision':>11}{'good removed':>15}"]
    for each in outcomes:
        lines.append(
            f"{each.filter:7}{each.engine:14}{each.fault:34}{each.caught:>6}/{each.faulty:<4}"
            f"{each.recall:>8.1%}{each.precision:>11.1%}"
            f"{each.rejected:>6}/{each.good:<4}{each.false_rejections:>5.1%}"
        )
    return "\n".join(lines)


#: Least share of the faults that the CLIP filter finds with some reference model.
LEAST = {
    "another scene": 0.9,
    "another foreground": 0.75,
    "another background": 0.85,
    "another style": 0.85,
}

#: Largest share of good images that a filter may remove.
MOST_LOST = 0.01


def shortfalls(outcomes: list[Outcome]) -> list[str]:
    """Where a filter finds less than it must, or removes more good images than it may."""
    clip = [each for each in outcomes if each.filter == "clip"]
    found = [
        f"clip: {fault}"
        for fault, least in LEAST.items()
        if (of := [e for e in clip if e.fault == fault])
        and not any(e.recall >= least and e.false_rejections <= MOST_LOST for e in of)
    ]
    words = [each for each in outcomes if each.filter == "ocr"]
    caught, faulty = sum(each.caught for each in words), sum(each.faulty for each in words)
    most = max((each.false_rejections for each in words), default=0.0)
    if words and (caught < 0.99 * faulty or most > MOST_LOST):
        found.append("ocr")
    return found


def main() -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.planted", description=__doc__)
    parser.add_argument("filter", nargs="?", choices=(*FILTERS, "all"), default="all")
    parser.add_argument("--weights", type=Path, default=Path("data/pinned"))
    parser.add_argument("--items", type=int, default=300, help="items of each kind")
    args = parser.parse_args()
    outcomes: list[Outcome] = []
    try:
        for name in FILTERS if args.filter == "all" else (args.filter,):
            module = importlib.import_module(f"{__package__}.{name}")
            outcomes += module.run(args.items, args.weights)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(table(outcomes))
    missed = shortfalls(outcomes)
    for each in missed:
        print(f"finds less than it must: {each}")
    print(json.dumps([each.row() for each in outcomes]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
