"""``lvlmbench diff A B``: what changed between two versions, in words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lvlmbench.cli_arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("diff", help="what changed between two versions, in words")
    parser.add_argument("a", metavar="A", help="tag, revision or folder")
    parser.add_argument("b", metavar="B", help="the same")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    raise NotImplementedError(arguments)
