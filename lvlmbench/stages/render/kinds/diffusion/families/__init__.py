"""What a renderer does with a loaded pipeline, by kind of pipeline: encode, denoise, decode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lvlmbench.stages.render.kinds.diffusion.families.family import Encoded, Family
from lvlmbench.stages.render.kinds.diffusion.families.flux import Flux
from lvlmbench.stages.render.kinds.diffusion.families.general import General
from lvlmbench.stages.render.kinds.diffusion.families.sd3 import StableDiffusion3
from lvlmbench.stages.render.kinds.diffusion.families.stable_diffusion import StableDiffusion
from lvlmbench.stages.render.kinds.diffusion.families.stable_diffusion_xl import StableDiffusionXL

if TYPE_CHECKING:
    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

__all__ = ["Encoded", "Family", "family_of"]

#: Class of diffusers -> family. Any other pipeline is of the general family.
_FAMILIES: dict[str, Callable[[Loaded, Diffusion], Family]] = {
    "StableDiffusionXLPipeline": StableDiffusionXL,
    "StableDiffusionPipeline": StableDiffusion,
    "StableDiffusion3Pipeline": StableDiffusion3,
    "FluxPipeline": Flux,
}


def family_of(loaded: Loaded, settings: Diffusion) -> Family:
    """The family of a loaded pipeline.

    Raises
    ------
    UserError
        The scheduler draws noise that does not come from the generator of an image.
    """
    kinds = [kind.__name__ for kind in type(loaded.pipeline).__mro__]
    known = next((_FAMILIES[kind] for kind in kinds if kind in _FAMILIES), General)
    return known(loaded, settings)
