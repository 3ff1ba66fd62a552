"""A CUDA stream beside the main one, so that the GPU can decode while it denoises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


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
