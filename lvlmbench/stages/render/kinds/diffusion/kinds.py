"""Classes of pipelines: which of them draw from a text alone."""

from __future__ import annotations

from typing import Any

from lvlmbench.core.errors import UserError

SDXL = "StableDiffusionXLPipeline"
REFINER = "StableDiffusionXLImg2ImgPipeline"

#: What a class draws from or makes, by a part of its name, where that is not a picture of a text.
_OTHERS = {
    "Img2Img": "draws from another picture",
    "Inpaint": "fills holes in a picture",
    "Upscale": "enlarges pictures",
    "Depth2Img": "draws from another picture",
    "InstructPix2Pix": "changes pictures",
    "Edit": "changes pictures",
    "ControlNet": "draws from another picture",
    "Control": "draws from another picture",
    "Adapter": "draws from another picture",
    "ImageVariation": "draws from another picture",
    "Prior": "makes no pictures by itself",
    "Layered": "draws from another picture",
    "Video": "makes videos",
    "AnimateDiff": "makes videos",
    "CogVideo": "makes videos",
    "Wan": "makes videos",
    "LTX": "makes videos",
    "Mochi": "makes videos",
    "Allegro": "makes videos",
    "Helios": "makes videos",
    "Audio": "makes sounds",
    "Music": "makes sounds",
    "Dance": "makes sounds",
    "ShapE": "makes shapes in space",
}

_FIX = "give a text-to-image pipeline, such as one of SDXL, Stable Diffusion 3.5 or FLUX"


def check(kind: str, model: str, where: str) -> None:
    """Check that the class is not known to draw something else; import nothing.

    Raises
    ------
    UserError
        It is.
    """
    for word, makes in _OTHERS.items():
        if word in kind and not kind.startswith("Wuerstchen"):
            what = f"'{model}' is a {kind}, which {makes}"
            fix = _FIX if kind != REFINER else "give the base here, and this one as 'refiner'"
            raise UserError(f"{where}: model", what, fix)


def text_to_image(package: Any, kind: str, model: str, where: str) -> Any:
    """Return the class itself, one that diffusers counts among those that draw from a text.

    Raises
    ------
    UserError
        It is none of them.
    """
    check(kind, model, where)
    from diffusers.pipelines.auto_pipeline import AUTO_TEXT2IMAGE_PIPELINES_MAPPING

    for each in AUTO_TEXT2IMAGE_PIPELINES_MAPPING.values():
        if each.__name__ == kind:
            return each
    known = hasattr(package, kind)
    what = f"'{model}' is a {kind}, which " + (
        "does not draw from a text alone" if known else f"diffusers {package.__version__} has not"
    )
    raise UserError(f"{where}: model", what, _FIX)


def check_size(kind: str, size: int, where: str) -> None:
    """Check that the pipeline draws squares of that many pixels a side.

    Raises
    ------
    UserError
        It rounds them to another size.
    """
    if kind.startswith(("StableDiffusion3", "Flux")) and size % 16:
        down = size - size % 16
        what = f"{size} is not a multiple of 16, which a {kind} needs"
        raise UserError(where, what, f"use {down} or {down + 16}")
