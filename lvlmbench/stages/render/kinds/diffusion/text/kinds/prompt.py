"""Engine ``prompt``: the pipeline itself writes what the prompt quotes (SD 3.5, FLUX)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES, TextEngine
from lvlmbench.stages.render.renderer import Attempt, Scene

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


class PromptEngine:
    """Leaves prompts and pictures as they are."""

    name = "prompt"
    version = "1"

    def prompts(self, scene: Scene) -> tuple[str, str]:
        """Return the scene's own."""
        return scene["prompt"], scene["negative_prompt"] or ""

    def finish(self, attempt: Attempt, image: Image.Image) -> tuple[Image.Image, str]:
        """Return the picture itself."""
        return image, "text-to-image"


@TEXT_ENGINES.register("prompt", place=2, vocabulary=False)
def make(params: Params, vocabulary: Vocabulary) -> TextEngine:
    """Return the engine; it needs nothing."""
    return PromptEngine()
