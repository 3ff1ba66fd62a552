"""``lvlmbench submission``: questions and answers in the form of another evaluation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_snapshot, open_snapshot
from lvlmbench.config.scenarios import CLEAN

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("submission", help="write answers for another evaluation")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    write = inner.add_parser(
        "write", help="write a table as TouchStone's, with pictures and answers in it"
    )
    add_snapshot(write)
    write.add_argument("--model", metavar="NAME", help="whose answers (the questions alone)")
    write.add_argument("--scenario", default=CLEAN, metavar="NAME", help="which one (clean)")
    write.add_argument("--out", type=Path, required=True, metavar="FILE", help="new file, FILE.tsv")
    write.set_defaults(run=_write)


def _write(arguments: argparse.Namespace) -> None:
    from lvlmbench.stages.answer.asked import Asked
    from lvlmbench.submissions.released_table import write_table

    snapshot = open_snapshot(Asked, arguments)
    print(write_table(snapshot, arguments.out, arguments.scenario, arguments.model))
