"""A user's own pictures: used rightly, or one line with the file and what to do."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from lvlmbench.core.decoding import given_picture
from lvlmbench.core.errors import UserError
from lvlmbench.suites.given.pictures import Pictures, unreadable
from lvlmbench.suites.given.told import Told

SIZE = (60, 40)


def _bytes(kind: str, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, SIZE, 3).save(out, kind)
    return out.getvalue()


def _png_that_claims(side: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        end = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + end

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (_bytes("PNG")[:60], "is no picture that can be decoded to its end; fetch it again, or"),
        (b"", "is no picture that can be decoded to its end; fetch it again, or"),
        (b"a text", "is no picture that can be decoded to its end; fetch it again, or"),
        # Short enough on each side, yet more pixels than are decoded.
        (_png_that_claims(16_000), "has more pixels than are decoded; give one of at most 178 mil"),
    ],
)
def test_what_is_no_picture_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "own.png"
    path.write_bytes(data)
    with pytest.raises(UserError, match=f"^own: {said}"):
        given_picture(path, "own")


@pytest.mark.parametrize("data", [_bytes("JPEG", "CMYK"), _bytes("GIF", "L"), _bytes("PNG", "P")])
def test_odd_kinds_of_pictures_are_shown(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "own.jpg"
    path.write_bytes(data)
    shown = given_picture(path, "own")
    assert (shown.mode, shown.size) == ("RGB", SIZE)


def test_a_picture_lies_as_its_camera_noted(tmp_path: Path) -> None:
    noted = Image.Exif()
    noted[0x0112] = 6
    Image.new("RGB", SIZE).save(tmp_path / "own.jpg", exif=noted)
    assert given_picture(tmp_path / "own.jpg", "own").size == SIZE[::-1]


def test_a_link_to_nowhere_is_found_by_its_name_and_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "dog.jpg").symlink_to("moved/dog.jpg")
    told = Told()
    found = Pictures(tmp_path, tmp_path).find("dog.jpg", "list.json", 1, told)
    assert found is not None and not told.mistakes
    said = "dog.jpg: is a link to 'moved/dog.jpg', which is not there; put the file there, or in"
    assert [str(line)[: len(said)] for line in unreadable([found], tmp_path)] == [said]


def test_a_picture_that_was_taken_away_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^own: is not there; put it there"):
        given_picture(tmp_path / "own.jpg", "own")
