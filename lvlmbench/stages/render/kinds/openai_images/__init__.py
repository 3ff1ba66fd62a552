"""Renderer ``openai_images``: any server that speaks the OpenAI images API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.render.kinds.openai_images.settings import OpenAIImages, check
from lvlmbench.stages.render.renderer import RENDERERS, Renderer

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


@RENDERERS.register(
    "openai_images",
    settings=OpenAIImages,
    place=3,
    prompts=True,
    realistic=True,
    check=check,
    models=lambda params: [params.render.own(OpenAIImages).model],
    price=lambda params: params.render.own(OpenAIImages).price_per_image,
    vocabulary=False,
    exactness=(Promise(Exactness.ARTIFACT, "the server decides; few draw the same picture twice"),),
)
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """Return the renderer of these parameters; asks nothing yet."""
    from lvlmbench.stages.render.kinds.openai_images.renderer import ImagesRenderer

    return ImagesRenderer(params)
