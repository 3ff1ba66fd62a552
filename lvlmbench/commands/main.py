"""The console command ``lvlmbench``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

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
from lvlmbench.core.errors import UserError, meant, meant_or, not_here
from lvlmbench.core.guard import main_guard

#: What argparse says of a value that is none of those there are.
_CHOICE = re.compile(r"invalid choice: '(?P<name>.*?)' \(choose from (?P<known>.*)\)")


class _Parser(argparse.ArgumentParser):
    """Mistakes on the command line are one line, too."""

    def error(self, message: str) -> NoReturn:
        fix = f"see '{self.prog} --help'"
        if (wrong := _CHOICE.search(message)) is not None:
            known = re.findall(r"'([^']*)'", wrong["known"])
            message = f"{message[: wrong.start()]}there is no '{wrong['name']}'"
            fix = meant_or(wrong["name"], known)
        raise UserError(self.prog, message, fix)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; what the command does not know is told by the command, with what it does know."""
        parsed, strange = self.parse_known_args(args, namespace)
        if strange:
            self._named(sys.argv[1:] if args is None else [*args])._unknown(strange[0])
        return parsed

    def _named(self, words: Sequence[str]) -> _Parser:
        """The parser of the command that words name."""
        for action in self._actions:
            choices = action.choices if isinstance(action.choices, dict) else {}
            for at, word in enumerate(words):
                if isinstance(found := choices.get(word), _Parser):
                    return found._named(words[at + 1 :])
        return self

    def _unknown(self, word: str) -> NoReturn:
        known = [name for name in self._option_string_actions if name.startswith("--")]
        option = word.partition("=")[0]
        see = f"see '{self.prog} --help'"
        fix = meant(option, known, see) if word.startswith("-") else see
        raise UserError(self.prog, f"does not know '{word}'", fix)


def _check_base(base: Path) -> None:
    """The lowest file is there, where nobody named another."""
    if base == Path("params.yaml") and not base.is_file():
        raise not_here(str(base))


def _config_check(arguments: argparse.Namespace) -> None:
    from lvlmbench.engine.preflight.project import check_files

    _check_base(arguments.base)
    print(check_files([arguments.base, *arguments.files]))


def _config_write(arguments: argparse.Namespace) -> None:
    from lvlmbench.config import load_project
    from lvlmbench.config.writing import write_layers
    from lvlmbench.core.amounts import amount
    from lvlmbench.engine.dvc_file import LOCK, drop_from_lock

    _check_base(arguments.base)
    write_layers(arguments.base, arguments.files)
    print(f"{arguments.base}: holds what these say; 'git diff' shows it")
    if arguments.base.name != "params.yaml":  # DVC reads no other
        return
    root = arguments.base.parent
    if gone := drop_from_lock(root, load_project(arguments.base)):
        what = f"{amount(gone, 'stage')} left out that params.yaml no longer has"
        print(f"{root / LOCK}: {what}; 'git checkout {LOCK}' brings them back")


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

    over, lowest = "laid over the base", "lowest file (params.yaml)"
    config = commands.add_parser(
        "config", help="check parameter files, write one into params.yaml, write their reference"
    )
    config_commands = config.add_subparsers(metavar="COMMAND", required=True)
    check = config_commands.add_parser(
        "check", help="check parameters, vocabulary and names before anything runs"
    )
    write = config_commands.add_parser(
        "write", help="write what files say into params.yaml, which DVC and versions read alone"
    )
    for parser_, many, run in ((check, "*", _config_check), (write, "+", _config_write)):
        parser_.add_argument("files", nargs=many, type=Path, metavar="FILE", help=over)
        parser_.add_argument("--base", type=Path, default=Path("params.yaml"), help=lowest)
        parser_.set_defaults(run=run)
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
