"""Filters: the registry, and what the integrity filter finds wrong with an image."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.errors import UserError
from lvlmbench.filters.base import FILTERS, verdict_rows
from lvlmbench.filters.integrity import CONSTANT, OTHER_BYTES, OTHER_SIZE, UNDECODABLE, defect


def png(size: tuple[int, int] = (16, 16), *, constant: bool = False) -> bytes:
    image = Image.new("RGB", size, (10, 20, 30))
    if not constant:
        image.putpixel((3, 4), (200, 20, 30))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def row(data: bytes | None, size: tuple[int, int] = (16, 16), **changed: Any) -> dict[str, Any]:
    return {
        "image_id": "i",
        "scene_id": "s",
        "scenario": "clean",
        "image": {"bytes": data, "path": "i.png"},
        "width": size[0],
        "height": size[1],
        "sha256": hashlib.sha256(data or b"").hexdigest(),
        **changed,
    }


GOOD = png()


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        (row(GOOD), None),
        (row(GOOD, sha256="0" * 64), OTHER_BYTES),
        (row(GOOD, (16, 24)), OTHER_SIZE),
        (row(png((8, 24)), (24, 8)), OTHER_SIZE),
        (row(png(constant=True)), CONSTANT),
        (row(GOOD[: len(GOOD) // 2]), UNDECODABLE),
        (row(b""), UNDECODABLE),
        (row(None), UNDECODABLE),
        (row(GOOD, image=None), UNDECODABLE),
        (row(b"not an image at all"), UNDECODABLE),
    ],
)
def test_defects(image: dict[str, Any], reason: str | None) -> None:
    assert defect(image) == reason


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damage_is_found_and_never_crashes(data: st.DataObject) -> None:
    damaged = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(GOOD) - 1))] ^= data.draw(st.integers(1, 255))
    cut = bytes(damaged[: data.draw(st.integers(0, len(GOOD)))])
    sha256 = hashlib.sha256(GOOD).hexdigest()
    found = defect(row(cut, sha256=sha256))
    assert found == (None if cut == GOOD else found)
    assert (found is None) == (cut == GOOD)


def test_rows_follow_the_images() -> None:
    images = pa.Table.from_pylist(
        [row(GOOD, image_id=f"{i}", scene_id=f"s{i}") for i in range(70)]
        + [row(b"x", image_id="bad", scene_id="sbad")],
        schema=tables.IMAGES,
    )
    rows = verdict_rows(FILTERS.get("integrity", "here")(Params()), images)
    assert [r["image_id"] for r in rows] == images["image_id"].to_pylist()
    assert [r["scene_id"] for r in rows] == images["scene_id"].to_pylist()
    assert [r["keep"] for r in rows] == [True] * 70 + [False]
    assert rows[-1]["reason"] == UNDECODABLE
    assert pa.Table.from_pylist(rows, schema=tables.VERDICTS).num_rows == 71


def test_no_images_no_rows() -> None:
    judge = FILTERS.get("integrity", "here")(Params())
    assert verdict_rows(judge, tables.IMAGES.empty_table()) == []


def test_unknown_filter_is_one_line() -> None:
    with pytest.raises(UserError, match=r"^where: 'clarity' is not known; use one of: integrity"):
        FILTERS.get("clarity", "where")
