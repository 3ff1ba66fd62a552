"""``lvlmbench verify NAME``: check files, then make again what is exact everywhere."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lvlmbench.cli_arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify", help="check that a pinned version is what its manifest says"
    )
    parser.add_argument("name", metavar="NAME", help="of the version")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    raise NotImplementedError(arguments)
