"""``lvlmbench score``: answers that another program collected join the leaderboard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_snapshot, open_snapshot

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("score", help="score a file of answers beside all other models")
    add_snapshot(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--answers", type=Path, metavar="FILE", help="FILE.jsonl, .csv, .tsv or .parquet"
    )
    what.add_argument("--remove", action="store_true", help="drop a model that was submitted")
    parser.add_argument("--model", required=True, metavar="NAME", help="its name in all tables")
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        help="the one that FILE is about (what its rows say, or clean)",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.stages.answer.asked import Asked
    from lvlmbench.submissions.run import drop, submit

    snapshot = open_snapshot(Asked, arguments)
    if arguments.remove:
        lines = drop(snapshot, arguments.model)
    else:
        lines = submit(snapshot, arguments.answers, arguments.model, arguments.scenario)
    for line in lines:
        print(line)
