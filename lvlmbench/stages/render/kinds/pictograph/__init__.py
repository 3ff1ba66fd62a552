"""The renderer that needs neither weights nor a GPU: vector art over procedural backgrounds.

Importing this package only registers the renderer; what draws is loaded when it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.render.kinds.pictograph.settings import Pictograph
from lvlmbench.stages.render.renderer import RENDERERS, Renderer

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


@RENDERERS.register(
    "pictograph",
    settings=Pictograph,
    place=1,
    simple=True,
    art=True,
    vocabulary=False,
    exactness=(
        Promise(
            Exactness.EVERYWHERE,
            "vector art rasterized by one pinned library; integer and correctly rounded arithmetic",
        ),
    ),
)
def make(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The pictograph renderer of these parameters."""
    from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer

    return PictographRenderer(params, vocabulary)
