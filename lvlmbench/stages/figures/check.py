"""What figures ask of the parameters, checked before anything runs."""

from __future__ import annotations

from collections.abc import Collection

from lvlmbench.config import Params, Project
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


def check_beside(project: Project, source: str) -> None:
    """Check that ``figures.beside`` names a suite of the run.

    Raises
    ------
    UserError
        It does not; with the suite most like it, or all of them.
    """
    name = project.figures.beside
    if name is not None and name not in project.suites:
        suites = list(project.suites)
        fix = meant(name, suites, f"use one of: {', '.join(suites)}")
        raise UserError(f"{source}: figures.beside", f"'{name}' is no suite of this run", fix)
