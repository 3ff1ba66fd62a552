"""Read images, whatever is wrong with their bytes; and a user's own pictures as they are shown."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from PIL import Image

#: Longest side of a user's picture in pixels; a larger one is refused before it is decoded.
LONGEST = 16_384


def picture_of(data: bytes, formats: tuple[str, ...] | None = None) -> Image.Image | None:
    """Return the picture in RGB; None where it cannot be decoded to its end.

    Parameters
    ----------
    formats
        Names that Pillow gives the formats that are read; None: all that it knows.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=formats) as image:
            return image.convert("RGB")
    # Decoders raise whatever their format's code runs into on damaged input (OSError, SyntaxError,
    # ValueError, struct.error ...): each of them means that the image cannot be read.
    except Exception:
        return None


def pictures_of(files: Sequence[bytes], threads: int) -> list[Image.Image | None]:
    """Return :func:`picture_of` each of the files, so many of them decoded beside each other."""
    if threads == 1:
        return [picture_of(data) for data in files]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(picture_of, files))


@dataclass(frozen=True)
class Held:
    """A user's own picture that lies inside a larger file.

    Attributes
    ----------
    where
        Its place in messages.
    read
        Returns its bytes as of a file of its own; a UserError where it cannot.
    """

    where: str
    read: Callable[[], bytes]


def given_picture(path: Path | Held, where: str) -> Image.Image:
    """Return a user's own picture in RGB and in its own size.

    It is turned as its camera noted, what is transparent is white, and grays of 16 bits have the
    nearest of 8.

    Parameters
    ----------
    where
        The file in messages.

    Raises
    ------
    UserError
        The file cannot be read, is no picture, too large, or has pixels of another depth.
    """
    from PIL import Image, ImageOps

    data = path.read() if isinstance(path, Held) else _bytes_of(path, where)
    try:
        with Image.open(io.BytesIO(data)) as image:
            if max(image.size) > LONGEST:
                what = f"has {image.width} x {image.height} pixels"
                raise UserError(where, what, f"give one of at most {LONGEST} a side")
            turned = ImageOps.exif_transpose(image)
            if turned.mode in ("I", "F"):
                raise UserError(where, "has pixels of 32 bits", "save it with 8 or 16 bits")
            if turned.mode.startswith("I;16"):
                turned = _of_8_bits(turned)
            clear = turned.has_transparency_data
            shown = turned.convert("RGBA" if clear else "RGB")
    except UserError:
        raise
    except Image.DecompressionBombError:
        most = 2 * (Image.MAX_IMAGE_PIXELS or 0) // 1_000_000  # Pillow warns of half as many
        fix = f"give one of at most {most} million, and of {LONGEST} a side"
        raise UserError(where, "has more pixels than are decoded", fix) from None
    # As in picture_of.
    except Exception:
        what = "is no picture that can be decoded to its end"
        raise UserError(where, what, "fetch it again, or take its entry out") from None
    if clear:
        white = Image.new("RGBA", shown.size, "white")
        shown = Image.alpha_composite(white, shown).convert("RGB")
    return shown


def _bytes_of(path: Path, where: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        if not path.is_symlink():
            raise UserError(where, "is not there", "put it there, or take its entry out") from None
        what = f"is a link to '{path.readlink()}', which is not there"
        raise UserError(where, what, "put the file there, or in place of the link") from None
    except OSError as error:
        raise UserError(where, f"cannot be read ({error.strerror})", "make it readable") from None


def _of_8_bits(image: Image.Image) -> Image.Image:
    """A gray picture of 16 bits with 8: 65,535 becomes 255."""
    import numpy as np
    from PIL import Image

    grays = np.asarray(image).astype(np.uint32)
    return Image.fromarray(((grays * 255 + 32_767) // 65_535).astype(np.uint8))
