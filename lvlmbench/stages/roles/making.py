"""Makes what asks a model of the parameters in a role."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.budget import Budget
from lvlmbench.stages.answer.requests.cache import default_path
from lvlmbench.stages.roles.asking import Asker


def asker_in(
    params: Params, given: ModelParams, role: str, where: str, repairs: int, cache: Path | None
) -> Asker:
    """Return what asks a model in a role.

    Parameters
    ----------
    role
        Of the model, in messages: "examiner gpt".
    where
        Stands before messages about the parameters.
    repairs
        How often a malformed reply is asked for again.
    cache
        File of the answer cache; None: the one of all runs.

    Raises
    ------
    UserError
        Its engine is not known, or it cannot be made.
    """
    path = cache or default_path()
    model = MODELS.get(given.engine, where)(params, given, {})
    budget = Budget.of(given, path) if model.cached else None
    return Asker(model, role, repairs, path, budget, given.find(Endpoint))


def check_follows(kind: Any, engine: str, where: str, cannot: str, fix: str) -> None:
    """Make sure that the models of a kind follow instructions.

    Parameters
    ----------
    cannot
        What a role does that others cannot: "can write none".

    Raises
    ------
    UserError
        They do not.
    """
    if getattr(kind, "called", None) is None:
        what = f"'{engine}' answers questions about pictures and {cannot}"
        raise UserError(f"{where}: engine", what, fix)
