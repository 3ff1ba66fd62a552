"""The scenario corruption: which image gets what, whatever else is in the shard."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS
from lvlmbench.stages.scenario.kinds.corruption.kinds.warp import warped
from lvlmbench.stages.scenario.kinds.corruption.scenario import Corruptions
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES, first_kinds
from lvlmbench.stages.scenario.kinds.corruption.sheets import sheet, spread
from lvlmbench.stages.scenario.pixels import decode, encode
from lvlmbench.stages.scenario.scenario import SCENARIOS, Shard
from support.foreground_mask import pictures

KINDS = first_kinds()


def parameters(seed: int = 7, name: str = "corruption", **given_: Any) -> Params:
    noisy = {"name": name, "kind": "corruption", "corruption": given_}
    return validate(
        {
            "snapshot": {"seed": seed},
            "scenarios": {"names": ["clean", name], "noisy": [noisy]},
        }
    )


def scenario(params: Params) -> Any:
    spec = params.scenarios.noisy[0]
    return SCENARIOS.get(spec.registered, "test").make(params, spec, {})


def clean(number: int, subtask: str = "animal", data: bytes | None = None) -> dict[str, Any]:
    scene = seeding.item_id("scene", subtask, number)
    rng = np.random.default_rng(number)
    pixels = cv2.blur(rng.integers(0, 256, (24, 40, 3), dtype=np.uint8), (3, 3))
    image_id = seeding.item_id(scene, "clean")
    return {
        "image_id": image_id,
        "scene_id": scene,
        "scenario": "clean",
        "image": {"bytes": encode(pixels) if data is None else data, "path": f"{image_id}.png"},
        "width": 40,
        "height": 24,
        "renderer": "test",
        "renderer_version": "1",
        "subtask": subtask,
        "ordinal": number,
    }


CLEAN = [clean(number) for number in range(40)]


def shard(rows: list[dict[str, Any]]) -> Shard:
    images = tables.IMAGES.of(rows)
    return Shard(
        images=images,
        scenes=tables.SCENES.of(rows),
        questions=tables.QUESTIONS.empty_table(),
        around=images.slice(0, 0),
    )


def shown(rows: list[dict[str, Any]], **given_: Any) -> list[dict[str, Any]]:
    return list(scenario(parameters(**given_)).apply(shard(rows)))


def test_each_image_gets_one_damage_that_is_recorded() -> None:
    rows = shown(CLEAN)
    tables.IMAGES.of(rows)
    assert [row["scene_id"] for row in rows] == [row["scene_id"] for row in CLEAN]
    assert len({row["image_id"] for row in rows}) == len(CLEAN)
    for row, before in zip(rows, CLEAN, strict=True):
        assert row["scenario"] == "corruption" and row["question_id"] is None
        assert row["perturbation"]["kind"] in KINDS
        assert row["perturbation"]["severity"] in SEVERITIES
        assert json.loads(row["perturbation"]["parameters"])
        assert row["image"]["bytes"].startswith(b"\x89PNG")
        assert (row["width"], row["height"]) == (40, 24)
        pixels = decode(row)
        assert pixels is not None and pixels.shape == (24, 40, 3)
        assert (pixels != decode(before)).any()


def test_kinds_and_severities_are_drawn_evenly() -> None:
    drawn = Corruptions(params := parameters(), params.scenarios.noisy[0])
    choices = [drawn.choice(seeding.item_id(i), "animal") for i in range(5500)]
    kinds, severities = Counter(k for k, _ in choices), Counter(s for _, s in choices)
    assert set(kinds) == set(KINDS) and set(severities) == set(SEVERITIES)
    assert max(abs(n - 500) for n in kinds.values()) < 100
    assert max(abs(n - 1100) for n in severities.values()) < 140


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(12)), st.integers(1, 11))
def test_order_and_shards_change_no_byte(order: list[int], cut: int) -> None:
    whole = {row["image_id"]: row for row in shown(CLEAN[:12])}
    mixed = [CLEAN[i] for i in order]
    parts = [*shown(mixed[:cut]), *shown(mixed[cut:])]
    assert [row["scene_id"] for row in parts] == [row["scene_id"] for row in mixed]
    assert {row["image_id"]: row for row in parts} == whole


def test_seed_and_name_change_what_is_drawn() -> None:
    base = [row["perturbation"] for row in shown(CLEAN)]
    for other in ({"seed": 8}, {"name": "damaged"}):
        assert [row["perturbation"] for row in shown(CLEAN, **other)] != base


def test_parameters_fix_kind_and_severity() -> None:
    rows = shown(CLEAN, kinds=["spatter"], severities=[4])
    assert {(r["perturbation"]["kind"], r["perturbation"]["severity"]) for r in rows} == {
        ("spatter", 4)
    }


def test_strengths_take_the_place_of_the_table() -> None:
    """One entry for all severities, or one of each; other kinds stay as they are."""
    usual = shown(CLEAN)
    given = {
        "jpeg_compression": [50],
        "rotation": [10, 19, 28, 36, 45],
        "coarse_dropout": [[0.1, 8]],
    }
    turned = dict(zip(SEVERITIES, given["rotation"], strict=True))
    seen = set()
    for before, after in zip(usual, shown(CLEAN, strengths=given), strict=True):
        kind, severity = (after["perturbation"][name] for name in ("kind", "severity"))
        assert (kind, severity) == tuple(before["perturbation"][n] for n in ("kind", "severity"))
        about = json.loads(after["perturbation"]["parameters"])
        if kind == "jpeg_compression":
            assert about["quality"] == 50
        elif kind == "rotation":
            assert abs(about["degrees"]) == turned[severity]
        elif kind not in given:
            assert after == before
        seen.add(kind)
    assert {*given} <= seen


@pytest.mark.parametrize(
    ("strengths", "said"),
    [
        ({"jpeg": [50]}, "'jpeg' is not known; use one of"),
        ({"rotation": [10, 45]}, "rotation has 2 entries; give 1 or 5"),
        ({"coarse_dropout": [0.1]}, "takes share, side: 2 number"),
        ({"rotation": [-1]}, "rotation: degrees is -1; it goes from 0 to 180"),
        ({"shot_noise": [0]}, "shot_noise: photons is 0; it goes from 0.1"),
        ({"gaussian_blur": [0]}, "gaussian_blur: sigma is 0"),
        ({"spatter": [[0.2, 2, 0]]}, "spatter: opacity is 2; it goes from 0 to 1"),
        ({"jpeg_compression": [500]}, "quality is 500; it goes from 1 to 100"),
        ({"jpeg_compression": [True]}, "true and false mean nothing here"),
        ({"gaussian_noise": [float("nan")]}, "sigma is nan"),
    ],
)
def test_strengths_that_do_not_fit(strengths: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parameters(strengths=strengths)


def test_to_leave_a_kind_out_changes_only_the_images_that_had_it() -> None:
    before = shown(CLEAN)
    after = shown(CLEAN, kinds=[kind for kind in reversed(KINDS) if kind != "shear"])
    had = [row["perturbation"]["kind"] == "shear" for row in before]
    assert any(had) and not all(had)
    assert [a == b for a, b in zip(before, after, strict=True)] == [not one for one in had]


def test_every_kind_and_severity_of_each_image() -> None:
    rows = shown(CLEAN[:3], every=True)
    assert len(rows) == 3 * len(KINDS) * len(SEVERITIES)
    assert len({row["image_id"] for row in rows}) == len(rows)
    for start, before in zip(range(0, len(rows), 55), CLEAN, strict=False):
        ways = [
            (row["perturbation"]["kind"], row["perturbation"]["severity"])
            for row in rows[start : start + 55]
            if row["scene_id"] == before["scene_id"]
        ]
        assert ways == [(kind, severity) for kind in KINDS for severity in SEVERITIES]


def test_fewer_kinds_leave_the_others_of_a_curve_as_they_were() -> None:
    whole = {row["image_id"]: row for row in shown(CLEAN[:2], every=True)}
    some = shown(CLEAN[:2], every=True, kinds=["shear", "shot_noise"], severities=[2, 5])
    assert len(some) == 8
    assert all(whole[row["image_id"]] == row for row in some)


def test_a_damage_is_the_same_drawn_or_asked_for() -> None:
    drawn = shown(CLEAN[:5])
    every = shown(CLEAN[:5], every=True)
    for row in drawn:
        twins = [
            other
            for other in every
            if (other["scene_id"], other["perturbation"]) == (row["scene_id"], row["perturbation"])
        ]
        assert len(twins) == 1 and twins[0]["sha256"] == row["sha256"]


def test_only_the_first_scenes_of_each_subtask() -> None:
    rows = [*CLEAN[:4], *(clean(number, "text") for number in (0, 3, 1))]
    found = shown(rows, scenes_per_subtask=2)
    wanted = [row["scene_id"] for row in rows if row["ordinal"] < 2]
    assert [row["scene_id"] for row in found] == wanted and len(wanted) == 4


@pytest.mark.parametrize("data", [b"", b"no picture", CLEAN[0]["image"]["bytes"][:200]])
@pytest.mark.parametrize("every", [False, True])
def test_what_cannot_be_decoded_gives_no_row(data: bytes, every: bool) -> None:
    rows = [clean(100), clean(101, data=data), clean(102)]
    found = shown(rows, every=every)
    assert {row["scene_id"] for row in found} == {rows[0]["scene_id"], rows[2]["scene_id"]}


def test_the_recorded_map_repeats_the_image() -> None:
    for row in shown(CLEAN[:6], kinds=["rotation", "shear"]):
        before = decode(next(c for c in CLEAN if c["scene_id"] == row["scene_id"]))
        assert before is not None
        about = json.loads(row["perturbation"]["parameters"])
        again = warped(before, np.array(about["matrix"]))
        found = decode(row)
        assert found is not None
        assert np.abs(again.astype(int) - found).max() <= 1


#: Kind and severity of the ids scene-0 to scene-1999 in the default snapshot, by the code that
#: knew no registered kinds.
BEFORE = "b7231f00597368c9c33db823c016648df26e65a0fafbd42f926750b57ad853a3"


def test_the_default_snapshot_draws_what_it_always_has() -> None:
    of = scenario(parameters(seed=20261120))
    drawn = [of.choice(f"scene-{i}", "animal") for i in range(2000)]
    assert hashlib.sha256(repr(drawn).encode()).hexdigest() == BEFORE


def test_another_kind_changes_no_draw_of_the_others() -> None:
    """Registered, it changes nothing; named, only the images that it gets."""
    ids = [f"scene-{i}" for i in range(2000)]
    before = [scenario(parameters()).choice(i, "animal") for i in ids]
    curve = list(scenario(parameters(every=True)).ways("scene-0", "animal"))
    fog = CORRUPTIONS.of("fog", lambda pixels, rng, given: (pixels, {}), columns=(), rows=((),) * 5)
    with CORRUPTIONS.temporarily({"fog": fog}):
        assert [scenario(parameters()).choice(i, "animal") for i in ids] == before
        assert list(scenario(parameters(every=True)).ways("scene-0", "animal")) == curve
        of = scenario(parameters(kinds=[*KINDS, "fog"]))
        after = [of.choice(i, "animal") for i in ids]
        every = list(
            scenario(parameters(every=True, kinds=[*KINDS, "fog"])).ways("scene-0", "animal")
        )
    assert every == [*curve, *(("fog", severity) for severity in SEVERITIES)]
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert {new[0] for _, new in changed} == {"fog"}
    assert all(old[1] == new[1] for old, new in changed), "severities stay"
    assert abs(len(changed) - 2000 / 12) < 50


@pytest.mark.parametrize(
    ("given_", "parts"),
    [
        ({"kinds": ["fog"]}, ["kinds.0", '(got "fog")', *KINDS]),
        ({"severities": [6]}, ["severities.0", "1, 2, 3, 4 or 5", "(got 6)"]),
        ({"severities": [0]}, ["severities.0", "1, 2, 3, 4 or 5", "(got 0)"]),
        ({"kinds": []}, ["kinds", "at least 1"]),
        ({"kinds": ["shear", "shear"]}, ["kinds", "'shear' is listed twice"]),
        ({"kinds": "shear"}, ["kinds: should be a list"]),
        ({"scenes_per_subtask": 0}, ["scenes_per_subtask", "(got 0)"]),
        ({"severity": 3}, ["severity: is not a known key", "did you mean 'severities'?"]),
    ],
)
def test_mistakes_are_told_in_one_line(given_: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        parameters(**given_)
    line = str(caught.value)
    assert "\n" not in line and "scenarios.noisy.0.corruption" in line
    for part in parts:
        assert part in line, line


def test_planning_imports_nothing_heavy() -> None:
    code = (
        "import sys; from lvlmbench.stages.scenario.scenario import SCENARIOS;"
        "import lvlmbench.stages.scenario.kinds.corruption;"
        "print(sorted({'cv2', 'scipy', 'skimage', 'PIL', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_contact_sheet_shows_the_clean_images_above_the_severities(tmp_path: Path) -> None:
    rows = [clean(i, data=encode(pixels)) for i, (pixels, _) in enumerate(pictures(3, 64))]
    rows.insert(1, clean(9, data=b"damaged"))
    chosen = spread(rows, 2)
    assert [row["image_id"] for row in chosen] == [rows[0]["image_id"], rows[3]["image_id"]]
    found = sheet(chosen, "gaussian_noise", 64)
    assert found.shape == (6 * 68, 2 * 68, 3)
    np.testing.assert_array_equal(found[:64, :64], decode(chosen[0]))

    part = tmp_path / "part-00000.parquet"
    tables.write_rows(rows, part, tables.IMAGES, "test")
    command = [sys.executable, "scripts/corruption_sheets.py", "--images", str(part)]
    command += ["--out", str(tmp_path / "out"), "--count", "2", "--side", "48"]
    done = subprocess.run(
        [*command, "--kinds", "shear", "spatter"],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT_ROOT,
    )
    assert len(done.stdout.splitlines()) == 2
    for name in ("shear", "spatter"):
        data = (tmp_path / "out" / f"{name}.png").read_bytes()
        with Image.open(io.BytesIO(data)) as image:
            assert image.size == (2 * 52, 6 * 52)


def test_what_turns_a_picture_is_not_drawn_where_places_are_asked_for() -> None:
    turning = {"rotation", "shear"}
    assert {kind.name for kind in CORRUPTIONS.ordered() if kind.moves} == turning
    assert {name for name, each in SUBTASKS.items() if each.placed} >= {"spatial"}
    of, ids = scenario(parameters()), [seeding.item_id(i) for i in range(500)]
    plain, placed = ([of.choice(i, name) for i in ids] for name in ("animal", "spatial"))
    assert {kind for kind, _ in plain} == {*KINDS} and {k for k, _ in placed} == {*KINDS} - turning
    # Who had another kind keeps it, and all keep their severity.
    kept = [(a, b) for a, b in zip(plain, placed, strict=True) if a[0] not in turning]
    assert len(kept) < 500 and all(a == b for a, b in kept)
    assert [severity for _, severity in plain] == [severity for _, severity in placed]
    every = list(scenario(parameters(every=True)).ways("scene-0", "spatial"))
    assert {kind for kind, _ in every} == {*KINDS} - turning
    none = scenario(parameters(kinds=[*turning]))
    assert list(none.ways("scene-0", "spatial")) == []
    rows = [clean(0, "spatial"), clean(1, "animal")]
    assert [r["scene_id"] for r in shown(rows, kinds=["rotation"])] == [rows[1]["scene_id"]]
