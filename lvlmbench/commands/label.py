"""``lvlmbench label``: sheets for people, and what they say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_snapshot, open_snapshot, project_of
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands

#: Items of each group on a sheet, where nobody says how many.
_ITEMS = 25


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("label", help="have people check: sheets out, labels in")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    export = inner.add_parser("export", help="write a sheet: one page that works offline")
    export.add_argument("sheet", metavar="SHEET", help="what to label, e.g. removals")
    add_snapshot(export)
    export.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="new page to write, FILE.html"
    )
    export.add_argument(
        "--items", type=int, default=_ITEMS, metavar="N",
        help=f"of each group, at most ({_ITEMS})",
    )  # fmt: skip
    export.set_defaults(run=_export)
    take = inner.add_parser("import", help="take in what people saved; the next report shows it")
    take.add_argument("files", nargs="+", type=Path, metavar="FILE", help="as the page saves them")
    add_snapshot(take, suite=False)
    take.add_argument(
        "--replace", action="store_true", help="later labels of a rater replace earlier ones"
    )
    take.set_defaults(run=_import)


def _export(arguments: argparse.Namespace) -> None:
    from lvlmbench.labelling.page import write_page
    from lvlmbench.labelling.sheet import SHEETS, counts, drawn
    from lvlmbench.snapshot.reader import Snapshot

    sheet = SHEETS.get(arguments.sheet, "SHEET")
    if arguments.items < 1:
        raise UserError(f"--items {arguments.items}", "is less than 1", "give at least 1")
    snapshot = open_snapshot(Snapshot, arguments)
    known = sheet(snapshot)
    items = drawn(known, arguments.items, snapshot.params.snapshot.seed)
    write_page(snapshot, sheet, items, arguments.out)
    chosen = counts(items)
    for group, total in counts(known).items():
        print(f"  {chosen[group]:,} of {total:,} {group}")
    size = arguments.out.stat().st_size / 1e6
    print(
        f"{arguments.out}: {amount(len(items), 'item')}, {size:.1f} MB; open it in a browser, then "
        f"'lvlmbench label import FILE --snapshot {arguments.snapshot}'"
    )


def _import(arguments: argparse.Namespace) -> None:
    from lvlmbench.config.identity import PROJECT_ROOT
    from lvlmbench.labelling.given import read_labels, take_in
    from lvlmbench.labelling.sheet import SHEETS
    from lvlmbench.snapshot.reader import Snapshot

    project = project_of(arguments, None)
    given = [(path, read_labels(path)) for path in arguments.files]
    known: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for path, each in given:
        sheet = SHEETS.get(each.sheet, f"{path}: sheet")
        if each.suite not in project.suites:
            fix = f"give labels of: {', '.join(project.suites)}"
            raise UserError(f"{path}: suite", f"the snapshot has no suite '{each.suite}'", fix)
        about = each.suite, each.sheet
        if about not in known:
            snapshot = Snapshot.of(project, arguments.snapshot, each.suite)
            items = sheet(snapshot)
            known[about] = {item.item_id: item.labels for item in items}
    folder = PROJECT_ROOT / project.labels.folder
    for taken in take_in(given, known, folder, arguments.replace):
        print(
            f"{taken.path}: {amount(taken.n, 'label')} of {taken.rater}, {taken.new:,} of them new"
        )
