"""Filters: the registry, and what the integrity filter finds wrong with an image."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS, Filter, Verdict, verdict_rows
from lvlmbench.stages.filter.kinds.integrity import (
    CONSTANT,
    OTHER_BYTES,
    OTHER_SIZE,
    UNDECODABLE,
    defect,
)


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


def integrity(name: str = "integrity") -> Filter:
    spec = FilterSpec(name=name, kind="integrity")  # type: ignore[call-arg]
    return FILTERS.get(spec.registered, "here")(Params(), spec, {})


def scenes(numbers: Iterable[object]) -> pa.Table:
    return tables.SCENES.of([{"scene_id": f"s{n}"} for n in numbers])


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
    images = tables.IMAGES.of(
        [row(GOOD, image_id=f"{i}", scene_id=f"s{i}") for i in range(70)]
        + [row(b"x", image_id="bad", scene_id="sbad")]
    )
    rows = verdict_rows(integrity(), images, scenes(reversed([*range(70), "bad"])))
    assert [r["image_id"] for r in rows] == images["image_id"].to_pylist()
    assert [r["scene_id"] for r in rows] == images["scene_id"].to_pylist()
    assert [r["keep"] for r in rows] == [True] * 70 + [False]
    assert rows[-1]["reason"] == UNDECODABLE
    assert tables.VERDICTS.of(rows).num_rows == 71


def test_no_images_no_rows() -> None:
    assert verdict_rows(integrity(), tables.IMAGES.empty_table(), scenes([])) == []


class Attentive:
    """A filter that keeps what scenes it was shown."""

    name = "attentive"

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        return [Verdict(keep=True, note=scene) for scene in scenes["scene_id"].to_pylist()]


def test_a_filter_sees_the_scene_of_each_image() -> None:
    ids = ["s2", "s0", "s2", "s1"]
    images = tables.IMAGES.of([row(GOOD, scene_id=s) for s in ids])
    rows = verdict_rows(Attentive(), images, scenes(range(9)))
    assert [r["note"] for r in rows] == ids
    with pytest.raises(UserError, match=r"^--scenes: hold no scene s2, of which there is an image"):
        verdict_rows(Attentive(), images, scenes(range(2)))


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        (None, "gives None, which is no list of verdicts"),
        ([True], "gives True, which is no verdict"),
        ([], "gives 0 verdicts for 1 image"),
    ],
)
def test_what_is_no_verdict_is_told_with_the_filter(verdicts: Any, told: str) -> None:
    class Careless(Attentive):
        def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
            return verdicts  # type: ignore[no-any-return]

    images = tables.IMAGES.of([row(GOOD, scene_id="s0")])
    with pytest.raises(UserError) as error:
        verdict_rows(Careless(), images, scenes(range(1)))
    line = str(error.value)
    assert f"{__file__}:" in line and f"Careless.judge: {told}; return a list of one" in line


def test_a_filter_without_a_name_is_told_with_its_file() -> None:
    class Nameless:
        def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
            return [Verdict(keep=True)] * images.num_rows

    images = tables.IMAGES.of([row(GOOD, scene_id="s0")])
    with pytest.raises(UserError, match=r"Nameless: has no name; add what is missing") as error:
        verdict_rows(Nameless(), images, scenes(range(1)))  # type: ignore[arg-type]
    assert f"{__file__}:" in str(error.value)


def test_unknown_filter_is_one_line() -> None:
    with pytest.raises(UserError, match=r"^where: 'clarity' is not known; use one of: .*integrity"):
        FILTERS.get("clarity", "where")
