"""``lvlmbench suite``: what suites make of a user's own files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import USER_ERROR

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.suites.look import Look


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("suite", help="look at a user's own files before they are used")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    check = inner.add_parser("check", help="count what a folder holds, and say what is wrong in it")
    check.add_argument("folder", type=Path, metavar="DIR", help="a copy of VALOR-Bench")
    check.add_argument(
        "--images", type=Path, metavar="DIR", help="folder of its pictures, where it is another"
    )
    check.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> None:
    folder: Path = arguments.folder
    if not folder.is_dir():
        raise UserError(str(folder), "is not a folder", "name the one that holds the files")
    found = _look(folder, arguments.images)
    for line in found.lines:
        print(line, flush=True)
    for mistake in found.mistakes:
        print(mistake, file=sys.stderr)
    if found.mistakes:
        raise SystemExit(USER_ERROR)


def _look(folder: Path, images: Path | None) -> Look:
    """What the kind of suite finds that knows the folder."""
    from lvlmbench.suites.suite import SUITES

    for kind in SUITES.ordered():
        found: Look | None = kind().look(folder, images)
        if found is not None:
            return found
    raise UserError(
        str(folder),
        "holds no files that a kind of suite reads",
        "docs/valor.md says what belongs there",
    )
