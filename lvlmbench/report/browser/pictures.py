"""Pictures of the browser: small WebP files, or the images as they are in the shards."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from PIL import Image

from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.report.browser.items import GAIN, Picture
from lvlmbench.report.browser.scenes import Shown

#: Effort of the WebP encoder, 0 to 6: twice the time of 2 saves some 3 percent.
_METHOD = 2
MIME = "image/webp"


@dataclass(frozen=True)
class Look:
    """How pictures are made: longest side in pixels, quality of the encoder in percent."""

    side: int
    quality: int


def _decoded(data: bytes) -> Image.Image | None:
    try:
        with Image.open(io.BytesIO(data)) as source:
            return source.convert("RGB")
    # Decoders raise whatever their format's code runs into on damaged input.
    except Exception:
        return None


def small(picture: Picture, image: Image.Image, look: Look) -> bytes:
    """A WebP file of an image; a difference, which is mostly noise, is half as large."""
    side = look.side // 2 if picture.before else look.side
    reduced = image.copy()
    reduced.thumbnail((side, side), Image.Resampling.BICUBIC, reducing_gap=None)
    out = io.BytesIO()
    reduced.save(out, "WEBP", quality=look.quality, method=_METHOD)
    return out.getvalue()


def difference(before: Image.Image, after: Image.Image) -> Image.Image | None:
    """:data:`GAIN` times what changed, around mid-gray; None where the sizes differ."""
    import numpy as np

    if before.size != after.size:
        return None
    a, b = (np.asarray(i, dtype=np.int16) for i in (before, after))
    return Image.fromarray(np.clip(128 + GAIN * (b - a), 0, 255).astype(np.uint8))


def where(pictures: Iterable[tuple[Shown, Picture | None]]) -> dict[str, dict[str, str]]:
    """Scenario -> image id -> hash, for each image once, however many scenes show it.

    The clean scenario comes first: what the others changed is told against it.
    """
    found: dict[str, dict[str, str]] = {}
    seen: set[str] = set()
    for image, picture in sorted(pictures, key=lambda pair: pair[0].scenario != CLEAN):
        if picture is not None and image.sha256 and image.sha256 not in seen:
            seen.add(image.sha256)
            found.setdefault(image.scenario, {})[image.row["image_id"]] = image.sha256
    return found


def decoded(
    snapshot: Snapshot, wanted: Mapping[str, Mapping[str, str]], pictures: Iterable[Picture]
) -> Iterator[tuple[Picture, Image.Image]]:
    """Pictures at full size, in the order of scenarios and shards, the clean ones first.

    In memory are one image at a time and, for the differences, the clean images as the shards
    have them. An image that cannot be decoded has no picture.
    """
    changes: dict[str, list[Picture]] = {}
    plain: set[str] = set()
    for picture in pictures:
        if picture.before is None:
            plain.add(picture.sha256)
        else:
            changes.setdefault(picture.sha256, []).append(picture)
    needed = {p.before for found in changes.values() for p in found}
    before: dict[str, bytes] = {}
    for scenario, ids in wanted.items():
        folder = snapshot.data / "images" / scenario
        for image_id, data in thumbnails.image_bytes(folder, set(ids)):
            sha256 = ids[image_id]
            if sha256 in needed:
                before[sha256] = data
            image = _decoded(data)
            if image is None:
                continue
            if sha256 in plain:
                yield Picture(sha256), image
            for picture in changes.get(sha256, ()):
                clean = _decoded(before.get(picture.before or "", b""))
                changed = difference(clean, image) if clean else None
                if changed is not None:
                    yield picture, changed


def text(data: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(data).decode("ascii")
