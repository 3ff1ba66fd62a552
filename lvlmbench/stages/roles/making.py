"""Makes what asks a model that the parameters list for a role."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.budget import Budget
from lvlmbench.stages.answer.requests.cache import default_path
from lvlmbench.stages.roles.asking import Asker


class Role(NamedTuple):
    """A role that the parameters list models for.

    Attributes
    ----------
    name
        E.g. ``examiner``.
    listed
        Key of the list.
    cannot
        What a model that only answers a suite's questions cannot do, in words.
    """

    name: str
    listed: str
    cannot: str

    def given(self, models: Sequence[Model], name: str) -> Model:
        """Return the model of a name.

        Raises
        ------
        UserError
            There is none.
        """
        found = next((model for model in models if model.name == name), None)
        if found is None:
            names = ", ".join(model.name for model in models)
            fix = f"use one of: {names}" if names else f"list it under {self.listed}"
            where = f"params.yaml: {self.listed}"
            raise UserError(where, f"there is no {self.name} '{name}'", fix)
        return found

    def check(self, given: Model, where: str) -> None:
        """Make sure that a model is there and can do what it is asked.

        Raises
        ------
        UserError
            It is not known, or cannot follow instructions.
        """
        kind = MODELS.get(given.engine, f"{where}: engine")
        if kind.called is None:
            raise UserError(
                f"{where}: engine",
                f"'{given.engine}' {self.cannot}",
                "name a model that follows instructions",
            )

    def asker(
        self,
        params: Params,
        models: Sequence[Model],
        name: str,
        repairs: int,
        cache: Path | None = None,
    ) -> Asker:
        """Return what asks the model of a name.

        Parameters
        ----------
        cache
            File of the answer cache, by default the one of all runs.

        Raises
        ------
        UserError
            There is no such model, or it cannot do what it is asked.
        """
        given, where = self.given(models, name), f"params.yaml: {self.listed}: {name}"
        self.check(given, where)
        model = MODELS.get(given.engine, where)(params, given, {})
        path = cache or default_path()
        budget = Budget.of(given, path) if model.cached else None
        label = f"{self.name} {name}"
        return Asker(model, label, repairs, path, budget, given.find(Endpoint))
