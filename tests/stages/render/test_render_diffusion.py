"""The diffusion renderer on a tiny SDXL with random weights: the real pipeline, no download."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.drawing import Drawing
from lvlmbench.stages.render.kinds.diffusion.renderer import DiffusionRenderer
from lvlmbench.stages.render.renderer import Attempt, Drawn
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from support import render_scenes, tiny_diffusion

pytest.importorskip("diffusers")

LONG = "a red fox on a beach " * 12


@pytest.fixture(scope="module")
def tiny_sdxl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an SDXL pipeline of a few thousand parameters."""
    return tiny_diffusion.sdxl(tmp_path_factory.mktemp("sdxl"))


def renderer(model: Path | str, **more: Any) -> DiffusionRenderer:
    """One that draws 64 pixels a side in two steps."""
    about = {"model": str(model), "steps": 2, "device": "cpu"} | more
    params = validate({"render": {"renderer": "diffusion", "size": 64, "diffusion": about}})
    made = make_renderer(params, render_scenes.vocabulary())
    assert isinstance(made, DiffusionRenderer)
    return made


@pytest.fixture(scope="module")
def exact(tiny_sdxl: Path) -> DiffusionRenderer:
    """The renderer that draws one by one."""
    return renderer(tiny_sdxl)


def scene(seed: int, prompt: str = "a red fox on a beach", **more: Any) -> dict[str, Any]:
    """A scene of an animal, unless told."""
    about = {"prompt": prompt, "negative_prompt": "blurry", "seed": seed}
    return render_scenes.scene("animal", "fox", seed) | about | more


def firsts(count: int) -> list[Attempt]:
    """First attempts at scenes, each third of which has a prompt of several pieces."""
    prompts = [LONG if i % 3 == 0 else f"fox number {i}" for i in range(count)]
    return [Attempt(scene(i, prompt), 0, i) for i, prompt in enumerate(prompts)]


def pngs(drawn: Sequence[Drawn]) -> dict[int, bytes]:
    """The files, by the number of the scene."""
    return {d.attempt.scene["seed"]: png_bytes(d.image) for d in drawn}


def draw(draws: DiffusionRenderer, attempts: Sequence[Attempt]) -> list[Drawn]:
    """All of them, as a shard draws them."""
    return list(draws.draw_batches(draws.batches(attempts)))


@pytest.fixture(scope="module")
def alone(exact: DiffusionRenderer) -> dict[int, bytes]:
    """What 16 scenes give, each by itself."""
    return {a.seed: png_bytes(exact.draw(a.scene).image) for a in firsts(16)}


@pytest.fixture
def three_threads() -> Iterator[None]:
    """What torch takes on a machine with three cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("three_threads")
def test_the_number_of_cores_changes_no_byte(tiny_sdxl: Path, alone: dict[int, bytes]) -> None:
    made = renderer(tiny_sdxl)
    assert {a.seed: png_bytes(made.draw(a.scene).image) for a in firsts(3)}.items() <= alone.items()


def test_a_scene_gives_the_same_bytes_in_any_shard_and_order(
    exact: DiffusionRenderer, tiny_sdxl: Path, alone: dict[int, bytes]
) -> None:
    assert len(set(alone.values())) == 16
    attempts = firsts(16)
    assert pngs(draw(exact, attempts)) == alone
    another = renderer(tiny_sdxl)
    mixed = random.Random(5).sample(attempts, 16)
    parts = [draw(another, mixed[start : start + 4]) for start in range(0, 16, 4)]
    assert {seed: png for part in parts for seed, png in pngs(part).items()} == alone
    assert another.version == exact.version and another.provenance == exact.provenance


@pytest.mark.parametrize("beside", [True, False])
def test_nothing_depends_on_what_goes_on_beside(
    exact: DiffusionRenderer,
    alone: dict[int, bytes],
    beside: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr(Drawing, "_beside", lambda self: beside)
    before = torch.random.get_rng_state()
    drawn = draw(exact, firsts(5))
    assert pngs(drawn) == {seed: png for seed, png in alone.items() if seed < 5}
    assert torch.equal(before, torch.random.get_rng_state())
    making = drawn[0].making
    assert (making.exact, making.batch, making.method) == (True, 1, "text-to-image")
    assert making.prompt_chunks is not None and making.prompt_chunks > 1
    assert drawn[1].making.prompt_chunks == 1 and making.prompt_tokens_cut == 0


def test_batches_give_the_same_pictures_but_for_a_last_bit(
    tiny_sdxl: Path, exact: DiffusionRenderer
) -> None:
    batched = renderer(tiny_sdxl, exact=False, batch_size=5)
    attempts = firsts(16)
    plan = batched.batches(attempts)
    assert [len(batch) for batch in plan] == [5, 5, 5, 1]
    assert plan == batched.batches(attempts)
    for batch in plan:
        assert len({attempt.scene["prompt"] == LONG for attempt in batch}) == 1
    drawn = list(batched.draw_batches(plan))
    assert sorted(d.attempt.seed for d in drawn) == list(range(16))
    assert {(d.making.exact, d.making.batch) for d in drawn} == {(False, 5), (False, 1)}
    for one in drawn:
        own = np.asarray(exact.draw(one.attempt.scene).image, np.int16)
        assert np.abs(np.asarray(one.image, np.int16) - own).max() <= 2
    assert batched.version != exact.version


def test_another_attempt_is_another_image(
    exact: DiffusionRenderer, alone: dict[int, bytes]
) -> None:
    first = firsts(2)[1]
    (again,) = draw(exact, [Attempt(first.scene, 1, 12345)])
    assert again.attempt.number == 1 and png_bytes(again.image) != alone[1]
    assert png_bytes(exact.draw(first.scene | {"prompt": "a blue mug"}).image) != alone[1]


def test_words_of_text_items_are_put_into_the_picture(exact: DiffusionRenderer) -> None:
    label = next(iter(render_scenes.vocabulary().lists["carrier"].by_label))
    text = render_scenes.scene("carrier", label, 3, subtask="text", text="sale", seed=3)
    (drawn,) = draw(exact, [Attempt(text, 0, 3)])
    assert drawn.making.method == "composited" and drawn.image.size == (64, 64)
    assert drawn.image.mode == "RGB"


def test_parameters_reach_the_pipeline_and_the_version(
    tiny_sdxl: Path, exact: DiffusionRenderer, alone: dict[int, bytes]
) -> None:
    many = renderer(tiny_sdxl, steps=3, guidance=9, text={"engine": "prompt"})
    assert png_bytes(many.draw(firsts(1)[0].scene).image) != alone[0]
    assert "steps=3 guidance=9" in many.version and "lettering=prompt-1" in many.version
    assert exact.provenance["lettering"]["engine"] == "composite"
    assert many.refuses(scene(1)) is None
    assert many.refuses(scene(1, "")) == "diffusion needs a prompt"


def test_missing_weights_are_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError) as caught:
        renderer(tmp_path / "empty")
    message = str(caught.value)
    assert message.startswith("render.diffusion: model: ") and "\n" not in message
