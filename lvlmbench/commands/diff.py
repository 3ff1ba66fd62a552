"""``lvlmbench diff A B``: what changed between two versions, in words."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_suite

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "diff",
        help="what changed between two versions, in words",
        description="What changed from A to B: parameters, code, vocabulary, packages, items and "
        "scores. Each is a tag or another revision of git, a folder, or REPOSITORY@REVISION.",
    )
    parser.add_argument("a", metavar="A", help="tag, revision or folder")
    parser.add_argument(
        "b", metavar="B", nargs="?", default=".", help="the same; what lies here by default"
    )
    add_suite(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="all of it as data")
    form.add_argument("--markdown", action="store_true", help="as Markdown")
    parser.add_argument("--outputs", action="store_true", help="name all outputs that differ")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.engine.under_way import under_way
    from lvlmbench.snapshot.place import Place
    from lvlmbench.versions.differences.run import differences
    from lvlmbench.versions.differences.words import lines
    from lvlmbench.versions.outdated import outdated, parameters

    a, b = (Place.open(name, Path(), arguments.suite) for name in (arguments.a, arguments.b))
    found = differences(a, b)
    if arguments.json:
        print(json.dumps(found, indent=1, default=str))
    else:
        print("\n".join(lines(found, arguments.markdown, arguments.outputs)))
    for place in (a, b):
        own = place.own.get("name")
        if place.folder is not None and own and (line := outdated(place.folder, own)) is not None:
            print(line, file=sys.stderr)
        here = "this folder" if place.name == "." else place.name
        last = next(iter(parameters(place.folder)), None) if place.folder is not None else None
        if last is not None and (last.files[1:] or last.config):
            what = f"its parameters are compared as params.yaml says; it was made of {last.words}"
            print(f"{here}: {what}", file=sys.stderr)
        if place.folder is not None and (run := under_way(place.folder)) is not None:
            what = f"{run}; what was published before is compared, so do it again once it has ended"
            print(f"{here}: {what}", file=sys.stderr)
