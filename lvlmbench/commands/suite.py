"""``lvlmbench suite``: what suites make of a user's own files."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.commands.arguments import add_snapshot, open_snapshot
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import USER_ERROR

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.suites.look import Look


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("suite", help="look at a user's own files before they are used")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    check = inner.add_parser("check", help="count what a user's own data holds, and what is wrong")
    check.add_argument(
        "place", type=Path, metavar="PATH",
        help="a folder as VALOR-Bench, or TouchStone's table (.tsv), or a folder with it",
    )  # fmt: skip
    check.add_argument(
        "--images", type=Path, metavar="DIR", help="folder of its pictures, where it is another"
    )
    check.add_argument(
        "--tasks", action="append", default=[], metavar="NAME=SUBTASK",
        help="which subtask a name of TouchStone's table means; give it again for more",
    )  # fmt: skip
    check.set_defaults(run=_check)
    select = inner.add_parser(
        "select", help="choose pictures of an annotation in which things stand that hardly ever do"
    )
    select.add_argument(
        "source", type=Path, metavar="FILE", help="COCO's instances, GQA's scene graphs, or CSV"
    )
    select.add_argument(
        "--support", type=int, metavar="N", help="things in fewer pictures do not count (20)"
    )
    select.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="new file, e.g. selection.csv"
    )
    select.set_defaults(run=_select)
    said = inner.add_parser("said", help="count what a model says where it sees what")
    add_snapshot(said)
    said.add_argument("--model", required=True, metavar="NAME", help="whose answers")
    said.add_argument("--out", type=Path, required=True, metavar="FILE", help="new file, FILE.csv")
    said.set_defaults(run=_said)


def _said(arguments: argparse.Namespace) -> None:
    from lvlmbench.analysis.saying import said_by
    from lvlmbench.snapshot.reader import Snapshot

    _is_new(arguments.out)
    snapshot = open_snapshot(Snapshot, arguments)
    rows = said_by(snapshot, arguments.model)
    _write(arguments.out, rows)
    things = len({row["object"] for row in rows})
    print(
        f"{arguments.out}: {amount(things, 'thing')}, {amount(len(rows), 'pair')}; "
        "name it as a source"
    )


def _is_new(out: Path) -> None:
    if out.exists():
        raise UserError(f"--out {out}", "is there already", "name a new file")


def _write(out: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as CSV."""
    from lvlmbench.core.files import atomic_bytes

    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    atomic_bytes(out, text.getvalue().encode())


def _select(arguments: argparse.Namespace) -> None:
    out, source, support = arguments.out, arguments.source, arguments.support
    _is_new(out)
    if support is not None and support < 1:
        raise UserError(f"--support {support}", "is less than 1", "give at least 1")
    rows = _selected(source, support)
    if not rows:
        fix = "lower --support, or give more pictures"
        raise UserError(str(source), "holds no picture that is chosen", fix)
    _write(out, rows)
    pictures = len({row["image"] for row in rows})
    of = "picture" if pictures == 1 else "pictures"
    print(f"{out}: {pictures:,} {of}, {len(rows):,} reasons to choose one")


def _selected(source: Path, support: int | None) -> list[Mapping[str, Any]]:
    """What the kind of suite chooses that selects pictures."""
    from lvlmbench.suites.suite import SUITES

    for kind in SUITES.ordered():
        found: Iterator[Mapping[str, Any]] | None = kind().selection(source, support)
        if found is not None:
            return [*found]
    raise UserError("lvlmbench suite select", "no suite selects pictures", "install one")


def _check(arguments: argparse.Namespace) -> None:
    place: Path = arguments.place
    if not place.is_dir() and not place.is_file():
        fix = "name the folder that holds the files, or the table"
        raise UserError(str(place), "is neither a folder nor a file", fix)
    found = _look(place, arguments.images, _tasks(arguments.tasks))
    for line in found.lines:
        print(line, flush=True)
    for mistake in found.mistakes:
        print(mistake, file=sys.stderr)
    if found.mistakes:
        raise SystemExit(USER_ERROR)


def _tasks(given: Sequence[str]) -> dict[str, str]:
    """What names of tasks mean, by name."""
    from lvlmbench.core.errors import meant
    from lvlmbench.suites.dialogue import TASKS

    found = {}
    for text in given:
        name, _, task = text.rpartition("=")
        if not name.strip():
            fix = "write NAME=SUBTASK, e.g. 'Sights=touchstone_landmark'"
            raise UserError(f"--tasks {text}", "names no subtask", fix)
        if task.strip() not in TASKS:
            fix = meant(task.strip(), TASKS, f"use one of: {', '.join(TASKS)}")
            raise UserError(f"--tasks {text}", f"'{task.strip()}' is no subtask", fix)
        found[name] = task.strip()
    return found


def _look(place: Path, images: Path | None, tasks: Mapping[str, str]) -> Look:
    """What the kind of suite finds that knows the folder or file."""
    from lvlmbench.suites.suite import SUITES

    for kind in SUITES.ordered():
        found: Look | None = kind().look(place, images, tasks)
        if found is not None:
            return found
    raise UserError(
        str(place),
        "is, or holds, nothing that a kind of suite reads",
        "docs/valor.md and docs/touchstone.md say what belongs there",
    )
