"""``lvlmbench snapshot NAME``: pin what lies here, to be shared."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.versions.pinning import Pinned


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("snapshot", help="pin what lies here as a version to share")
    parser.add_argument("name", metavar="NAME", help="of the version and of its git tag")
    parser.add_argument(
        "--remote", metavar="R", help="remote of DVC to push the data to (the default one)"
    )
    parser.add_argument(
        "--no-push",
        action="store_true",
        help="leave the data in this machine's cache; the same command without it pushes",
    )
    parser.add_argument("--message", metavar="M", help="of the commit and the tag")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.versions.pinning import pin

    done = pin(
        arguments.name,
        arguments.remote,
        pushing=not arguments.no_push,
        message=arguments.message,
    )
    for line in _told(arguments.name, done):
        print(line)


def _told(name: str, done: Pinned) -> list[str]:
    """What was done, and what to type next."""
    from lvlmbench.versions.programs import git, git_says

    said = "was pinned already" if done.already else "is pinned"
    lines = [f"version {name} {said}: commit {done.commit}, tag {name}"]
    if done.remote is None:
        lines.append(f"its data is on this machine alone; to push it: lvlmbench snapshot {name}")
    elif not done.remote.shared:
        lines.append(
            f"note: .dvc/config, which git keeps, does not make '{done.remote.name}' the default; "
            f"others must add it and type: dvc pull --remote {done.remote.name}"
        )
    remotes = git(Path(), "remote").split()
    where = "origin" if "origin" in remotes or not remotes else remotes[0]
    branch = "HEAD " if git_says(Path(), "symbolic-ref", "--quiet", "HEAD") else ""
    lines.append(f"now share it: git push {where} {branch}{name}")
    ready = "make install && . .venv/bin/activate"
    lines.append(f"elsewhere, in a clone: git checkout {name} && {ready} && dvc pull")
    return lines
