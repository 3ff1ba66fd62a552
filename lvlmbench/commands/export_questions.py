"""``lvlmbench export-questions``: what a program needs that asks a model elsewhere."""

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
    parser = commands.add_parser(
        "export-questions", help="write questions and images for a model that is asked elsewhere"
    )
    add_snapshot(parser)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="new folder to write into"
    )
    parser.add_argument(
        "--scenario", nargs="+", default=[CLEAN], metavar="NAME", help="which ones (clean)"
    )
    parser.add_argument(
        "--format", choices=("jsonl", "csv", "parquet"), default="jsonl",
        help="of the file of questions (jsonl)",
    )  # fmt: skip
    parser.add_argument(
        "--images", choices=("files", "embedded", "none"), default="files",
        help="as files beside it, inside it, or not at all (files)",
    )  # fmt: skip
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.stages.answer.asked import Asked
    from lvlmbench.submissions.export import export_questions

    snapshot = open_snapshot(Asked, arguments)
    print(
        export_questions(
            snapshot, arguments.out, arguments.scenario, arguments.format, arguments.images
        )
    )
