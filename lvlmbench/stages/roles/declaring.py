"""What stages declare alike in which models are asked that the parameters list for a role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.stage import Needs, Values, promise_of

PROMISES = (Promise(Exactness.ARTIFACT, "as exact as the model that is asked"),)


class Asking(NamedTuple):
    """Which model is asked for an item of a stage, and what that takes.

    Attributes
    ----------
    axis
        Of the stage: its value is the model's name.
    models
        The list that the name is looked up in, by the parameters.
    memory_mb, minutes
        What a job needs at least, in MB, and at most, in minutes.
    """

    axis: str
    models: Callable[[Params], Sequence[Model]]
    memory_mb: int
    minutes: int

    def needs(self, params: Params, values: Values) -> Needs:
        """Return what a job asks of its machine; a model that runs on it adds what it needs."""
        model = self._model(params, values)
        kind = model.made_by()
        asked = Resources() if kind is None else kind.resources(params, model)
        memory = max(self.memory_mb, asked.memory_mb or 0)
        return Needs(memory, self.minutes, asked.threads, asked.gpus)

    def exact(self, params: Params, values: Values) -> Promise:
        """Return what the model promises."""
        return promise_of(self._model(params, values), params)

    def _model(self, params: Params, values: Values) -> Model:
        return next(m for m in self.models(params) if m.name == values[self.axis])
