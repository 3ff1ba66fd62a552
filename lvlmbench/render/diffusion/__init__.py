"""Renderer ``diffusion``: any text-to-image pipeline of diffusers, by hub id or local folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.render.base import RENDERERS, Renderer

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.corpus.vocabulary import Vocabulary


@RENDERERS.register("diffusion")
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The diffusion renderer of these parameters; loads the weights."""
    from lvlmbench.render.diffusion.renderer import DiffusionRenderer

    return DiffusionRenderer(params, vocabulary)
