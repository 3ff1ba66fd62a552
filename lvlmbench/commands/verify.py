"""``lvlmbench verify NAME``: check files, then make again what is exact everywhere."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.core.errors import UserError, not_here

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands

#: Exit code where something is not as pinned; 2 is for a mistake in the command.
DIFFERS = 1


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check that a pinned version is what its manifest says",
        description="Read all files of a pinned version afresh, then make again what is exact "
        "everywhere, from the code of the version, and compare. Exit code 1 if anything differs.",
    )
    parser.add_argument("name", metavar="NAME", help="of the version")
    parser.add_argument("--files-only", action="store_true", help="make nothing again")
    parser.add_argument(
        "--stage", action="append", default=[], metavar="STAGE",
        help="make again only this: a name (answer/chance/clean) or the start of one (score)",
    )  # fmt: skip
    parser.add_argument(
        "--same-hardware",
        action="store_true",
        help="make again, too, what is exact on the same hardware only",
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="make again N stages only, drawn by chance"
    )
    parser.set_defaults(run=_run)


def _terminated(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.versions import verify_words as words
    from lvlmbench.versions.manifest import FOLDER
    from lvlmbench.versions.verifying import verify

    if arguments.files_only and arguments.sample is not None:
        raise UserError("--sample", "makes stages again, and --files-only none", "give one of them")
    if not (Path("dvc.yaml").exists() or FOLDER.exists()):
        raise not_here("dvc.yaml")
    signal.signal(signal.SIGTERM, _terminated)  # so that what was laid out goes

    def say(line: str) -> None:
        print(words.printable(line), file=sys.stderr, flush=True)

    found = verify(
        arguments.name,
        Path(),
        files_only=arguments.files_only,
        only=arguments.stage,
        same_hardware=arguments.same_hardware,
        sample=arguments.sample,
        say=say,
    )
    manifest = found.version.manifest
    lines = [*words.heading(manifest)]
    if found.stages:
        lines += words.environment_notes(manifest.environment, found.packages)
    if found.faults:
        lines += words.fault_lines(found)
    lines += found.contradictions
    if found.stages:
        lines += words.stage_lines(found)
    lines.append(words.summary(found, arguments.files_only))
    print("\n".join(map(words.printable, lines)))
    if not found.sound:
        raise SystemExit(DIFFERS)
