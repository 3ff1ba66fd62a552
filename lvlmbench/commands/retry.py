"""``lvlmbench retry``: what failed, or was cut off, is asked again by the next run."""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError, not_here

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands


_BASE = Path("params.yaml")


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("retry", help="have what failed, or was cut off, asked again")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="of this model, judge, examiner, planner or validator alone",
    )
    parser.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="of a run with 'snakemake --directory DIR', such as demo (.)",
    )
    parser.add_argument(
        "--truncated", action="store_true", help="answers that were cut off, with more tokens"
    )
    parser.add_argument("--max-tokens", type=int, metavar="N", help="how many; for --truncated")
    parser.add_argument(
        "--configfile",
        type=Path,
        metavar="FILE",
        help="the file that lists the models (default: of those of the last run); with --truncated "
        "the limit is written into it",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    if not Path("dvc.yaml").is_file():
        raise not_here("dvc.yaml")
    if not arguments.directory.is_dir():
        where, fix = f"--directory {arguments.directory}", "name the folder of the run"
        raise UserError(where, "is not a folder", fix)
    if arguments.configfile is not None and not arguments.configfile.is_file():
        where = f"--configfile {arguments.configfile}"
        raise UserError(where, "is no file", "name the one that lists the models, or leave it out")
    if arguments.truncated:
        _truncated(arguments)
        return
    if arguments.max_tokens is not None:
        raise UserError("--max-tokens", "is for answers that were cut off", "add --truncated")
    from lvlmbench.engine.retry import forget_failures

    with contextlib.chdir(arguments.directory):
        failed = forget_failures(arguments.model)
    if not failed:
        print("no question has failed: nothing is to be asked again")
        return
    for name, n in failed.items():
        print(f"{name}: {amount(n, 'failed question')} will be asked again")
    for line in _unlisted(failed, arguments.directory):
        print(line)
    print(_again(arguments.configfile, arguments.directory))


def _unlisted(failed: Iterable[str], root: Path) -> Iterator[str]:
    """A line for each model whose answers failed and that the last run has not asked: the same
    command would not ask it."""
    from lvlmbench.versions.outdated import parameters

    last = next(iter(parameters(root)), None)
    if last is None:
        return
    listed = {model.name for model in last.project.answer.models}
    named = (name.split("/") for name in failed)
    asked = dict.fromkeys(parts[1] for parts in named if parts[0] in last.project.suites)
    for model in asked:
        if model not in listed:
            yield f"{model}: {last.words} does not list it; run with the file that does"


def _again(file: Path | None, root: Path) -> str:
    """What to do next: as the last run in a folder was, unless a file is named."""
    from lvlmbench.versions.outdated import parameters

    over = "" if file in (None, _BASE) else f" CONFIG={shlex.quote(str(file))}"
    last = next(iter(parameters(root)), None)
    apart = root != Path()
    if last is not None and (apart or (not over and (last.files[1:] or last.config))):
        return f"now {last.command}"
    return f"now run the same command as before, such as: make report{over}"


def _file_of(model: str, root: Path) -> Path:
    """The file that lists a model, of those that the last run in a folder was given."""
    from lvlmbench.config.writing import lists_model
    from lvlmbench.versions.outdated import parameters

    last = next(iter(parameters(root)), None)
    files = (*reversed(last.files[1:]), _BASE) if last is not None else (_BASE,)
    return next((file for file in files if lists_model(file, model)), _BASE)


def _truncated(arguments: argparse.Namespace) -> None:
    from lvlmbench.config.writing import write_limit
    from lvlmbench.engine.retry import truncated

    with contextlib.chdir(arguments.directory):
        cut = truncated(arguments.model)
    if not cut:
        print("no answer was cut off: nothing is to be asked again")
        return
    for name, n in cut.items():
        print(f"{name}: {n:,} answer{'s were' if n > 1 else ' was'} cut off")
    if arguments.max_tokens is None:
        raise UserError("--max-tokens", "is missing", "say how many tokens they may take now")
    for name in cut:
        file = arguments.configfile or _file_of(name, arguments.directory)
        key = write_limit(file, name, arguments.max_tokens)
        print(f"{file}: {name}: {key} is now {arguments.max_tokens:,}")
    print("what was answered is kept; those that were cut off are asked again, with more tokens")
    print(_again(arguments.configfile, arguments.directory))
