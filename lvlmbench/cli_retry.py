"""``lvlmbench retry``: questions whose requests failed are asked again by the next run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.cli_arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("retry", help="have failed questions asked again")
    parser.add_argument("--model", metavar="NAME", help="of this model alone")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.dag.retry import forget_failures

    if not Path("dvc.yaml").is_file():
        raise UserError("dvc.yaml", "is not in this folder", "go to the project's folder first")
    failed = forget_failures(arguments.model)
    if not failed:
        print("no question has failed: nothing is to be asked again")
        return
    for name, n in failed.items():
        print(f"{name}: {n:,} failed question{'s' if n > 1 else ''} will be asked again")
    print("now run: snakemake --cores all results/report.html")
    print("with the same --configfile as before, if there was one")
