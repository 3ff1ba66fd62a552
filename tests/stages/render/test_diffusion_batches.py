"""How attempts are drawn in batches: who with whom, in which thread, with how much memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion import batches as batches_module
from lvlmbench.stages.render.kinds.diffusion import drawing as drawing_module
from lvlmbench.stages.render.kinds.diffusion import memory as memory_module
from lvlmbench.stages.render.kinds.diffusion.batches import compose
from lvlmbench.stages.render.kinds.diffusion.drawing import Drawing
from lvlmbench.stages.render.kinds.diffusion.embeddings import Embeddings
from lvlmbench.stages.render.kinds.diffusion.families import Encoded
from lvlmbench.stages.render.kinds.diffusion.memory import MOST, batch_that_fits
from lvlmbench.stages.render.kinds.diffusion.overlap import Ahead
from lvlmbench.stages.render.renderer import Attempt, Drawn, Making


@pytest.fixture(autouse=True)
def no_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes long where much is imported, and there is no memory to get back."""
    monkeypatch.setattr(memory_module, "release", lambda: None)


class Family:
    """Draws an image of one color, which says its seed; has room for so many at once."""

    def __init__(self, room: int = 1000, room_decoding: int = 1000) -> None:
        self.room, self.room_decoding = room, room_decoding
        self.encoded: list[tuple[str, str]] = []
        self.denoised: list[int] = []
        self.fails_at: int | None = None

    def encode(self, prompts: Sequence[tuple[str, str]]) -> list[Encoded]:
        self.encoded += prompts
        return [
            Encoded({"prompt": torch.zeros(1, 4)}, len(p.split()) // 5, len(p.split()), 1, 0)
            for p, _ in prompts
        ]

    decodes_beside = True
    reads_negative = True

    def release_encoders(self) -> None:
        pass

    def denoise(self, batch: Sequence[Encoded], seeds: Sequence[int], size: int) -> torch.Tensor:
        assert len(batch) == len(seeds) and not torch.is_grad_enabled()
        if len(batch) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        self.denoised.append(len(batch))
        return torch.tensor(seeds)

    def decode(self, latents: torch.Tensor) -> list[Image.Image]:
        if len(latents) > self.room_decoding:
            raise torch.OutOfMemoryError("CUDA out of memory")
        if self.fails_at in latents.tolist():
            raise ArithmeticError("no such colour")
        return [Image.new("RGB", (64, 64), (0, 0, int(seed))) for seed in latents]


class Engine:
    """Puts a red corner into text items."""

    name, version = "corner", "1"

    def prompts(self, scene: Any) -> tuple[str, str]:
        return f"blank {scene['prompt']}", "letters"

    def finish(self, attempt: Attempt, image: Image.Image) -> tuple[Image.Image, str]:
        done = image.copy()
        done.putpixel((0, 0), (255, 0, 0))
        return done, "composited"


class OwnPipeline:
    """Draws text items itself, two at once at most."""

    name, version, provenance = "own", "1", {"model": "own"}

    def draw(self, attempts: Sequence[Attempt]) -> Iterator[Drawn]:
        if len(attempts) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        for attempt in attempts:
            image = Image.new("RGB", (64, 64), (0, attempt.seed, 0))
            yield Drawn(attempt, image, Making("own", batch=len(attempts)))


def attempts(n: int, **more: Any) -> list[Attempt]:
    """Attempts 0 to n - 1, which are their seeds."""
    scene = {"prompt": "a red fox", "negative_prompt": "blurry", "subtask": "animal"} | more
    return [Attempt({**scene, "scene_id": f"{i:032x}", "seed": i}, 0, i) for i in range(n)]


def drawing(family: Family, engine: Any = None, **more: Any) -> Drawing:
    """One for images of 64 pixels, in batches unless told."""
    about = {"exact": False, "device": "cpu"} | more
    params = validate({"render": {"size": 64, "diffusion": about}})
    return Drawing(params, family, family, engine or Engine(), "cpu")


def seeds(drawn: Sequence[Drawn]) -> list[int]:
    """What the pictures show."""
    assert all(d.attempt.seed == d.image.getpixel((9, 9))[2] for d in drawn)  # type: ignore[index]
    return [d.attempt.seed for d in drawn]


def our_threads() -> list[str]:
    """Threads of the renderer that live."""
    return [t.name for t in threading.enumerate() if t.name.startswith("lvlmbench-")]


def test_batches_hold_one_group_and_stay_near_the_order() -> None:
    some = attempts(10)
    made = compose(some, [a.seed % 3 == 0 for a in some], 3)
    assert [[a.seed for a in batch] for batch in made] == [[1, 2, 4], [0, 3, 6], [5, 7, 8], [9]]
    assert compose(some, [0] * 10, 100) == [some] and compose([], [], 4) == []


@pytest.mark.parametrize(
    ("one", "two", "room", "fits"),
    [
        (100, 150, 10_000, MOST),
        (100, 150, 849, 8),
        (100, 150, 850, 16),
        (100, 100, 300, 8),
        (100, 150, 50, 1),
        (100, None, 10_000, 1),
        (None, None, 10_000, 1),
    ],
)
def test_as_many_as_there_is_room_for(
    one: int | None, two: int | None, room: int, fits: int
) -> None:
    assert batch_that_fits(one, two, room) == fits


def test_images_come_in_order_with_how_they_were_made() -> None:
    family = Family()
    draws = drawing(family)
    some = attempts(5) + attempts(2, subtask="text", text="sale")
    drawn = list(draws.draw([some[:4], some[4:]]))
    assert seeds(drawn) == [0, 1, 2, 3, 4, 0, 1] and family.denoised == [4, 3]
    assert drawn[0].making == Making("text-to-image", 3, 1, 0, exact=False, batch=4)
    assert drawn[-1].making == Making("composited", 4, 1, 0, exact=False, batch=3)
    corners = [d.image.getpixel((0, 0))[0] for d in drawn]  # type: ignore[index]
    assert corners == [0] * 5 + [255] * 2
    assert family.encoded == [("a red fox", "blurry"), ("blank a red fox", "letters")]
    assert not our_threads()


def test_each_text_is_encoded_once_before_the_first_batch() -> None:
    family = Family()
    draws = drawing(family)
    some = [a for i in range(3) for a in attempts(8, prompt="a fox " + "on a beach " * i)]
    plan = draws.batches(some)
    assert [len(batch) for batch in plan] == [4] * 6
    family.encoded.clear()
    images = draws.draw(plan)
    next(images)
    assert len(family.encoded) == len(set(family.encoded)) == 3
    assert len(list(images)) == 23 and len(family.encoded) == 3


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_prompts_that_find_no_memory_are_encoded_alone(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    family, left = Family(), [failures]
    encode = family.encode

    def short(prompts: Sequence[tuple[str, str]]) -> list[Encoded]:
        left[0] -= 1
        if left[0] >= 0:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return encode(prompts)

    monkeypatch.setattr(family, "encode", short)
    draws = drawing(family)
    if failures == 2:
        with pytest.raises(UserError, match="no memory left to encode prompts"):
            list(draws.draw([attempts(1)]))
    else:
        assert seeds(list(draws.draw([attempts(1)]))) == [0]
    assert not our_threads()


def test_embeddings_that_have_no_room_at_once_are_made_in_parts() -> None:
    family = Family()
    held = Embeddings(family, Engine(), limit=64)  # four of 16 bytes
    some = [attempts(1, prompt=f"prompt {i // 2}")[0] for i in range(40)]
    parts = [sum(len(asked.own) for asked in window) for window in held.windows([some[:2]])]
    assert parts == [2]
    windows = list(held.windows([some[i : i + 4] for i in range(0, 40, 4)]))
    assert [len(window) for window in windows] == [2] * 5
    assert len(family.encoded) == 1 + 20
    assert held.groups(some) == [0] * 40 and len(family.encoded) == 21


def test_a_batch_that_does_not_fit_is_halved_and_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    family = Family(room=3)
    draws = drawing(family)
    some = attempts(18)
    drawn = list(draws.draw([some[:8], some[8:16], some[16:]]))
    assert seeds(drawn) == list(range(18)) and family.denoised == [2] * 9
    assert {d.making.batch for d in drawn} == {2}
    assert capsys.readouterr().err.splitlines() == [
        "render: batch of 8 does not fit in memory; going on with 4",
        "render: batch of 4 does not fit in memory; going on with 2",
    ]


def test_one_that_does_not_fit_is_one_line() -> None:
    for family in (Family(room=0), Family(room_decoding=0)):
        with pytest.raises(UserError) as caught:
            list(drawing(family).draw([attempts(2)]))
        assert str(caught.value) == (
            "render.diffusion: one image of 64 px does not fit in the memory of this machine; "
            "write 'vae_tiling: true', take a smaller render.size, or free some memory"
        )
    assert not our_threads()


def test_decoding_makes_do_with_less(capsys: pytest.CaptureFixture[str]) -> None:
    draws = drawing(Family(room_decoding=1))
    assert seeds(list(draws.draw([attempts(4), attempts(4)]))) == [0, 1, 2, 3] * 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_an_engine_with_its_own_pipeline_draws_text_items() -> None:
    family = Family()
    draws = drawing(family, OwnPipeline())
    some = attempts(4) + attempts(4, subtask="text", text="sale")
    plan = draws.batches(some)
    drawn = list(draws.draw(plan))
    assert [d.making.method for d in drawn] == ["text-to-image"] * 4 + ["own"] * 4
    assert [d.making.batch for d in drawn] == [4] * 4 + [2] * 4
    assert set(family.encoded) == {("a red fox", "blurry")}


def test_an_error_reaches_the_caller_after_what_came_before() -> None:
    family = Family()
    family.fails_at = 5
    came = []
    with pytest.raises(ArithmeticError, match="no such colour"):
        for drawn in drawing(family).draw([[a] for a in attempts(8)]):
            came.append(drawn.attempt.seed)
    assert came == [0, 1, 2, 3, 4] and not our_threads()


def test_no_thread_outlives_a_generator() -> None:
    images = drawing(Family()).draw([[a] for a in attempts(50)])
    next(images)
    assert len(our_threads()) == 2
    images.close()  # type: ignore[attr-defined]
    assert not our_threads()
    with pytest.raises(KeyboardInterrupt):
        for _ in drawing(Family()).draw([[a] for a in attempts(50)]):
            raise KeyboardInterrupt
    assert not our_threads()


def test_what_is_being_denoised_for_nobody_is_cut_short() -> None:
    class Slow(Family):
        interrupted = threading.Event()

        def denoise(self, batch: Sequence[Encoded], seeds: Sequence[int], size: int) -> Any:
            if seeds[0] == 1:
                assert self.interrupted.wait(300)
            return super().denoise(batch, seeds, size)

    params = validate({"render": {"size": 64, "diffusion": {"device": "cpu"}}})
    family = Slow()
    draws = Drawing(params, family, family, Engine(), "cpu", family.interrupted.set)
    images = draws.draw([[a] for a in attempts(3)])
    assert next(images).attempt.seed == 0 and not family.interrupted.is_set()
    images.close()  # type: ignore[attr-defined]
    assert family.interrupted.is_set() and not our_threads()


@pytest.mark.parametrize("beside", [True, False])
def test_memory_stays_flat_where_the_caller_is_slow(
    beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Drawing, "_beside", lambda self: beside)
    family = Family()
    taken = 0
    for drawn in drawing(family).draw([[a] for a in attempts(40)]):
        taken += 1
        if taken in (1, 20):
            time.sleep(0.1)
            ahead = drawing_module._IMAGES_AHEAD
            assert len(family.denoised) <= taken + ahead + 4
        assert np.asarray(drawn.image)[9, 9, 2] == drawn.attempt.seed
    assert taken == 40


def test_a_thread_ahead_is_stopped_while_it_waits() -> None:
    waits = threading.Event()

    def slow() -> Iterator[int]:
        yield 1
        waits.wait(10)
        yield 2

    with Ahead(slow(), 1, "slow") as numbers, Ahead(iter(numbers), 1, "next", numbers) as more:
        assert next(more) == 1
        more.stop()
        assert list(more) == [] and numbers.stopped
        waits.set()
    assert not our_threads()


def test_room_on_a_gpu_is_measured_once_with_what_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    family, rehearsal = Family(), Family()
    params = validate({"render": {"size": 512, "diffusion": {"exact": False}}})
    draws = Drawing(params, family, rehearsal, Engine(), "cuda")
    monkeypatch.setattr(rehearsal, "decode", lambda latents: [])

    def peak_bytes(work: Any) -> int:
        before = len(rehearsal.denoised)
        work()
        return 50 * rehearsal.denoised[-1] if len(rehearsal.denoised) > before else 100

    monkeypatch.setattr(batches_module, "peak_bytes", peak_bytes)
    # 8 of 50 bytes, beside four that are decoded at once.
    monkeypatch.setattr(batches_module, "free_bytes", lambda: 8 * 50 + 4 * 100)
    assert [len(batch) for batch in draws.batches(attempts(20))] == [8, 8, 4]
    assert rehearsal.denoised == [1, 2] and not family.denoised
    assert [len(batch) for batch in draws.batches(attempts(9))] == [8, 1]
    assert rehearsal.denoised == [1, 2]
