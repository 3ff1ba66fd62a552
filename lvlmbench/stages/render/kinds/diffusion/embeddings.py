"""What the pipeline is asked for, encoded before the first batch of many is denoised."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lvlmbench.stages.render.kinds.diffusion.text.engine import SUBTASK, draws
from lvlmbench.stages.render.renderer import Attempt

if TYPE_CHECKING:
    from lvlmbench.stages.render.kinds.diffusion.families import Encoded, Family
    from lvlmbench.stages.render.kinds.diffusion.text.engine import Engine

#: A prompt and its negative prompt.
Text = tuple[str, str]

#: Bytes of embeddings that are held in the machine's memory: some 800 prompts of SDXL.
_LIMIT = 2**29

#: Texts that are encoded at first, to learn how large an embedding is.
_FIRST = 16

#: The group of what a text engine draws with a pipeline of its own.
_BY_ENGINE = "text engine"


@dataclass(frozen=True)
class Asked:
    """A batch: attempts that the pipeline draws, with their prompts, and those of the engine."""

    own: Sequence[Attempt]
    encoded: Sequence[Encoded]
    by_engine: Sequence[Attempt]


class Embeddings:
    """What a family makes of the prompts of a shard; in parts where all have no room at once.

    The family itself remembers embeddings of texts that come again.

    Parameters
    ----------
    encode
        What encodes in the place of the family's own method, for instance to see to memory.
    limit
        Bytes that are held at once. What several prompts share counts for each of them.
    """

    def __init__(
        self,
        family: Family,
        engine: Engine,
        limit: int = _LIMIT,
        encode: Callable[[Sequence[Text]], list[Encoded]] | None = None,
    ) -> None:
        self._encode = family.encode if encode is None else encode
        self._family, self._engine, self._limit = family, engine, limit
        self._groups: dict[Text, Hashable] = {}
        self._largest = 0

    def by_engine(self, attempt: Attempt) -> bool:
        """Return whether the text engine draws this with a pipeline of its own."""
        return draws(self._engine) and attempt.scene["subtask"] == SUBTASK

    def text(self, attempt: Attempt) -> Text:
        """Return what the pipeline is asked for."""
        scene = attempt.scene
        if scene["subtask"] == SUBTASK and not draws(self._engine):
            return self._engine.prompts(scene)
        return scene["prompt"], scene["negative_prompt"] or ""

    def groups(self, attempts: Sequence[Attempt]) -> list[Hashable]:
        """Return the group of an attempt; those of one group can be drawn together."""
        own = {self.text(a): a for a in attempts if not self.by_engine(a)}
        new = [[attempt] for text, attempt in own.items() if text not in self._groups]
        for _ in self.windows(new):
            pass  # known by now
        return [
            _BY_ENGINE if self.by_engine(attempt) else self._groups[self.text(attempt)]
            for attempt in attempts
        ]

    def windows(self, batches: Sequence[Sequence[Attempt]]) -> Iterator[list[Asked]]:
        """Yield the batches with their embeddings, as many of them at once as have room."""
        start = 0
        while start < len(batches):
            most = max(1, self._limit // self._largest) if self._largest else _FIRST
            stop, texts = start, dict[Text, None]()
            while stop < len(batches):
                own = [attempt for attempt in batches[stop] if not self.by_engine(attempt)]
                more = texts | dict.fromkeys(map(self.text, own))
                if len(more) > most and stop > start:
                    break
                stop, texts = stop + 1, more
            yield self._asked(batches[start:stop], list(texts))
            start = stop

    def _asked(self, batches: Sequence[Sequence[Attempt]], texts: list[Text]) -> list[Asked]:
        known: dict[Text, Encoded] = {}
        if texts:
            known = dict(zip(texts, self._encode(texts), strict=True))
            # The denoiser has the device for itself from here on.
            self._family.release_encoders()
        for text, encoded in known.items():
            self._groups[text] = encoded.group
            self._largest = max(self._largest, _bytes(encoded))
        found = []
        for batch in batches:
            own = [attempt for attempt in batch if not self.by_engine(attempt)]
            others = [attempt for attempt in batch if self.by_engine(attempt)]
            found.append(Asked(own, [known[self.text(attempt)] for attempt in own], others))
        return found


def _bytes(encoded: Encoded) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in encoded.tensors.values())
