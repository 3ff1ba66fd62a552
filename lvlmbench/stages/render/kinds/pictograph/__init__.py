"""The renderer that needs neither weights nor a GPU: vector art over procedural backgrounds.

Importing this package only registers the renderer; what draws is loaded when it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.stages.render.renderer import (
    RENDERERS,
    Renderer,
)

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


@RENDERERS.register("pictograph")
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The pictograph renderer of these parameters."""
    from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer

    return PictographRenderer(params, vocabulary)
