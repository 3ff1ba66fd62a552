"""Renderer ``diffusion``: any text-to-image pipeline of diffusers, by hub id or local folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.render.kinds.diffusion import machine
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.renderer import RENDERERS, Renderer

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


@RENDERERS.register(
    "diffusion",
    settings=Diffusion,
    place=2,
    prompts=True,
    realistic=True,
    check=machine.check,
    asks=machine.asks,
    lacks=machine.lacks,
    models=machine.models,
    vocabulary=False,
    part=lambda params: params.render.own(Diffusion).text.made_by("render.diffusion.text"),
    exact=lambda params: 0 if params.render.own(Diffusion).exact else 1,
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "one generator an image, one image at a time, no kernel chosen by measuring, on a CPU "
            "one thread; other hardware adds in another order",
            ", `exact: true`",
        ),
        Promise(
            Exactness.ARTIFACT,
            "sums depend on the batch, and the batch on the memory that is free",
            ", `exact: false`",
        ),
    ),
)
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The diffusion renderer of these parameters; loads the weights."""
    from lvlmbench.stages.render.kinds.diffusion.renderer import DiffusionRenderer

    return DiffusionRenderer(params, vocabulary)
