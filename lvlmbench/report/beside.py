"""What the report shows of the stages beside the tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Beside:
    """Folders of figures, validity and exports; None for those of a report that has none.

    ``published`` holds tables that papers print (data/published).
    """

    figures: Path
    validity: Path | None
    exports: Path | None
    published: Path
