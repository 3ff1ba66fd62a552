"""Makes the examiners that the parameters name."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.budget import Budget
from lvlmbench.stages.answer.requests.cache import default_path
from lvlmbench.stages.roles.asking import Asker


def asker_of(params: Params, name: str, cache: Path | None = None, role: str = "examiner") -> Asker:
    """Return what asks the examiner of this name.

    Parameters
    ----------
    cache
        File of the answer cache, by default the one of all runs.
    role
        What it is asked as, in messages.

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
    model = MODELS.get(given.engine, f"{where}: {name}")(params, given, {})
    path = cache or default_path()
    budget = Budget.of(given, path) if model.cached else None
    return Asker(model, f"{role} {name}", params.examiner.repairs, path, budget,
                 given.find(Endpoint))  # fmt: skip


def check(given: ModelParams, where: str) -> None:
    """Make sure that an examiner is there and can do what it is asked.

    Raises
    ------
    UserError
        It is not known, or cannot follow instructions.
    """
    kind = MODELS.get(given.engine, f"{where}: engine")
    if kind.called is None:
        raise UserError(
            f"{where}: engine",
            f"'{given.engine}' answers questions about pictures and can write none",
            "name a model that follows instructions",
        )
