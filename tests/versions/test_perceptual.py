"""Perceptual hashes: copies of a picture are found, other pictures are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageEnhance

from lvlmbench.versions import perceptual
from lvlmbench.versions.images import Pictures, pictures_of, shared_pictures
from lvlmbench.versions.perceptual import ALIKE, nearest, perceptual_hash
from support.overlap_scenes import corpus, drawn, image_rows, jpeg, noisy, opened, parameters, png


@pytest.fixture(scope="module")
def pictures() -> dict[str, bytes]:
    """Drawn scenes of all subtasks."""
    params = parameters(21, 4)
    return drawn(params, corpus(params)[0])


def hashes(found: dict[str, bytes]) -> np.ndarray:
    values = [perceptual_hash(data) for data in found.values()]
    assert None not in values
    return np.array(values, dtype=np.uint64)


COPIES: dict[str, Callable[[bytes], bytes]] = {
    "JPEG of quality 50": lambda data: jpeg(data, 50),
    "half the size": lambda data: png(opened(data).resize((32, 32), Image.Resampling.LANCZOS)),
    "three times the size": lambda data: png(opened(data).resize((192, 192))),
    "darker": lambda data: png(ImageEnhance.Brightness(opened(data)).enhance(0.8)),
    "less contrast": lambda data: png(ImageEnhance.Contrast(opened(data)).enhance(0.7)),
    "grey": lambda data: png(opened(data).convert("L").convert("RGB")),
    "noise": lambda data: png(noisy(opened(data), 10)),
}


@pytest.mark.parametrize("change", COPIES)
def test_copies_are_found(pictures: dict[str, bytes], change: str) -> None:
    own = hashes(pictures)
    copies = hashes({scene: COPIES[change](data) for scene, data in pictures.items()})
    distance = np.bitwise_count(own ^ copies)
    assert np.mean(distance <= ALIKE) >= 0.98, sorted(distance.tolist())[-5:]
    found = nearest(own, copies)
    right = found.index == np.arange(len(own))
    assert np.mean(right) >= 0.98, "the picture that it is a copy of is the nearest one"


def test_unrelated_pictures_are_not(pictures: dict[str, bytes]) -> None:
    other = parameters(22, 4)
    others = hashes(drawn(other, corpus(other)[0]))
    found = nearest(hashes(pictures), others)
    assert found.pairs <= 1
    assert np.median(found.distance) > 12


def test_a_blank_picture_has_a_hash_of_its_own() -> None:
    blank = [png(Image.new("RGB", (50, 40), color)) for color in ("white", "black", "red")]
    assert [perceptual_hash(data) for data in blank] == [0, 0, 0]


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_has_no_hash(data: bytes) -> None:
    assert perceptual_hash(data) is None


def test_a_truncated_picture_has_no_hash(pictures: dict[str, bytes]) -> None:
    data = next(iter(pictures.values()))
    assert perceptual_hash(data[: len(data) // 2]) is None


@given(
    st.lists(st.integers(0, 2**64 - 1), max_size=40),
    st.lists(st.integers(0, 2**64 - 1), max_size=40),
    st.integers(0, 64),
    st.booleans(),
)
def test_nearest_is_what_a_plain_loop_finds(
    a: list[int], b: list[int], within: int, others: bool
) -> None:
    a = b if others else a
    found = None
    for tile_b, tile_a in ((32, 8192), (3, 5)):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(perceptual, "_TILE_B", tile_b)
            patched.setattr(perceptual, "_TILE_A", tile_a)
            now = nearest(np.array(a, np.uint64), np.array(b, np.uint64), within, others)
        pairs = 0
        for i, y in enumerate(b):
            near = [(255 if others and i == j else (x ^ y).bit_count(), j) for j, x in enumerate(a)]
            pairs += sum(distance <= within for distance, _ in near)
            distance, index = min(near, default=(255, 0))
            assert (int(now.distance[i]), int(now.index[i])) == (
                distance,
                index if distance < 255 else 0,
            )
        assert now.pairs == pairs
        assert found is None or np.array_equal(found.distance, now.distance)
        found = now


def of(found: dict[str, bytes], rows: int = 1000, reverse: bool = False) -> Pictures:
    table = image_rows(dict(reversed(found.items())) if reverse else found)
    return pictures_of(table.slice(i, rows) for i in range(0, table.num_rows, rows))


def test_planted_copies_among_other_pictures(pictures: dict[str, bytes]) -> None:
    params = parameters(22, 3)
    fresh = drawn(params, corpus(params)[0], 40)
    scenes = list(pictures)
    stolen = {
        "same": pictures[scenes[0]],
        "jpeg": jpeg(pictures[scenes[9]], 60),
        "large": png(opened(pictures[scenes[17]]).resize((150, 150))),
        "dark": png(ImageEnhance.Brightness(opened(pictures[scenes[30]])).enhance(0.8)),
    }
    shown = {scene: f"caption of {scene}" for scene in pictures}
    found = shared_pictures(of(pictures), of(fresh | stolen), shown, {}, listed=4)
    assert (found.n_a, found.n_b, found.identical) == (len(pictures), 44, 1)
    assert 4 <= found.alike <= 5
    assert {pair.b for pair in found.nearest} == {f"image-of-{name}" for name in stolen}
    pairs = {pair.b.removeprefix("image-of-"): pair for pair in found.nearest}
    for name, i in (("same", 0), ("jpeg", 9), ("large", 17), ("dark", 30)):
        assert pairs[name].a == f"image-of-{scenes[i]}"
        assert pairs[name].a_shows == f"caption of {scenes[i]}"
        assert pairs[name].b_shows == "?"


def test_order_and_batches_change_nothing(pictures: dict[str, bytes]) -> None:
    params = parameters(22, 3)
    fresh = drawn(params, corpus(params)[0], 40)
    first = shared_pictures(of(pictures), of(fresh), {}, {})
    again = shared_pictures(of(pictures, 7, True), of(fresh, 11, True), {}, {})
    assert again == first


def test_with_itself_every_picture_is_there(pictures: dict[str, bytes]) -> None:
    own = of(pictures)
    found = shared_pictures(own, own, {}, {}, listed=3)
    assert found.identical == found.alike == found.n_a == len(pictures)
    assert found.alike_inside <= 2
    assert all(pair.a == pair.b and pair.distance == 0 for pair in found.nearest)


def test_damaged_pictures_are_counted(pictures: dict[str, bytes]) -> None:
    few = dict(list(pictures.items())[:5])
    found = of(few | {"broken": b"no picture"})
    assert (len(found.ids), found.unreadable) == (5, 1)
    assert len(found.hashes) == 5
