"""Memory of the device: how many images it has room for at once, and what to do where it lacks."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, TypeVar

from lvlmbench.core.devices import out_of_memory
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

T = TypeVar("T")
R = TypeVar("R")

#: Most images at once on a GPU: beyond, nothing is gained and more is lost where one fails.
MOST = 32

#: Share of the free memory that is counted on; the rest is for what fragments it.
_MARGIN = 0.85


class Room:
    """The device's memory, which denoising and decoding share when both go on at once.

    Where one of them finds too little, it tries again while the other waits.
    """

    def __init__(self) -> None:
        self.denoising, self.decoding = threading.Lock(), threading.Lock()

    def alone(self, work: Callable[[], T]) -> T | None:
        """What ``work`` gives, with nothing beside it; None where memory lacks."""
        return self.tried(work, self.denoising, self.decoding)

    def tried(self, work: Callable[[], T], *locks: threading.Lock) -> T | None:
        """What ``work`` gives, beside kinds of work with other locks; None where memory lacks."""
        try:
            with ExitStack() as held:
                for lock in locks:
                    held.enter_context(lock)
                return work()
        except Exception as error:
            if not out_of_memory(error):
                raise
        # Only here is the error gone, and with it the frames that hold the tensors.
        release()
        return None


class Halving:
    """Work on batches that are made smaller where they do not fit in memory.

    Parameters
    ----------
    what
        What the lines on standard error call a batch.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        #: Most items at once, None as long as everything has fitted.
        self.limit: int | None = None

    def run(
        self,
        items: Sequence[T],
        work: Callable[[Sequence[T]], R | None],
        alone: Callable[[Sequence[T]], R],
    ) -> Iterator[tuple[Sequence[T], R]]:
        """Results of consecutive parts of ``items``, each with the part.

        Parameters
        ----------
        work
            Its result, or None where memory does not suffice.
        alone
            The same of a single item that did not fit; raises where it does not fit either.
        """
        start = 0
        while start < len(items):
            size = len(items) - start
            part = items[start : start + (size if self.limit is None else min(size, self.limit))]
            result = work(part)
            if result is None and len(part) > 1:
                self._halve(len(part))
                continue
            yield part, alone(part) if result is None else result
            start += len(part)

    def _halve(self, size: int) -> None:
        self.limit = size // 2
        print(
            f"render: {self._what} of {size} does not fit in memory; going on with {self.limit}",
            file=sys.stderr,
            flush=True,
        )


def release() -> None:
    """Give memory of the device that nothing uses any more back to it."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def no_room(settings: Diffusion, size: int, device: str) -> UserError:
    """The error of a single image that does not fit.

    Parameters
    ----------
    size
        Side of the image in pixels.
    """
    fixes = []
    if device != "cpu":
        if settings.offload == "none":
            fixes.append("write 'offload: model'")
        elif settings.offload == "model":
            fixes.append("write 'offload: sequential'")
    if not settings.vae_tiling:
        fixes.append("write 'vae_tiling: true'")
    fixes.append("take a smaller render.size")
    fixes.append("free some memory" if device == "cpu" else "take a GPU with more memory")
    what = f"one image of {size} px does not fit in the memory of this "
    what += "machine" if device == "cpu" else "GPU"
    return UserError("render.diffusion", what, f"{', '.join(fixes[:-1])}, or {fixes[-1]}")


def no_room_to_encode(settings: Diffusion, device: str) -> UserError:
    """The error of text encoders that do not fit beside the rest of the pipeline."""
    fix = "free some memory, or take a smaller model"
    if device != "cpu":
        offload = {"none": "model", "model": "sequential"}.get(settings.offload)
        fix = "take a GPU with more memory"
        fix = fix if offload is None else f"write 'offload: {offload}', or {fix}"
    return UserError("render.diffusion", "there is no memory left to encode prompts in", fix)


def batch_that_fits(one: int | None, two: int | None, room: int, most: int = MOST) -> int:
    """The largest power of two of images that ``room`` bytes suffice for; at least 1.

    Parameters
    ----------
    one, two
        Bytes that a batch of one and of two takes at its peak; None where it does not fit.
    """
    if one is None or two is None:
        return 1
    # Peaks of small batches may hide behind something that does not grow with the batch.
    each = max(two - one, one // 4, 1)
    fits = 1 + max(0, room - one) // each
    return min(most, 1 << (fits.bit_length() - 1))


def free_bytes() -> int:
    """Bytes of the GPU to count on, of those that are free or that torch holds unused."""
    import torch

    release()
    unused = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    return int((torch.cuda.mem_get_info()[0] + unused) * _MARGIN)


def uncompiled() -> AbstractContextManager[Any]:
    """For a block in which nothing that is compiled is used, and nothing is compiled."""
    import torch

    stance: AbstractContextManager[Any] = torch.compiler.set_stance("force_eager")
    return stance


def peak_bytes(work: Callable[[], object]) -> int | None:
    """Bytes of the GPU that ``work`` takes at its peak beyond what is taken; None: too many."""
    import torch

    def measured() -> int:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        work()
        torch.cuda.synchronize()
        return int(torch.cuda.max_memory_allocated()) - before

    release()
    # Compiling for a size that is never drawn would take minutes.
    with uncompiled():
        return Room().alone(measured)
