"""What people say of what cleaning removed and kept (Dysca, section 3.3)."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.labelling.agreement import Agreement, agreement
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.kinds.removals import removals
from lvlmbench.snapshot.reader import Snapshot

_SHEET = "removals"


def build(snapshot: Snapshot, labels: Path | None) -> Agreement | None:
    """Return how people's labels agree with the removals; None where there are none.

    Raises
    ------
    UserError
        A file of labels is damaged.
    """
    given = read_folder(labels, snapshot.params.suite, _SHEET) if labels is not None else []
    if not given:
        return None
    return agreement(removals(snapshot), given, snapshot.params.snapshot.seed)
