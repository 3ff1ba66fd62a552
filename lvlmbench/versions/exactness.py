"""How exactly a stage's artifacts can be made again, elsewhere (docs/reproducibility.md)."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.config import Project
from lvlmbench.core.exactness import Exactness
from lvlmbench.engine.stages import Item, Makers
from lvlmbench.stages.stage import declared


def stage_exactness(name: str, project: Project) -> tuple[Exactness, str]:
    """Return what an item of a stage promises when it is given the same inputs, and why.

    A kind of renderer, filter, scenario or engine that another package brings promises nothing.

    Parameters
    ----------
    name
        Of the item, such as ``"answer/dysca/chance/clean"``.

    Raises
    ------
    KeyError
        There is no such stage.
    """
    kind, *values = name.split("/")
    stage = declared()[kind]
    own = dict(zip(stage.axes, values, strict=True))
    suite = own.get("suite", next(iter(project.suites)))
    found = stage.promise(project.suite(suite), own)
    return found.exact, found.why


def exactness_of_all(
    items: Mapping[str, Item], project: Project
) -> dict[str, tuple[Exactness, str]]:
    """Return how exactly each item's outs can be made again from nothing, and why.

    It is the weakest of what the stage promises itself and of all that it reads. So the stages that
    are exact everywhere can be made without any of the others. The seals are outs as well, but are
    left aside: they name what was read.

    Parameters
    ----------
    items
        As :func:`lvlmbench.engine.stages.pipeline` gives them: makers before readers.
    """
    makers = Makers(items)
    found: dict[str, tuple[Exactness, str]] = {}
    for name, item in items.items():
        exact, why = stage_exactness(name, project)
        for maker, _ in makers.upstream(item):
            theirs = found[maker.name][0]
            if theirs.rank > exact.rank:
                exact, why = theirs, f"reads what the stage {maker.name} makes"
        found[name] = exact, why
    return found
