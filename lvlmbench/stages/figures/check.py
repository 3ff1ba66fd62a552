"""What figures ask of the parameters, checked before anything runs."""

from __future__ import annotations

from collections.abc import Collection

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError, meant


def check_intra_task(params: Params, lists: Collection[str], source: str) -> None:
    """Check that ``figures.intra_task`` names one of the vocabulary's lists.

    Raises
    ------
    UserError
        It does not; with the list most like it, or all of them.
    """
    name = params.figures.intra_task
    if name not in lists:
        fix = meant(name, sorted(lists), f"use one of: {', '.join(sorted(lists))}")
        where = f"{source}: figures.intra_task"
        raise UserError(where, f"'{name}' is not a list of the vocabulary", fix)
