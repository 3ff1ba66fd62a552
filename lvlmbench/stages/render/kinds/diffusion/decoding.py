"""From final latents to images: the VAE's decoder and what checks its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor


def not_a_number(dtype: str) -> UserError:
    """Return what to say where a pipeline gives NaN: else the image would silently be black."""
    wider = {
        "float16": "write 'bfloat16' or 'float32'",
        "bfloat16": "write 'float32'",
    }
    return UserError(
        "render.diffusion.dtype",
        f"the pipeline gave NaN in {dtype}",
        wider.get(dtype, "check the weight files of render.diffusion.model"),
    )


def checked(values: Tensor, dtype: str) -> Tensor:
    """Return `values` if all are finite; wait until a GPU has computed them.

    Raises
    ------
    UserError
        Some value is NaN or infinite.
    """
    import torch

    if not bool(torch.isfinite(values).all()):
        raise not_a_number(dtype)
    return values


class Decoder:
    """Decodes latents; only reads the VAE, so that a denoiser may run at the same time.

    Parameters
    ----------
    vae
        The pipeline's; slicing and tiling are as they are set there.
    dtype
        What the pipeline computes in, for messages.
    upcast
        Decode in float32 where the VAE overflows in float16 and its configuration says so. The
        weights are converted here, once.
    """

    def __init__(self, vae: Any, dtype: str, *, upcast: bool) -> None:
        import torch

        self._vae, self._dtype = vae, dtype
        if upcast and vae.dtype == torch.float16 and vae.config.force_upcast:
            vae.to(dtype=torch.float32)

    def _unscaled(self, latents: Tensor) -> Tensor:
        """Latents as the VAE's encoder gives them, from what the denoiser works with."""
        config = self._vae.config
        mean, std = (config.get(name) for name in ("latents_mean", "latents_std"))
        if mean is not None and std is not None:
            means, stds = (latents.new_tensor(v).view(1, -1, 1, 1) for v in (mean, std))
            colored: Tensor = latents * stds / config.scaling_factor + means
            return colored
        shift = config.get("shift_factor")
        scaled: Tensor = latents / config.scaling_factor
        return scaled if shift is None else scaled + shift

    def images(self, latents: Tensor) -> list[Image.Image]:
        """Return RGB images of latents (n, channels, height, width).

        Raises
        ------
        UserError
            The VAE gave NaN.
        """
        import torch
        from diffusers.utils.torch_utils import get_module_execution_device

        with torch.inference_mode():
            latents = latents.to(get_module_execution_device(self._vae), self._vae.dtype)
            pixels = self._vae.decode(self._unscaled(latents), return_dict=False)[0]
            checked(pixels, self._dtype)
            # To 8 bits on the device: a quarter of the bytes to move.
            unit = (pixels * 0.5 + 0.5).clamp(0, 1).float()
            return images_of((unit * 255).round().to(torch.uint8).permute(0, 2, 3, 1))


def images_of(pixels: Tensor) -> list[Image.Image]:
    """Return RGB images of 8-bit values (n, height, width, 3)."""
    from PIL import Image

    return [Image.fromarray(array) for array in pixels.contiguous().cpu().numpy()]
