"""What subcommands share on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]


def add_snapshot(
    parser: argparse.ArgumentParser, suite: bool = True, required: bool = True
) -> None:
    """The snapshot that a command is about, parameters laid over its own, and which ``suite``.

    It is this folder, where it need not be named.
    """
    parser.add_argument(
        "--snapshot", type=Path, required=required, default=None if required else Path(),
        metavar="DIR", help=f"holds params.yaml and data{'' if required else ' (.)'}",
    )  # fmt: skip
    parser.add_argument(
        "--config", action="append", default=[], type=Path, metavar="FILE",
        help="parameters laid over those of the snapshot",
    )  # fmt: skip
    if suite:
        add_suite(parser)


def add_suite(parser: argparse.ArgumentParser) -> None:
    """The suite that a command is about."""
    parser.add_argument(
        "--suite", metavar="NAME", help="the suite; may be left out where it is alone"
    )
