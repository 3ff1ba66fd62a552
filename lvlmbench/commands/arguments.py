"""What subcommands share on the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from lvlmbench.config import Project
    from lvlmbench.snapshot.reader import Snapshot

    S = TypeVar("S", bound=Snapshot)
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
        help="parameters laid over params.yaml (default: those that the last run there was given)",
    )  # fmt: skip
    if suite:
        add_suite(parser)


def add_suite(parser: argparse.ArgumentParser) -> None:
    """The suite that a command is about."""
    parser.add_argument(
        "--suite", metavar="NAME", help="the suite; may be left out where it is alone"
    )


def project_of(arguments: argparse.Namespace, suite: str | None) -> Project:
    """Return the parameters of the snapshot that a command is about: those that are named, else
    those that the last run there was given, where what is there is of these; else params.yaml.

    Raises
    ------
    UserError
        There is no such folder, or the parameters are wrong.
    """
    from lvlmbench.snapshot.reader import project_in
    from lvlmbench.versions.outdated import outdated, parameters

    root = arguments.snapshot
    told = [] if arguments.config else parameters(root)
    having = [each for each in told if suite is None or suite in each.project.suites]
    found = [
        each
        for each in having
        if outdated(root, suite or next(iter(each.project.suites)), [each]) is None
    ]
    last = next(iter([*found, *having]), None)
    if last is None:
        return project_in(root, arguments.config)
    if last.files[1:] or last.config:
        print(f"parameters as the last run had them: {last.words}", file=sys.stderr)
    return last.project


def open_snapshot(kind: type[S], arguments: argparse.Namespace) -> S:
    """Open the suite of the snapshot that a command is about; see :func:`project_of`.

    Raises
    ------
    UserError
        There is no such folder or suite, or the parameters are wrong.
    """
    project = project_of(arguments, arguments.suite)
    return kind.of(project, arguments.snapshot, arguments.suite)
