"""The renderer that needs neither weights nor a GPU: vector art over procedural backgrounds.

Importing this package only registers the renderer; what draws is loaded when it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.render.base import RENDERERS, Renderer

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.corpus.vocabulary import Vocabulary


@RENDERERS.register("pictograph")
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The pictograph renderer of these parameters."""
    from lvlmbench.render.pictograph.renderer import PictographRenderer

    return PictographRenderer(params, vocabulary)
