"""From batches of attempts to images: what is done in which thread.

Two threads work ahead of whoever takes the images (and encodes them as PNG):

* the first one encodes prompts and denoises, a batch ahead of
* the second one, which decodes latents, on a stream of its own, and puts words into images.

So the GPU goes on denoising while images are decoded, lettered, encoded and filtered. Where the
two would get in each other's way the first one decodes as well: with offloading, which moves
parts of the pipeline to and from the GPU, and on a CPU without cores to spare, as two threads that
both compute with all cores are many times slower than one after the other. Which thread does what
changes no pixel: each image has a generator of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lvlmbench.stages.render.kinds.diffusion.batches import Batches
from lvlmbench.stages.render.kinds.diffusion.embeddings import Asked, Embeddings
from lvlmbench.stages.render.kinds.diffusion.memory import (
    Halving,
    Room,
    no_room,
    no_room_to_encode,
    uncompiled,
)
from lvlmbench.stages.render.kinds.diffusion.overlap import Ahead
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.kinds.diffusion.text.engine import SUBTASK, draws
from lvlmbench.stages.render.kinds.diffusion.tuning import told
from lvlmbench.stages.render.renderer import Attempt, Drawn, Making

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

    from lvlmbench.config import Params
    from lvlmbench.stages.render.kinds.diffusion.families import Encoded, Family
    from lvlmbench.stages.render.kinds.diffusion.text.engine import Engine

T = TypeVar("T")
R = TypeVar("R")

#: Finished images that wait to be taken, at most.
_IMAGES_AHEAD = 4

#: Pixels that are decoded at once: a GPU has its hands full with them, and decoding more takes
#: more memory than denoising.
_DECODED_PIXELS = 1024 * 1024


@dataclass(frozen=True)
class _Pictures:
    """A batch that is denoised: its pictures, decoded as they are asked for."""

    attempts: Sequence[Attempt]
    encoded: Sequence[Encoded]
    images: Iterator[Image.Image]


class Side:
    """A stream that takes over tensors from the main one; does nothing for those of a CPU."""

    def __init__(self) -> None:
        self._stream: Any = None

    def mark(self, tensor: Tensor) -> Any:
        """Mark what :meth:`after` waits for: the work so far on ``tensor``."""
        import torch

        if tensor.device.type != "cuda":
            return None
        event = torch.cuda.Event()
        event.record()
        return event

    @contextmanager
    def after(self, mark: Any, tensor: Tensor) -> Iterator[None]:
        """Send what the block computes to the side stream, once ``tensor`` is there."""
        import torch

        if mark is None:
            yield
            return
        if self._stream is None:
            self._stream = torch.cuda.Stream()
        with torch.cuda.stream(self._stream):
            self._stream.wait_event(mark)
            tensor.record_stream(self._stream)
            yield


class Drawing:
    """Draws attempts with a family of pipelines and a text engine.

    Parameters
    ----------
    rehearsal
        The same family with few steps, for what is not kept.
    device
        Where the pipeline is: ``cpu`` or ``cuda``.
    interrupt
        Has a batch that is being denoised, and that nobody wants any more, end early.
    """

    def __init__(
        self,
        params: Params,
        family: Family,
        rehearsal: Family,
        engine: Engine,
        device: str,
        interrupt: Callable[[], None] | None = None,
    ) -> None:
        self._settings, self._size = params.render.own(Diffusion), params.render.size
        self._family, self._rehearsal = family, rehearsal
        self._engine, self._device, self._interrupt = engine, device, interrupt
        self._embeddings = Embeddings(family, engine, encode=self._encoded)
        self._room, self._side = Room(), Side()
        self._denoising = Halving("batch")
        self._lettering = Halving("batch of text items")
        self._decoding = Halving("decoding a batch")
        self._decoding.limit = at_once = max(1, _DECODED_PIXELS // self._size**2)
        self._batches = Batches(params, rehearsal, self._embeddings, at_once, device)
        #: Sizes and groups of batches that the denoiser is compiled for.
        self._compiled = set[tuple[int, Hashable]]()

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Which attempts are drawn together: see :meth:`Batches.of`."""
        return self._batches.of(attempts)

    def draw(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn]:
        """The images of these batches, in order.

        Raises
        ------
        UserError
            There is not enough memory for a single image.
        """
        plan = list(batches)
        with (
            Ahead(self._denoised(plan), 1, "denoising", interrupt=self._interrupt) as pictures,
            Ahead(
                self._finished(pictures), _IMAGES_AHEAD, "finishing", upstream=pictures
            ) as images,
        ):
            yield from images

    def _beside(self) -> bool:
        """Whether images are decoded while others are denoised."""
        if self._device != "cpu":
            return self._family.decodes_beside
        import torch

        spare = hasattr(os, "sched_getaffinity") and torch.get_num_threads() < len(
            os.sched_getaffinity(0)
        )
        return spare and self._family.decodes_beside

    def _denoised(self, plan: Sequence[Sequence[Attempt]]) -> Iterator[_Pictures | Drawn]:
        """The first thread's work."""
        import torch

        with torch.no_grad():
            beside = self._beside()
            for window in self._embeddings.windows(plan):
                for asked in window if self._settings.compile else ():
                    self._warm_up(asked.encoded)
                for asked in window:
                    yield from self._drawn_by_engine(asked.by_engine)
                    for pictures in self._drawn_by_pipeline(asked):
                        yield pictures if beside else _decoded_now(pictures)

    def _warm_up(self, encoded: Sequence[Encoded]) -> None:
        """Have the denoiser compiled for batches like this one; what it gives is not kept.

        Only for full batches: compiling for a few left over takes longer than drawing them.
        """
        if len(encoded) < (self._denoising.limit or self._batches.full):
            return
        some = encoded[: self._denoising.limit]
        shape = (len(some), some[0].group)
        if shape in self._compiled:
            return
        print(f"render: compiling for batches of {len(some)}", file=sys.stderr, flush=True)
        self._compiled.add(shape)
        seeds = [0] * len(some)
        try:
            self._room.tried(
                lambda: self._rehearsal.denoise(some, seeds, self._size), self._room.denoising
            )
        except RuntimeError as error:
            raise told(error, "render.diffusion") from error

    def _as_compiled(self, encoded: Sequence[Encoded]) -> AbstractContextManager[Any]:
        """For a block that denoises these: whether it uses what is compiled."""
        if not self._settings.compile or (len(encoded), encoded[0].group) in self._compiled:
            return nullcontext()
        return uncompiled()

    def _drawn_by_engine(self, batch: Sequence[Attempt]) -> Iterator[Drawn]:
        def drawn(part: Sequence[Attempt]) -> list[Drawn]:
            assert draws(self._engine)
            return list(self._engine.draw(part))

        for _, images in self._in_parts(self._lettering, batch, drawn):
            while images:
                yield images.pop(0)

    def _drawn_by_pipeline(self, asked: Asked) -> Iterator[_Pictures]:
        def denoised(part: Sequence[tuple[Attempt, Encoded]]) -> Tensor:
            encoded, seeds = [e for _, e in part], [attempt.seed for attempt, _ in part]
            with self._as_compiled(encoded):
                return self._family.denoise(encoded, seeds, self._size)

        both = list(zip(asked.own, asked.encoded, strict=True))
        for part, latents in self._in_parts(self._denoising, both, denoised):
            attempts, encoded = zip(*part, strict=True)
            yield _Pictures(attempts, encoded, self._decoded(latents, self._side.mark(latents)))

    def _decoded(self, latents: Tensor, mark: Any) -> Iterator[Image.Image]:
        def decoded(part: Sequence[int]) -> list[Image.Image]:
            with self._side.after(mark, latents):
                return self._family.decode(latents[part[0] : part[-1] + 1])

        for _, images in self._in_parts(self._decoding, range(len(latents)), decoded):
            while images:
                yield images.pop(0)

    def _in_parts(
        self, halving: Halving, items: Sequence[T], work: Callable[[Sequence[T]], R]
    ) -> Iterator[tuple[Sequence[T], R]]:
        """Results of parts of ``items`` that fit in memory, with the parts."""

        def alone(part: Sequence[T]) -> R:
            found = self._room.alone(lambda: work(part))
            if found is None:
                raise no_room(self._settings, self._size, self._device)
            return found

        lock = self._room.decoding if halving is self._decoding else self._room.denoising
        return halving.run(items, lambda part: self._room.tried(lambda: work(part), lock), alone)

    def _encoded(self, texts: Sequence[tuple[str, str]]) -> list[Encoded]:
        """All texts encoded; once more while nothing is decoded where memory lacks."""

        def work() -> list[Encoded]:
            return self._family.encode(texts)

        found = self._room.tried(work, self._room.denoising)
        if found is None:
            found = self._room.alone(work)
        if found is None:
            raise no_room_to_encode(self._settings, self._device)
        return found

    def _finished(self, pictures: Iterable[_Pictures | Drawn]) -> Iterator[Drawn]:
        """The second thread's work."""
        import torch

        with torch.no_grad():
            for item in pictures:
                if isinstance(item, Drawn):
                    yield item
                    continue
                for attempt, encoded in zip(item.attempts, item.encoded, strict=True):
                    yield self._lettered(
                        attempt, encoded, next(item.images), batch=len(item.attempts)
                    )

    def _lettered(
        self, attempt: Attempt, encoded: Encoded, image: Image.Image, *, batch: int
    ) -> Drawn:
        method = "text-to-image"
        if attempt.scene["subtask"] == SUBTASK and not draws(self._engine):
            image, method = self._engine.finish(attempt, image)
        making = Making(
            method, encoded.tokens, encoded.chunks, encoded.cut, self._settings.exact, batch
        )
        return Drawn(attempt, image, making)


def _decoded_now(pictures: _Pictures) -> _Pictures:
    return _Pictures(pictures.attempts, pictures.encoded, iter(list(pictures.images)))
