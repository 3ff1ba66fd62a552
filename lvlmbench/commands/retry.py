"""``lvlmbench retry``: what failed, or was cut off, is asked again by the next run."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("retry", help="have what failed, or was cut off, asked again")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="of this model, judge, examiner, planner or validator alone",
    )
    parser.add_argument(
        "--truncated", action="store_true", help="answers that were cut off, with more tokens"
    )
    parser.add_argument("--max-tokens", type=int, metavar="N", help="how many; for --truncated")
    parser.add_argument(
        "--configfile",
        type=Path,
        default=Path("params.yaml"),
        metavar="FILE",
        help="the file that lists the models; with --truncated the limit is written into it",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    if not Path("dvc.yaml").is_file():
        raise UserError("dvc.yaml", "is not in this folder", "go to the project's folder first")
    if arguments.truncated:
        _truncated(arguments)
        return
    if arguments.max_tokens is not None:
        raise UserError("--max-tokens", "is for answers that were cut off", "add --truncated")
    from lvlmbench.engine.retry import forget_failures

    failed = forget_failures(arguments.model)
    if not failed:
        print("no question has failed: nothing is to be asked again")
        return
    for name, n in failed.items():
        print(f"{name}: {amount(n, 'failed question')} will be asked again")
    print(_again(arguments.configfile))


def _again(file: Path) -> str:
    """What to do next: as the last run was, unless a file is named."""
    from lvlmbench.versions.outdated import parameters

    over = f" CONFIG={shlex.quote(str(file))}"
    if file == Path("params.yaml"):
        over = ""
        last = next(iter(parameters(Path())), None)
        if last is not None and (last.files[1:] or last.config):
            return f"now {last.command}"
    return f"now run the same command as before, such as: make report{over}"


def _truncated(arguments: argparse.Namespace) -> None:
    from lvlmbench.config.writing import write_limit
    from lvlmbench.engine.retry import truncated

    cut = truncated(arguments.model)
    if not cut:
        print("no answer was cut off: nothing is to be asked again")
        return
    for name, n in cut.items():
        print(f"{name}: {n:,} answer{'s were' if n > 1 else ' was'} cut off")
    if arguments.max_tokens is None:
        raise UserError("--max-tokens", "is missing", "say how many tokens they may take now")
    for name in cut:
        key = write_limit(arguments.configfile, name, arguments.max_tokens)
        print(f"{arguments.configfile}: {name}: {key} is now {arguments.max_tokens:,}")
    print("what was answered is kept; those that were cut off are asked again, with more tokens")
    print(_again(arguments.configfile))
