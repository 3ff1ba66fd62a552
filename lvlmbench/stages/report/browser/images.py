"""Pictures of the browser: small WebP files, or the images as they are in the shards."""

from __future__ import annotations

import base64
import io
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image

from lvlmbench.analysis import thumbnails
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.decoding import picture_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.browser.items import GAIN, Picture
from lvlmbench.stages.report.browser.scenes import Shown

A = TypeVar("A")
B = TypeVar("B")

#: Effort of the WebP encoder, 0 to 6: half as much time again saves some 6 percent.
_METHOD = 1
MIME = "image/webp"

#: Threads that decode images, and as many that make small ones of them.
THREADS = 2


@dataclass(frozen=True)
class Look:
    """How pictures are made: longest side in pixels, quality of the encoder in percent."""

    side: int
    quality: int


def small(picture: Picture, image: Image.Image, looks: Iterable[Look]) -> dict[Look, bytes]:
    """WebP files of an image; a difference, which is mostly noise, is half as large."""
    reduced: dict[int, Image.Image] = {}
    found = {}
    for look in looks:
        side = look.side // 2 if picture.before else look.side
        if side not in reduced:
            reduced[side] = _reduced(image, side)
        found[look] = _webp(reduced[side], look.quality)
    return found


def webp(image: Image.Image, side: int, quality: int) -> bytes:
    """A WebP file of an image of at most ``side`` pixels a side."""
    return _webp(_reduced(image, side), quality)


def _reduced(image: Image.Image, side: int) -> Image.Image:
    longest = max(image.size)
    if longest <= side:
        return image
    size = tuple(max(1, round(each * side / longest)) for each in image.size)
    # by whole numbers first: five times as fast, and no eye tells at this size
    return image.resize((size[0], size[1]), Image.Resampling.BICUBIC, reducing_gap=1.0)


def _webp(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=_METHOD)
    return out.getvalue()


def all_small(
    decoded: Iterable[tuple[Picture, Image.Image]], looks: Sequence[Look]
) -> Iterator[tuple[Picture, dict[Look, bytes]]]:
    """WebP files of these images, in their order."""
    return _in_threads(lambda pair: (pair[0], small(*pair, looks)), decoded)


def _in_threads(make: Callable[[A], B], things: Iterable[A]) -> Iterator[B]:
    """What is made of each, in their order: Pillow's work holds no lock of Python's."""
    with ThreadPoolExecutor(THREADS) as pool:
        coming: deque[Future[B]] = deque()
        for thing in things:
            coming.append(pool.submit(make, thing))
            if len(coming) > 2 * THREADS:
                yield coming.popleft().result()
        for future in coming:
            yield future.result()


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


class _Before:
    """Clean images by hash, read along with images that were made from them.

    Both come in the order of the scenes, so that few are held at a time: those that were passed
    on the way to the one asked for, until each has been ``used`` as often as it will be.
    """

    def __init__(
        self, snapshot: Snapshot, clean: Mapping[str, str], used: Counter[str | None]
    ) -> None:
        ids = {image_id: sha256 for image_id, sha256 in clean.items() if used[sha256]}
        read = thumbnails.image_bytes(thumbnails.folder_of(snapshot, CLEAN), set(ids))
        self._coming = ((ids[image_id], data) for image_id, data in read)
        self._left, self._held = Counter(used), dict[str, bytes]()

    def take(self, sha256: str | None) -> Image.Image | None:
        """The image with this hash; None where there is none or it cannot be decoded."""
        if sha256 is None:
            return None
        while sha256 not in self._held:
            found = next(self._coming, None)
            if found is None:
                return None
            self._held[found[0]] = found[1]
        data = self._held[sha256]
        self._left[sha256] -= 1
        if not self._left[sha256]:
            del self._held[sha256]
        return picture_of(data)


def decoded(
    snapshot: Snapshot, wanted: Mapping[str, Mapping[str, str]], pictures: Iterable[Picture]
) -> Iterator[tuple[Picture, Image.Image]]:
    """Pictures at full size, in the order of scenarios and shards, the clean ones first.

    In memory are a few images at a time, and for a difference the one before it. An image that
    cannot be decoded has no picture.
    """
    changes: dict[str, list[Picture]] = {}
    plain: set[str] = set()
    for picture in pictures:
        if picture.before is None:
            plain.add(picture.sha256)
        else:
            changes.setdefault(picture.sha256, []).append(picture)
    for scenario, ids in wanted.items():
        folder = thumbnails.folder_of(snapshot, scenario)
        used = Counter(p.before for sha in ids.values() for p in changes.get(sha, ()))
        clean = _Before(snapshot, wanted.get(CLEAN, {}), used)
        read = thumbnails.image_bytes(folder, set(ids))
        for image_id, image in _in_threads(lambda pair: (pair[0], picture_of(pair[1])), read):
            sha256 = ids[image_id]
            if image is None:
                continue
            if sha256 in plain:
                yield Picture(sha256), image
            for picture in changes.get(sha256, ()):
                before = clean.take(picture.before)
                changed = difference(before, image) if before else None
                if changed is not None:
                    yield picture, changed


def text(data: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(data).decode("ascii")
