"""``lvlmbench overlap A B``: scenes, images and questions that two snapshots share."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_suite
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands

#: Seconds between two lines about how far it is.
_EVERY = 10


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Reads a whole number in a range."""

    def read(text: str) -> int:
        if text.isdecimal() and int(text) >= least and (most is None or int(text) <= most):
            return int(text)
        said = f"at least {least}" if most is None else f"from {least} to {most}"
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number {said}")

    return read


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "overlap", help="scenes, images and questions that two snapshots share"
    )
    parser.add_argument("a", metavar="A", help="tag, revision or folder of the older one")
    parser.add_argument("b", metavar="B", help="the same of the fresh one")
    add_suite(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--max-distance", type=_whole(0, 64), default=6, metavar="BITS",
        help="two images are alike that differ in at most so many of 64 bits (6)",
    )  # fmt: skip
    parser.add_argument(
        "--pairs",
        type=_whole(0),
        default=10,
        metavar="N",
        help="nearest pairs of images to list (10)",
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="draw those pairs side by side, as PNG"
    )
    parser.set_defaults(run=_run)


def _progress() -> Callable[[str, int], None]:
    """Says on stderr how far it is, where it takes long."""
    last = time.monotonic()

    def tell(name: str, n: int) -> None:
        nonlocal last
        if time.monotonic() - last > _EVERY:
            last = time.monotonic()
            print(f"{name}: {amount(n, 'image')} looked at", file=sys.stderr, flush=True)

    return tell


def _check_sheet(path: Path) -> None:
    """The sheet can be written: said before minutes of work."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UserError("--sheet", f"{path.parent} is no folder", "name another file") from None
    if path.is_dir():
        raise UserError("--sheet", f"{path} is a folder", "name a file in it")


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.snapshot.place import Place
    from lvlmbench.versions.overlap import overlap
    from lvlmbench.versions.overlap_words import words

    if arguments.sheet is not None:
        _check_sheet(arguments.sheet)
    here = Path.cwd()
    view_a, view_b = (
        Place.open(name, here, arguments.suite) for name in (arguments.a, arguments.b)
    )
    found = overlap(view_a, view_b, arguments.max_distance, arguments.pairs, _progress())
    if arguments.sheet is not None:
        from lvlmbench.versions.images import encoded
        from lvlmbench.versions.sheet import draw_sheet, write_sheet

        if found.pictures is None or not found.pictures.nearest:
            raise UserError(
                "--sheet", "there is no pair of images to draw", "leave it out, or raise --pairs"
            )
        pairs = found.pictures.nearest
        of_a = encoded(view_a, {pair.a for pair in pairs})
        of_b = encoded(view_b, {pair.b for pair in pairs})
        write_sheet(arguments.sheet, draw_sheet(pairs, of_a, of_b))
    if arguments.json:
        print(json.dumps(dataclasses.asdict(found), indent=1))
    else:
        print(words(found))
