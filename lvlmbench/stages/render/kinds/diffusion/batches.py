"""Which attempts are drawn together, and how many."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lvlmbench.stages.render.kinds.diffusion.memory import batch_that_fits, free_bytes, peak_bytes
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.renderer import Attempt

if TYPE_CHECKING:
    from torch import Tensor

    from lvlmbench.config import Params
    from lvlmbench.stages.render.kinds.diffusion.embeddings import Embeddings
    from lvlmbench.stages.render.kinds.diffusion.families import Family

#: Images at once on a CPU, where more of them are not faster.
_ON_CPU = 4


def compose(
    attempts: Sequence[Attempt], groups: Sequence[Hashable], size: int
) -> list[list[Attempt]]:
    """Batches of at most ``size`` attempts of one group, in the order in which they fill.

    Attempts keep their order within a group, and drift apart by less than ``size`` for each
    group there is.
    """
    done: list[list[Attempt]] = []
    filling: dict[Hashable, list[Attempt]] = {}
    for attempt, group in zip(attempts, groups, strict=True):
        batch = filling.setdefault(group, [])
        batch.append(attempt)
        if len(batch) == size:
            done.append(filling.pop(group))
    return done + list(filling.values())


class Batches:
    """Puts attempts together that can be drawn at once.

    Parameters
    ----------
    rehearsal
        The family with few steps: what it draws to measure memory is thrown away.
    at_once
        Images that are decoded at once, at most.
    device
        Where the pipeline is: ``cpu`` or ``cuda``.
    """

    def __init__(
        self,
        params: Params,
        rehearsal: Family,
        embeddings: Embeddings,
        at_once: int,
        device: str,
    ) -> None:
        self._settings, self._pixels = params.render.own(Diffusion), params.render.size
        self._rehearsal, self._embeddings = rehearsal, embeddings
        self._at_once, self._device = at_once, device
        self._size: int | None = None

    @property
    def full(self) -> int:
        """Images of a full batch, as far as it is known."""
        if self._settings.exact:
            return 1
        if self._settings.batch_size != "auto":
            return self._settings.batch_size
        return _ON_CPU if self._size is None else self._size

    def of(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Each attempt by itself, or as many as have room whose prompts can be stacked.

        Depends on the attempts, in their order, and on the batch size alone.
        """
        if self._settings.exact:
            return [[attempt] for attempt in attempts]
        return compose(attempts, self._embeddings.groups(attempts), self.size(attempts))

    def size(self, attempts: Sequence[Attempt]) -> int:
        """Images at once: what the parameters say, or as many as the GPU has room for.

        The room is measured once, with the first of these attempts.
        """
        own = [attempt for attempt in attempts if not self._embeddings.by_engine(attempt)]
        asked = self._settings.batch_size == "auto" and self._device != "cpu"
        if asked and self._size is None and own:
            self._size = self._measured(own[0])
        return self.full

    def _measured(self, attempt: Attempt) -> int:
        """How many have room for their peak in denoising beside that of decoding."""
        import torch

        made: list[Tensor] = []

        def peak(images: int) -> int | None:
            batch, seeds = encoded * images, [attempt.seed] * images
            return peak_bytes(
                lambda: made.append(self._rehearsal.denoise(batch, seeds, self._pixels))
            )

        with torch.no_grad():
            ((asked,),) = self._embeddings.windows([[attempt]])
            encoded = list(asked.encoded)
            room, one = free_bytes(), peak(1)
            decoding = None
            if one is not None:
                decoding = peak_bytes(lambda: self._rehearsal.decode(made[0]))
            if decoding is None:
                return 1
            return batch_that_fits(one, peak(2), room - decoding * self._at_once)
