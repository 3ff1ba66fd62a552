"""``lvlmbench snapshot NAME``: pin what lies here, to be shared."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lvlmbench.cli_arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("snapshot", help="pin what lies here as a version to share")
    parser.add_argument("name", metavar="NAME", help="of the version and of its git tag")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    raise NotImplementedError(arguments)
