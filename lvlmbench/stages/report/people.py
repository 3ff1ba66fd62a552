"""What people say of the snapshot's items, sheet by sheet."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.labelling.agreement import Agreement, agreement
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.sheet import SHEETS
from lvlmbench.snapshot.reader import Snapshot


def build(snapshot: Snapshot, labels: Path | None) -> dict[str, Agreement | None]:
    """Return how people agree on each kind of sheet that the snapshot has something for, by its
    name; None where nobody has labelled.

    Raises
    ------
    UserError
        A file of labels is damaged.
    """
    found: dict[str, Agreement | None] = {}
    for sheet in SHEETS.ordered():
        suite = snapshot.params.suite
        given = read_folder(labels, suite, sheet.name) if labels is not None else []
        seed = snapshot.params.snapshot.seed
        if not given and not sheet.when(snapshot):
            continue
        found[sheet.name] = agreement(sheet(snapshot), given, seed) if given else None
    return found
