"""``lvlmbench overlap A B``: scenes, images and questions that two snapshots share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lvlmbench.cli_arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "overlap", help="scenes, images and questions that two snapshots share"
    )
    parser.add_argument("a", metavar="A", help="tag, revision or folder")
    parser.add_argument("b", metavar="B", help="the same")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    raise NotImplementedError(arguments)
