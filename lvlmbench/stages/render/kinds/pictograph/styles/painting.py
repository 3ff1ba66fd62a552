"""Painted styles: oil, watercolor, pointillism."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.styles import cells, pixels, textures
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng, to_l


@STYLES.register("oil painting")
def oil(picture: Picture, rng: Rng) -> Image.Image:
    """Thick directional brush strokes with a wet relief on canvas."""
    size = picture.image.width
    fine = cells.strokes(size, pixels.unit(size, 12, 2), pixels.unit(size, 5, 2))
    coarse = cells.strokes(size, pixels.unit(size, 21, 4), pixels.unit(size, 6, 2))
    image, light = cells.assemble(
        pixels.saturate(picture.image, 118), picture.mask, fine, coarse, rng, 13, (1, 3)
    )
    weave = (
        textures.fibers(size, rng, 9).astype(np.int16) + textures.fibers(size, rng, 9).T - 256
    ) // 24
    return pixels.shade(image, (light + weave).astype(np.uint8))


@STYLES.register("watercolor painting")
def watercolor(picture: Picture, rng: Rng) -> Styled:
    """Thin bleeding washes with dark rims on rough paper, white at the margins."""
    size = picture.image.width
    image = textures.waver(picture, rng, 31, pixels.unit(size, 4))
    bled = image.filter(ImageFilter.BoxBlur(pixels.unit(size, 3)))
    image = Image.blend(image, bled, 0.55)
    rims = pixels.contrast(image, pixels.unit(size, 2)).point([min(90, v) for v in range(256)])
    wash = pixels.saturate(image, 125).point(pixels.curve(66, 255) * 3)
    wash = ImageChops.subtract(wash, Image.merge("RGB", (rims, rims, rims)))
    pools = textures.mottle(size, rng, 45).astype(np.int16) >> 3
    tooth = textures.mottle(size, rng, 3).astype(np.int16) >> 4
    wash = pixels.shade(wash, (108 + pools + tooth).clip(0, 255).astype(np.uint8))
    rim = _margin(size) + (textures.mottle(size, rng, 31).astype(np.int16) >> 1)
    cover = np.clip((rim - 118) * 6, 0, 255).astype(np.uint8)
    paper = pixels.tone(
        to_l(textures.mottle(size, rng, 3)), [(0, (240, 237, 228)), (255, (255, 254, 250))]
    )
    ids = ids_of(picture)
    seen = ImageChops.darker(ids, to_l(cover).point([0] * 128 + [255] * 128))
    return Styled(Image.composite(wash, paper, to_l(cover)), seen, whole=ids)


def _margin(size: int) -> pixels.I16:
    """Distance to the border, 0 at the border and 255 from a tenth of the side inward."""
    line = np.arange(size)
    near = np.minimum(line, size - 1 - line)
    depth = np.minimum(near[:, None], near[None, :])
    inward: pixels.I16 = np.minimum(depth * 2550 // size, 255).astype(np.int16)
    return inward


@STYLES.register("pointillism")
def pointillism(picture: Picture, rng: Rng) -> Image.Image:
    """Small round dabs of separate colors on cream canvas."""
    size = picture.image.width
    fine = cells.dots(size, pixels.unit(size, 7, 3), pixels.unit(size, 3, 1))
    coarse = cells.dots(size, pixels.unit(size, 11, 4), pixels.unit(size, 5, 1))
    image, light = cells.assemble(
        pixels.saturate(picture.image, 125), picture.mask, fine, coarse, rng, 40, (1, 2)
    )
    canvas = pixels.flat(size, (246, 238, 218))
    return Image.composite(image, canvas, to_l(light).point([0] + [255] * 255))
