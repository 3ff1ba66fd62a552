"""How exactly a stage's artifacts can be made again, elsewhere (docs/reproducibility.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lvlmbench.core.exactness import Exactness as Exactness

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.engine.stages import Stage


def stage_exactness(stage: str, params: Params) -> tuple[Exactness, str]:
    """What a stage promises when it is given the same inputs, and why, in one sentence.

    A kind of renderer, filter, scenario or engine that another package brings promises nothing.

    Parameters
    ----------
    stage
        Its name, such as ``"answer/chance/clean"``.
    params
        Resolved parameters.

    Raises
    ------
    KeyError
        There is no such stage.
    """
    from lvlmbench.versions.promises import promise

    found = promise(stage, params)
    return found.exact, found.why


def exactness_of_all(
    stages: Mapping[str, Stage], params: Params
) -> dict[str, tuple[Exactness, str]]:
    """How exactly each stage's outs can be made again from nothing, and why.

    It is the weakest of what the stage promises itself and of all that it reads, by the deps of
    dvc.yaml. So the stages that are exact everywhere can be made without any of the others. The
    seals are outs as well, but are left aside: they name what was read.

    Parameters
    ----------
    stages
        As :func:`lvlmbench.engine.stages.read_stages` gives them: makers before readers.
    """
    from lvlmbench.engine.stages import upstream

    found: dict[str, tuple[Exactness, str]] = {}
    for name, stage in stages.items():
        exact, why = stage_exactness(name, params)
        for maker, _ in upstream(stage, stages):
            theirs = found[maker.name][0]
            if theirs.rank > exact.rank:
                exact, why = theirs, f"reads what the stage {maker.name} makes"
        found[name] = exact, why
    return found
