"""The scenario resolution: sizes, bytes, what is recorded, and mistakes in its settings."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lvlmbench import tables
from lvlmbench.analysis import records
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.filter.kinds.integrity import defect
from lvlmbench.stages.scenario.kinds.resolution import smaller
from lvlmbench.stages.scenario.pixels import decode
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard
from support.scenario_shards import applied, clean_shard, parameters, part

U8 = NDArray[np.uint8]

SIDES = [64, 40]


def params_of(size: int = 96, **own: Any) -> Params:
    """Parameters with the scenario called low, images of ``size`` pixels."""
    item = {"name": "low", "kind": "resolution", "resolution": {"sides": SIDES} | own}
    return parameters(item, render={"size": size})


def shown(shard: Shard | None = None, **own: Any) -> list[Row]:
    params = params_of(**own)
    return applied(params, "low", clean_shard(params, size=96) if shard is None else shard)


def noise(height: int, width: int) -> U8:
    found: U8 = np.random.default_rng(height).integers(0, 256, (height, width, 3), np.uint8)
    return found


def bicubic(pixels: U8, size: int, axis: int) -> U8:
    """One direction of Pillow's filter, from its definition: a = -0.5, weights in 1/2**22."""
    moved = np.moveaxis(pixels, axis, 0).astype(np.int64)
    n = len(moved)
    scale = n / size
    reach, out = 2.0 * scale, []

    def weight(x: float) -> float:
        x = abs(x)
        if x < 1.0:
            return ((-0.5 + 2.0) * x - (-0.5 + 3.0)) * x * x + 1
        return (((x - 5) * x + 8) * x - 4) * -0.5 if x < 2.0 else 0.0

    for at in range(size):
        middle = (at + 0.5) * scale
        first, last = max(0, int(middle - reach + 0.5)), min(n, int(middle + reach + 0.5))
        given_ = [weight((i + first - middle + 0.5) * (1.0 / scale)) for i in range(last - first)]
        total = 0.0
        for each in given_:
            total += each
        whole = [math.trunc(math.copysign(0.5, w) + w * (1.0 / total) * 2**22) for w in given_]
        summed = sum(w * moved[first + i] for i, w in enumerate(whole)) + 2**21
        out.append(np.clip(summed >> 22, 0, 255))
    return np.moveaxis(np.stack(out), 0, axis).astype(np.uint8)


def test_images_have_the_width_and_height_that_are_recorded() -> None:
    shard = clean_shard(params_of(), size=96)
    rows = shown(shard)
    clean = {row["scene_id"]: row for row in shard.images.to_pylist()}
    assert [row["scene_id"] for row in rows] == [s for s in clean for _ in SIDES]
    assert len({row["image_id"] for row in rows} | {c["image_id"] for c in clean.values()}) == 27
    for row, side in zip(rows, SIDES * 9, strict=True):
        pixels = decode(row)
        assert pixels is not None and pixels.shape == (side, side, 3)
        assert (row["width"], row["height"], row["scenario"]) == (side, side, "low")
        assert row["sha256"] == hashlib.sha256(row["image"]["bytes"]).hexdigest()
        assert row["image"]["path"] == f"{row['image_id']}.png" and row["question_id"] is None
        assert row["renderer"] == "made" and defect(row) is None
        done = row["perturbation"]
        assert (done["kind"], done["severity"]) == ("resolution", 1 + SIDES.index(side))
        about = {"size": [side, side], "before": [96, 96], "filter": "bicubic"}
        assert json.loads(done["parameters"]) == about
        assert records.done(done) == ["Resolution", f"{side} \N{MULTIPLICATION SIGN} {side} px"]
        before = decode(clean[row["scene_id"]])
        assert before is not None
        np.testing.assert_array_equal(pixels, smaller(before, side))


@pytest.mark.parametrize(
    ("size", "side", "wanted"),
    [
        ((60, 60), 32, (32, 32)),
        ((60, 90), 45, (30, 45)),
        ((90, 61), 45, (45, 31)),  # 30.5
        ((500, 2), 32, (32, 1)),
        ((40, 33), 40, None),
        ((20, 33), 40, None),
    ],
)
def test_the_longer_side_is_the_one_asked_for(
    size: tuple[int, int], side: int, wanted: tuple[int, int] | None
) -> None:
    found = smaller(noise(*size), side)
    assert (None if found is None else found.shape[:2]) == wanted


@pytest.mark.parametrize(("size", "side"), [((96, 96), 48), ((96, 96), 40), ((65, 80), 33)])
def test_pixels_are_those_of_the_filter_as_it_is_defined(size: tuple[int, int], side: int) -> None:
    """In whole numbers, so that no processor rounds them in another way."""
    pixels = noise(*size)
    found = smaller(pixels, side)
    assert found is not None
    across = bicubic(pixels, found.shape[1], 1)
    np.testing.assert_array_equal(found, bicubic(across, found.shape[0], 0))


