"""Small versions of a few images, as data URLs."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import IMAGES, open_shard

#: JPEG quality; with full color resolution, since pictographs have hard saturated edges.
QUALITY = 84
#: Images decoded from a shard at once.
_BATCH = 16


def folder_of(snapshot: Snapshot, scenario: str) -> Path | None:
    """Return the folder of a scenario's images; None where none of them may be shown."""
    return snapshot.folder(IMAGES, scenario=scenario) if snapshot.params.shows else None


def image_bytes(folder: Path | None, image_ids: set[str]) -> Iterator[tuple[str, bytes]]:
    """Encoded images of these ids; opens only the shards that hold them, a few rows at a time.

    Rows without an image (scenario ``blind``) are left out, and all where there is no folder, as
    the pictures are private.
    """
    for path in sorted(folder.glob("part-*.parquet")) if folder is not None else ():
        with open_shard(path, pre_buffer=False, buffer_size=1 << 20) as shard:
            here = set(shard.read(columns=["image_id"])["image_id"].to_pylist()) & image_ids
            if not here:
                continue
            for batch in shard.iter_batches(_BATCH, columns=["image_id", "image"]):
                ids = batch.column("image_id").to_pylist()
                images = batch.column("image")
                for i, image_id in enumerate(ids):
                    if image_id in here and images[i].is_valid:
                        yield image_id, images[i]["bytes"].as_py()


def shrink(data: bytes, size: int, where: str) -> bytes:
    """JPEG of an image, at most ``size`` pixels a side.

    Raises
    ------
    UserError
        The bytes are no image; ``where`` names them.
    """
    try:
        with Image.open(io.BytesIO(data)) as source:
            image = source.convert("RGB")
    # Decoders raise whatever their format's code runs into on damaged input.
    except Exception as error:
        raise UserError(
            where, f"is not a readable image ({type(error).__name__})", "render its shard again"
        ) from None
    image.thumbnail((size, size), Image.Resampling.BICUBIC, reducing_gap=None)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY, subsampling=0)
    return out.getvalue()


def of(folder: Path | None, image_ids: set[str], size: int) -> dict[str, str]:
    """Small versions of these images, as URLs by id; those that cannot be decoded are left out."""
    out = {}
    for image_id, data in image_bytes(folder, image_ids):
        try:
            out[image_id] = data_url(shrink(data, size, image_id))
        except UserError:
            continue
    return out


def data_url(jpeg: bytes) -> str:
    """``data:`` URL of a JPEG."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")
