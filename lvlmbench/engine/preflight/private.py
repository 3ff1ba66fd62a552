"""Suites of a user's own data: where they may not stand, and what a run says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from lvlmbench.config import Params, Project
from lvlmbench.core.errors import UserError
from lvlmbench.suites.suite import suite_of

S = TypeVar("S")


def private_suites(project: Project) -> list[str]:
    """Return the names of suites whose data are a user's own."""
    return [name for name in project.suites if project.suite(name).private]


def check_apart(project: Project, base: object) -> None:
    """Check that no private suite stands in params.yaml itself.

    DVC keeps what all suites of that file make, and ``dvc push`` sends it.

    Parameters
    ----------
    base
        What params.yaml holds.

    Raises
    ------
    UserError
        One stands there.
    """
    held = base.get("suites") if isinstance(base, Mapping) else None
    for name in private_suites(project):
        if isinstance(held, Mapping) and name in held:
            raise UserError(
                f"params.yaml: suites.{name}",
                "is of a user's own data, and DVC would keep and push what params.yaml names",
                "write it into a file of its own: make report CONFIG=FILE",
            )


def not_of_private(project: Project, storage: S) -> S:
    """Return the storage of a run, if it has one; it may then hold no private suite's pictures.

    Raises
    ------
    UserError
        There is a storage, and a private suite.
    """
    for name in () if storage is None else private_suites(project):
        raise UserError(
            f"suites.{name}",
            "is of a user's own data, and the storage of this run would hold its pictures",
            "run it on one machine, without --default-storage-provider",
        )
    return storage


def notices(params: Params) -> Iterator[str]:
    """Yield what a suite tells at a run's start; of a user's own data what stays here, and what is
    sent to whom."""
    yield from suite_of(params).notices(params)
    if not params.private:
        return
    held = "pictures (report.private), " if params.shows else ""
    yield (
        f"suite {params.suite}: a user's own data: not pinned, and no exports are made; "
        f"results/report.html holds its {held}annotation and answers: do not commit or push it, "
        "or run elsewhere (--directory ../own)"
    )
    asked = [model.name for model in params.answer.models if _served(model)]
    if asked:
        yield f"suite {params.suite}: its pictures are sent to {', '.join(asked)} (answer.models)"
    judges = [each.name for each in params.judge.judges if each.model and _served(each.model)]
    if judges:
        yield f"suite {params.suite}: its annotation is sent to {', '.join(judges)} (judge.judges)"


def _served(model: Any) -> bool:
    kind = model.made_by()
    return kind is not None and bool(kind.served)
