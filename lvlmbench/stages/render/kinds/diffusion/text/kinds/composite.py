"""Engine ``composite``: the pipeline draws an empty carrier, and the word is painted onto it.

It needs no weights of its own, and its images are labelled ``composited``. Where the word goes is
found in the picture itself (``lettering/places.py``); the ink takes the surface's light and grain
(``lettering/painting.py``). docs/gpu.md shows what comes out, and where it fails.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from lvlmbench.core import seeding
from lvlmbench.stages.render.kinds.diffusion.text.blanks import no_writing, without_word
from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES, TextEngine
from lvlmbench.stages.render.renderer import Attempt, Scene

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary

#: Raise when the same picture would get other pixels.
REVISION = 1

_CARRIERS = "carrier"


class CompositeEngine:
    """Typesets words onto the pictures of the main pipeline; safe to use from several threads."""

    name = "composite"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self._seed = params.snapshot.seed
        self._carriers = vocabulary.lists[_CARRIERS].by_label
        opencv, pillow = version("opencv-python-headless"), version("pillow")
        self.version = f"{REVISION}.opencv{opencv}.pillow{pillow}"

    def prompts(self, scene: Scene) -> tuple[str, str]:
        """Return the scene with an empty carrier, and no writing anywhere."""
        return without_word(scene, self._carriers), no_writing(scene["negative_prompt"])

    def finish(self, attempt: Attempt, image: Image.Image) -> tuple[Image.Image, str]:
        """Return the picture with the scene's word on its carrier.

        Where no surface is found, the word goes to the calmest part of the picture.
        """
        import numpy as np
        from PIL import Image

        from lvlmbench.stages.render.kinds.diffusion.text.lettering import painting, places, typeset

        scene = attempt.scene
        item = f"{scene['scene_id']}/{attempt.seed}"
        rng = seeding.generator(self._seed, "lettering", item)
        face = typeset.FACES[int(rng.integers(len(typeset.FACES)))]
        pixels = np.asarray(image.convert("RGB"))
        word = str(scene["text"])
        place = places.best_place(pixels, typeset.proportion(word, face))
        painted, _ = painting.paint(pixels, word, face, place.corners, place.surface)
        return Image.fromarray(painted), "composited"


@TEXT_ENGINES.register("composite", place=1, vocabulary=False)
def make(params: Params, vocabulary: Vocabulary) -> TextEngine:
    """Return the engine; it needs no weights."""
    return CompositeEngine(params, vocabulary)
