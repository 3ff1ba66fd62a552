"""The diffusion renderer on a GPU, with tiny pipelines of random weights."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.renderer import DiffusionRenderer
from lvlmbench.stages.render.renderer import Attempt, Drawn
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from support import render_scenes, tiny_diffusion

pytest.importorskip("diffusers")

#: Runs something, and leaves the GPU half of the room that this took.
Room = Callable[[Callable[[], object]], None]

LONG = "a red fox on a beach " * 12
MAKERS: dict[str, Callable[[Path], Path]] = {
    "sdxl": tiny_diffusion.sdxl,
    "sd15": tiny_diffusion.sd15,
    "sd3": tiny_diffusion.sd3,
    "flux": tiny_diffusion.flux,
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tiny pipeline of each family, and a refiner."""
    top = tmp_path_factory.mktemp("pipelines")
    made = {name: make(top / name) for name, make in MAKERS.items()}
    return made | {"refiner": tiny_diffusion.sdxl_refiner(top / "refiner")}


def renderer(model: Path, size: int = 64, **more: Any) -> DiffusionRenderer:
    """One that draws in three steps on the GPU."""
    about = {"model": str(model), "steps": 3, "device": "cuda"} | more
    params = validate({"render": {"renderer": "diffusion", "size": size, "diffusion": about}})
    made = make_renderer(params, render_scenes.vocabulary())
    assert isinstance(made, DiffusionRenderer)
    return made


def attempts(count: int) -> list[Attempt]:
    """First attempts at scenes, each third of which has a prompt of several pieces."""
    made = []
    for i in range(count):
        prompt = LONG if i % 3 == 0 else f"fox number {i}"
        about = {"prompt": prompt, "negative_prompt": "blurry", "seed": i}
        made.append(Attempt(render_scenes.scene("animal", "fox", i) | about, 0, i))
    return made


def draw(draws: DiffusionRenderer, some: Sequence[Attempt]) -> list[Drawn]:
    return list(draws.draw_batches(draws.batches(some)))


def pngs(drawn: Sequence[Drawn]) -> dict[int, bytes]:
    return {d.attempt.seed: png_bytes(d.image) for d in drawn}


def apart(left: Sequence[Drawn], right: Sequence[Drawn]) -> int:
    """Most levels of 8 bits between the images of the same attempts."""
    of = {d.attempt.seed: np.asarray(d.image, np.int16) for d in right}
    assert len(left) == len(of)
    return max(int(np.abs(np.asarray(d.image, np.int16) - of[d.attempt.seed]).max()) for d in left)


@pytest.mark.parametrize("kind", [*MAKERS, "refined"])
def test_a_scene_gives_the_same_bytes_in_any_shard_and_order(
    folders: dict[str, Path], kind: str
) -> None:
    more: dict[str, Any] = {}
    if kind == "refined":
        more = {"refiner": {"model": str(folders["refiner"]), "start": 0.6}}
    folder = folders["sdxl" if kind == "refined" else kind]
    draws, some = renderer(folder, **more), attempts(8)
    assert draws.provenance["device"] == "cuda"
    alone = {a.seed: png_bytes(draws.draw(a.scene).image) for a in some}
    assert len(set(alone.values())) == 8
    assert pngs(draw(draws, some)) == alone
    another = renderer(folder, **more)
    mixed = random.Random(5).sample(some, 8)
    parts = [draw(another, mixed[start : start + 3]) for start in range(0, 8, 3)]
    assert {seed: png for part in parts for seed, png in pngs(part).items()} == alone
    assert another.version == draws.version and another.provenance == draws.provenance


@pytest.mark.parametrize("kind", [*MAKERS])
def test_the_gpu_draws_what_the_cpu_draws(folders: dict[str, Path], kind: str) -> None:
    some = attempts(4)
    there = draw(renderer(folders[kind], dtype="float32"), some)
    here = draw(renderer(folders[kind], dtype="float32", device="cpu"), some)
    assert apart(there, here) <= 2


@pytest.mark.parametrize("kind", [*MAKERS])
def test_batches_give_nearly_the_same(folders: dict[str, Path], kind: str) -> None:
    some = attempts(9)
    exact = draw(renderer(folders[kind], dtype="float32"), some)
    batched = draw(renderer(folders[kind], dtype="float32", exact=False), some)
    assert max(d.making.batch for d in batched) > 1
    assert apart(exact, batched) <= 2


@pytest.mark.parametrize(
    "more",
    [
        {"offload": "model"},
        {"offload": "sequential"},
        {"vae_tiling": True, "vae_slicing": True},
        {"attention": "math"},
        {"channels_last": False},
        {"exact": False, "compile": True, "batch_size": 3},
    ],
    ids=lambda more: next(iter(more)),
)
def test_settings_change_the_way_and_not_the_picture(
    folders: dict[str, Path], more: dict[str, Any]
) -> None:
    some = attempts(3) + attempts(6)[4:]
    plain = draw(renderer(folders["sdxl"], dtype="float32"), some)
    assert apart(plain, draw(renderer(folders["sdxl"], dtype="float32", **more), some)) <= 2


def test_an_image_that_does_not_fit_is_one_line(
    folders: dict[str, Path], room_for_half: Room
) -> None:
    draws = renderer(folders["sdxl"], 1024)
    room_for_half(lambda: draw(draws, attempts(1)))
    with pytest.raises(UserError, match="1024 px does not fit in the memory of this GPU"):
        draw(draws, attempts(1))
