"""Renderer ``diffusion``: any text-to-image pipeline of diffusers, by hub id or local folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.stages.render.renderer import (
    RENDERERS,
    Renderer,
)

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


@RENDERERS.register("diffusion")
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The diffusion renderer of these parameters; loads the weights."""
    from lvlmbench.stages.render.kinds.diffusion.renderer import DiffusionRenderer

    return DiffusionRenderer(params, vocabulary)
