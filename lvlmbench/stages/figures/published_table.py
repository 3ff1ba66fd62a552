"""A paper's table in data/published: what all of them share."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from lvlmbench.core.errors import UserError

FIX = "restore the file from the repository"
_Row = TypeVar("_Row")


def read_table(path: Path, row: Callable[[Mapping[str, str]], _Row]) -> list[_Row]:
    """Return what ``row`` makes of each line, in the paper's order.

    Parameters
    ----------
    row
        Takes the texts of a line by column; raises ValueError or KeyError where they are not such
        a table's.

    Raises
    ------
    UserError
        The file is missing, is no such table, or has no row.
    """
    try:
        found = [row(line) for line in csv.DictReader(path.read_text("utf-8-sig").splitlines())]
    except OSError:
        raise UserError(str(path), "is missing", FIX) from None
    # A line with too few values has None for the others.
    except (csv.Error, ValueError, KeyError, AttributeError, TypeError):
        raise UserError(str(path), "is not the table of the paper", FIX) from None
    if not found:
        raise UserError(str(path), "has no row", FIX)
    return found
