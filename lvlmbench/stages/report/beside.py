"""What the report shows of the stages beside the tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lvlmbench.snapshot.reader import Snapshot


@dataclass(frozen=True)
class Beside:
    """Folders of figures, validity and exports; None for those of a report that has none.

    Attributes
    ----------
    published
        Tables that papers print (data/published).
    state
        Where runs leave how long their jobs took (.lvlmbench); None where nobody knows.
    build
        Folder below it in which this report is built, if it is.
    labels
        What people have said of the items (data/labels), if it is to be shown.
    others
        The other suites of the run.
    """

    figures: Path
    validity: Path | None
    exports: Path | None
    published: Path
    state: Path | None = None
    build: Path | None = None
    labels: Path | None = None
    others: tuple[Snapshot, ...] = ()

    @property
    def submitted(self) -> bool:
        """Whether models were submitted to a finished snapshot: its figures are not kept then."""
        return self.exports is None
