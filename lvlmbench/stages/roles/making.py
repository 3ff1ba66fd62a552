"""Makes what asks a model that the parameters list for a role."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.errors import UserError, meant
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.cache import default_path
from lvlmbench.stages.requests.budget import Budget
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
    fix
        What to name instead.
    """

    name: str
    listed: str
    cannot: str
    fix: str = "name a model that follows instructions"

    def given(self, models: Sequence[Model], name: str, where: str = "") -> Model:
        """Return the model of a name.

        Parameters
        ----------
        where
            The place that names it, for the error; by default the list.

        Raises
        ------
        UserError
            There is none.
        """
        found = next((model for model in models if model.name == name), None)
        if found is None:
            names = [model.name for model in models]
            fix = f"use one of: {', '.join(names)}" if names else f"list it under {self.listed}"
            what = f"there is no {self.name} '{name}'"
            raise UserError(where or f"params.yaml: {self.listed}", what, meant(name, names, fix))
        return found

    def check(self, given: Model, where: str) -> None:
        """Make sure that a model is there and can do what it is asked.

        Raises
        ------
        UserError
            It is not known, or cannot follow instructions.
        """
        MODELS.get(given.engine, f"{where}: engine")
        self.check_follows(given, where)

    def check_follows(self, given: Model, where: str) -> None:
        """Make sure that a model whose engine is there can do what it is asked.

        Raises
        ------
        UserError
            It cannot follow instructions.
        """
        kind = MODELS.find(given.engine)
        if kind is None or kind.called is None:
            raise UserError(f"{where}: engine", f"'{given.engine}' {self.cannot}", self.fix)

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
        given = self.given(models, name)
        self.check(given, f"params.yaml: {self.listed}: {name}")
        return self.asker_of(params, given, repairs, cache)

    def asker_of(self, params: Params, given: Model, repairs: int, cache: Path | None) -> Asker:
        """Return what asks a model that has been checked."""
        where = f"params.yaml: {self.listed}: {given.name}"
        model = MODELS.get(given.engine, where)(params, given, {})
        path = cache or default_path()
        budget = Budget.of(given.find(Endpoint), path) if model.cached else None
        label = f"{self.name} {given.name}"
        return Asker(model, label, repairs, path, budget, given.find(Endpoint))
