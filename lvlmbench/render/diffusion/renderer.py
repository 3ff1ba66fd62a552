"""Renderer ``diffusion``: any text-to-image pipeline of diffusers, by hub id or local folder.

One generator an image, seeded from the scene, and one image at a time: an image does not depend
on what else is in its shard. On the same hardware and library versions the same scene gives the
same bytes; on other hardware it need not (docs/renderers.md).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from lvlmbench.errors import UserError
from lvlmbench.render.base import Scene

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params

_WHERE = "render.diffusion.model"


def _load(params: Params) -> tuple[Any, str]:
    """The pipeline on its device, and the version of diffusers.

    Raises
    ------
    UserError
        diffusers is not installed, or the weights cannot be found or read.
    """
    from lvlmbench import torchvision_hook

    torchvision_hook.install()
    try:
        import diffusers
        import torch
    except ImportError as error:
        raise UserError(
            "render.renderer: diffusion", f"needs {error.name}", "install the group 'diffusion'"
        ) from None

    wanted = params.render.diffusion
    auto: Any = diffusers.AutoPipelineForText2Image
    try:
        pipeline = auto.from_pretrained(
            wanted.model,
            revision=wanted.revision,
            dtype=getattr(torch, "float32" if wanted.dtype == "auto" else wanted.dtype),
            use_safetensors=True,
        )
    except (OSError, ValueError, RuntimeError) as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "no reason given")
        raise UserError(
            _WHERE,
            f"'{wanted.model}' could not be loaded ({reason[:200]})",
            "give a local folder that holds the pipeline, or a hub id that this machine can reach",
        ) from None
    pipeline.set_progress_bar_config(disable=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return pipeline.to(device), str(diffusers.__version__)


class DiffusionRenderer:
    """Draws a scene from its prompt and negative prompt."""

    name = "diffusion"

    def __init__(self, params: Params) -> None:
        wanted = params.render.diffusion
        self._pipeline, library = _load(params)
        self._size = params.render.size
        self._options = {
            "num_inference_steps": wanted.steps,
            "guidance_scale": wanted.guidance,
            "width": self._size,
            "height": self._size,
        }
        self._takes = set(inspect.signature(self._pipeline.__call__).parameters)
        self.version = (
            f"diffusers{library} {wanted.model}@{wanted.revision or 'unpinned'} "
            f"{wanted.dtype} steps={wanted.steps} guidance={wanted.guidance:g}"
        )

    def refuses(self, scene: Scene) -> str | None:
        """A pipeline draws whatever has a prompt."""
        return None if scene["prompt"] else "diffusion needs a prompt"

    def draw(self, scene: Scene) -> Image.Image:
        """The scene as an RGB image of ``render.size`` pixels a side."""
        import torch

        # The noise comes from the CPU's generator, so that it is the same on every device.
        options = self._options | {
            "prompt": scene["prompt"],
            "negative_prompt": scene["negative_prompt"] or None,
            "generator": torch.Generator("cpu").manual_seed(scene["seed"]),
        }
        result = self._pipeline(**{k: v for k, v in options.items() if k in self._takes})
        image: Image.Image = result.images[0].convert("RGB")
        return image
