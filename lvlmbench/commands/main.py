"""The console command ``lvlmbench``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from lvlmbench import __version__
from lvlmbench.commands import adaptive as cli_adaptive
from lvlmbench.commands import diff as cli_diff
from lvlmbench.commands import exam as cli_exam
from lvlmbench.commands import export_questions as cli_export_questions
from lvlmbench.commands import judge as cli_judge
from lvlmbench.commands import label as cli_label
from lvlmbench.commands import overlap as cli_overlap
from lvlmbench.commands import retry as cli_retry
from lvlmbench.commands import score as cli_score
from lvlmbench.commands import scores as cli_scores
from lvlmbench.commands import snapshot as cli_snapshot
from lvlmbench.commands import submission as cli_submission
from lvlmbench.commands import suite as cli_suite
from lvlmbench.commands import verify as cli_verify
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard


class _Parser(argparse.ArgumentParser):
    """Mistakes on the command line are one line, too."""

    def error(self, message: str) -> NoReturn:
        raise UserError(self.prog, message, f"see '{self.prog} --help'")


def _config_check(arguments: argparse.Namespace) -> None:
    from lvlmbench.engine.preflight.kinds import check_files

    print(check_files([arguments.base, *arguments.files]))


def _config_docs(arguments: argparse.Namespace) -> None:
    from lvlmbench.config import documentation

    if arguments.check:
        documentation.check()
    else:
        documentation.write()


def _hash(arguments: argparse.Namespace) -> None:
    from lvlmbench.tables import hash_folder

    for folder in arguments.folders:
        digest, rows = hash_folder(folder, frozenset(arguments.without))
        print(f"{digest}  {rows} rows  {folder}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="lvlmbench", description="Fresh benchmarks of vision-language models.")
    parser.add_argument("--version", action="version", version=f"lvlmbench {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    config = commands.add_parser("config", help="check parameter files, write their reference")
    config_commands = config.add_subparsers(metavar="COMMAND", required=True)
    check = config_commands.add_parser(
        "check", help="check parameters, vocabulary and names before anything runs"
    )
    check.add_argument("files", nargs="*", type=Path, metavar="FILE", help="laid over the base")
    check.add_argument(
        "--base", type=Path, default=Path("params.yaml"), help="lowest file (params.yaml)"
    )
    check.set_defaults(run=_config_check)
    docs = config_commands.add_parser("docs", help="write the generated documents anew")
    docs.add_argument("--check", action="store_true", help="only compare them with the code")
    docs.set_defaults(run=_config_docs)

    hashing = commands.add_parser(
        "hash", help="hash of a table's rows, whatever shards they lie in"
    )
    hashing.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folder of a table")
    hashing.add_argument(
        "--without", action="append", default=[], metavar="COLUMN", help="leave a column out"
    )
    hashing.set_defaults(run=_hash)

    for module in (
        cli_export_questions,
        cli_retry,
        cli_score,
        cli_submission,
        cli_scores,
        cli_snapshot,
        cli_verify,
        cli_diff,
        cli_overlap,
        cli_label,
        cli_judge,
        cli_suite,
        cli_exam,
        cli_adaptive,
    ):
        module.add(commands)
    return parser


@main_guard
def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parsed = _parser().parse_args(arguments)
    parsed.run(parsed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
