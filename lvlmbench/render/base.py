"""What a renderer is: it turns a planned scene into an image, or says why it will not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from lvlmbench.registry import Registry

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params
    from lvlmbench.corpus.vocabulary import Vocabulary

#: A row of :data:`lvlmbench.tables.SCENES` as a dictionary.
Scene = Mapping[str, Any]


class Renderer(Protocol):
    """Draws scenes.

    ``name`` and ``version`` go into the images table; ``version`` changes whenever the renderer
    would draw other pixels for the same scene.
    """

    name: str
    version: str

    def refuses(self, scene: Scene) -> str | None:
        """Why this scene cannot be drawn, as a phrase for the funnel; None when it can."""
        ...

    def draw(self, scene: Scene) -> Image.Image:
        """The scene as an RGB image of ``render.size`` pixels a side.

        The same scene gives the same pixels, alone or among others, in any order. Only called
        for scenes that :meth:`refuses` lets pass.
        """
        ...


Factory = Callable[["Params", "Vocabulary"], Renderer]

#: Renderer name -> factory(params, vocabulary).
RENDERERS: Registry[Factory] = Registry("renderers", "lvlmbench.render")
