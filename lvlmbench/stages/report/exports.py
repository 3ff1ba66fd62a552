"""Forms that the snapshot was written in: how large, and how to open each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError

#: As :mod:`lvlmbench.stages.exports.export` writes it; what exports import decides nothing here.
INDEX = "index.json"


@dataclass(frozen=True)
class Export:
    """One form; ``rows`` counts its questions by scenario."""

    name: str
    title: str
    load: str
    needs: list[str]
    rows: Mapping[str, int]
    n_files: int
    bytes: int


def build(folder: Path | None) -> list[Export] | None:
    """What results/<suite>/exports holds; None for a report of submitted models, which has none.

    Raises
    ------
    UserError
        Its index is missing or damaged.
    """
    if folder is None:
        return None
    path = folder / INDEX
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["exports"]
        return [Export(**row) for row in listed]
    except (OSError, ValueError, TypeError, KeyError):
        fix = "run the stage 'exports' again"
        raise UserError(str(path), "is missing or damaged", fix) from None
