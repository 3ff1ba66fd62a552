"""Makes the examiners that the parameters name."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.making import asker_in, check_follows


def asker_of(params: Params, name: str, cache: Path | None = None) -> Asker:
    """Return what asks the examiner of this name.

    Parameters
    ----------
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        There is no such examiner, or it cannot write questions.
    """
    known = params.examiner.examiners
    given = next((model for model in known if model.name == name), None)
    where = "params.yaml: examiner.examiners"
    if given is None:
        names = ", ".join(model.name for model in known) or "none"
        raise UserError(where, f"there is no examiner '{name}'", f"use one of: {names}")
    check(given, f"{where}: {name}")
    role, repairs = f"examiner {name}", params.examiner.repairs
    return asker_in(params, given, role, f"{where}: {name}", repairs, cache)


def check(given: ModelParams, where: str) -> None:
    """Make sure that an examiner is there and can do what it is asked.

    Raises
    ------
    UserError
        It is not known, or cannot follow instructions.
    """
    kind = MODELS.get(given.engine, f"{where}: engine")
    fix = "name a model that follows instructions"
    check_follows(kind, given.engine, where, "can write none", fix)
