"""Renderer ``diffusion``: any text-to-image pipeline of diffusers, by hub id or local folder.

One generator an image, seeded from the attempt. With ``render.diffusion.exact`` one image at a
time, too: an image does not depend on what else is in its shard. On the same hardware and library
versions the same scene gives the same bytes; on other hardware it need not (docs/gpu.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.drawing import Drawing
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.kinds.diffusion.text.engine import draws, text_engine
from lvlmbench.stages.render.renderer import Attempt, Depiction, Drawn, Scene

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded

#: Steps of what is drawn to measure memory or to have the denoiser compiled; enough for a refiner
#: to have a share where it begins early.
_FEW_STEPS = 5


class DiffusionRenderer:
    """Draws attempts at scenes from their prompts and negative prompts.

    Raises
    ------
    UserError
        The weights, the device or the text engine cannot be used.
    """

    name = "diffusion"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        from lvlmbench.stages.render.kinds.diffusion.families import family_of
        from lvlmbench.stages.render.kinds.diffusion.loading import load

        loaded = load(params)
        engine = text_engine(params, vocabulary)
        lettering: dict[str, Any] = {"engine": engine.name, "version": engine.version}
        if draws(engine):
            lettering |= engine.provenance
        self.provenance: Mapping[str, Any] = loaded.provenance | {"lettering": lettering}
        self.version = f"{loaded.version} lettering={engine.name}-{engine.version}"
        settings = params.render.own(Diffusion)
        few = settings.model_copy(update={"steps": few_steps(settings)})
        self._drawing = Drawing(
            params,
            family_of(loaded, settings),
            family_of(loaded, few),
            engine,
            loaded.place.device,
            lambda: _interrupt(loaded),
        )

    def refuses(self, scene: Scene) -> str | None:
        """A pipeline draws whatever has a prompt."""
        return None if scene["prompt"] else "diffusion needs a prompt"

    def draw(self, scene: Scene) -> Depiction:
        """The first attempt at the scene, an RGB image of ``render.size`` pixels a side."""
        (drawn,) = self.draw_batches([[Attempt(scene, 0, scene["seed"])]])
        return Depiction(drawn.image)

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Each attempt by itself, or as many as have room whose prompts can be stacked.

        Depends on the attempts, in their order, and on the batch size alone.
        """
        return self._drawing.batches(attempts)

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn]:
        """The images of these batches, in order, drawn ahead by a batch or two.

        Raises
        ------
        UserError
            There is not enough memory for a single image.
        """
        return self._drawing.draw(batches)


def few_steps(settings: Diffusion) -> int:
    """Steps of what is not kept; with a refiner at least one of them is in its share."""
    share = 1.0 if settings.refiner is None else 1 - settings.refiner.start
    return min(settings.steps, max(_FEW_STEPS, math.ceil(1 / share)))


def _interrupt(loaded: Loaded) -> None:
    """Have pipelines that are at work skip the steps that are left."""
    for pipeline in (loaded.pipeline, loaded.refiner):
        if pipeline is not None:
            pipeline._interrupt = True  # each call of a pipeline begins by taking it back
