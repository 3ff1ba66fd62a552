"""The engine ``parrot``, with settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.section import Section
from lvlmbench.core.registry import Resources
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, Weights, request_hash


class Saying(Section):
    """What it says."""

    says: str = Field("(A)", description="Its answer to everything.")
    gpus: int | None = Field(None, description="GPUs that it wants.")


class Parrot:
    """Says the same to everything."""

    cached = False

    def __init__(self, says: str) -> None:
        self.says = says

    @property
    def parameters(self) -> Mapping[str, object]:
        """What decides the reply."""
        return {"says": self.says}

    def request_sha256(self, item: Item) -> str:
        """Return the identity of a request."""
        return request_hash("parrot", self.says, item.prompt, item.image_sha256)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Reply to each item."""
        for item in items:
            yield item, Reply(text=self.says, status="answered")


def asks(params: Params, model: ModelParams) -> Resources:
    """Return what a job asks of its machine."""
    return Resources(gpus=model.own(Saying).gpus, threads=1, memory_mb=500)


@MODELS.register("parrot", settings=Saying, asks=asks)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Return the model of an item."""
    return Parrot(model.own(Saying).says)