def test_pixels_are_what_they_were() -> None:
    h = hashlib.sha256()
    for side in (32, 64, 100):
        found = smaller(noise(128, 110), side)
        assert found is not None
        h.update(found.tobytes())
    assert h.hexdigest() == "20958617b86f62ab3448e95dbe1a73b56be11ac40ba1cc4d3fa5a87e445fc997"


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(9)), st.integers(1, 8))
def test_order_and_shards_change_no_row(order: list[int], cut: int) -> None:
    shard = clean_shard(params_of(), size=96)
    whole = {row["image_id"]: row for row in shown(shard)}
    parts = [*shown(part(shard, *order[:cut])), *shown(part(shard, *order[cut:]))]
    assert {row["image_id"]: row for row in parts} == whole and len(parts) == 18


def test_another_side_changes_no_image_of_the_others() -> None:
    """Whatever their order; what moves is the rank."""
    two, three = shown(), shown(sides=[40, 50, 64])
    kept = [row for row in three if row["width"] != 50]
    assert [row["perturbation"]["severity"] for row in three] == [1, 2, 3] * 9
    for before, after in zip(two, kept, strict=True):
        same = {key: (before[key], after[key]) for key in before if key != "perturbation"}
        assert all(a == b for a, b in same.values())


def test_only_the_first_scenes_of_each_subtask() -> None:
    shard = clean_shard(params_of(), size=96)
    scenes = zip(*(shard.scenes[n].to_pylist() for n in ("scene_id", "ordinal")), strict=True)
    first = [scene for scene, ordinal in scenes if ordinal < 2]
    assert [row["scene_id"] for row in shown(shard, sides=[32], scenes_per_subtask=2)] == first


def test_what_cannot_be_made_smaller_gives_no_row() -> None:
    """An image of no bytes that decode, or of no more pixels than are asked for."""
    params = params_of()
    shard = clean_shard(params, size=64)
    assert {row["width"] for row in shown(shard)} == {40}
    rows = shard.images.to_pylist()
    rows[3]["image"]["bytes"] = b"no picture"
    broken = Shard(tables.IMAGES.of(rows), shard.scenes, shard.questions, shard.around)
    assert len(shown(broken)) == 8


@pytest.mark.parametrize(("sides", "curve"), [([64], False), ([40, 64], True)])
def test_several_sides_are_a_curve_and_one_is_a_condition(sides: list[int], curve: bool) -> None:
    params = params_of(sides=sides)
    spec = params.scenarios.spec("low")
    kind = SCENARIOS.get("resolution", "")
    assert (spec.in_many_forms, spec.condition, spec.control) == (curve, not curve, False)
    assert kind.scale is not None and kind.images is not None
    assert kind.scale(spec) == [f"{side} px" for side in sorted(sides, reverse=True)]
    assert kind.images(params, spec, 9) == 9 * len(sides)
    few = params_of(sides=sides, scenes_per_subtask=1)
    assert kind.images(few, few.scenarios.spec("low"), 9) == 3 * len(sides)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"sides": []}, ["sides", "at least 1"]),
        ({"sides": [64, 64]}, ["sides", "the side '64' is listed twice"]),
        ({"sides": [31]}, ["sides.0", "32", "(got 31)"]),
        ({"sides": [64.5]}, ["sides.0", "(got 64.5)"]),
        ({"sides": [True]}, ["sides.0", "true and false mean nothing here"]),
        ({"sides": 64}, ["sides: should be a list"]),
        ({"sides": [80, 72, 64, 56, 48, 40]}, ["sides", "at most 5"]),
        ({"side": 64}, ["side: is not a known key", "did you mean 'sides'?"]),
        ({"scenes_per_subtask": 0}, ["scenes_per_subtask", "(got 0)"]),
    ],
)
def test_mistakes_are_told_in_one_line(own: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        params_of(**own)
    line = str(caught.value)
    assert "\n" not in line and "scenarios.noisy.0.resolution" in line
    for each in said:
        assert each in line, line


@pytest.mark.parametrize("sides", [[96], [40, 200]])
def test_a_side_that_is_no_lower_is_told_at_start(sides: list[int]) -> None:
    with pytest.raises(UserError) as caught:
        check_names(params_of(sides=sides), "params.yaml")
    assert str(caught.value) == (
        f"params.yaml: suites.dysca.scenarios.noisy: low: resolution: sides: {max(sides)} is not "
        "below render.size, which is 96; write sides from 32 to 95, e.g. [48]"
    )


def test_the_default_fits_the_default_size() -> None:
    params = validate({"scenarios": {"names": ["resolution"], "noisy": [{"name": "resolution"}]}})
    check_names(params, "params.yaml")
    assert [row["width"] for row in applied(params, "resolution", _one(params))] == [256, 128]


def _one(params: Params) -> Shard:
    """A single image of the size that is drawn by default."""
    small = params_of()
    shard = part(clean_shard(small, size=params.render.size), 0)
    return Shard(shard.images, shard.scenes, shard.questions, shard.around.slice(0, 0))
