"""How far a shard has come, on standard error, and what it took in the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TextIO

from lvlmbench.stages.render.retries.records import FAILED, REJECTED, Record

#: Seconds between two lines.
EVERY_S = 10.0


class Progress:
    """Counts images and attempts.

    Parameters
    ----------
    stream
        Where lines go; None for nowhere.
    every_s
        Seconds between two lines at least.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        every_s: float = EVERY_S,
    ) -> None:
        self._stream, self._clock, self._every_s = stream, clock, every_s
        self._told = clock()
        self.total = self.drawn = self.again = self.known = 0
        self._counts: Counter[str] = Counter()
        self._by_fallback: Counter[str] = Counter()

    def add(self, *, again: bool) -> None:
        """Count an image that has just been drawn: a scene's first, or another one."""
        if again:
            self.again += 1
        else:
            self.drawn += 1
        if self._clock() - self._told >= self._every_s:
            self._told = self._clock()
            self._say(self.line())

    def line(self) -> str:
        """E.g. ``render: 12/400 images, 3 drawn again``."""
        again = f", {self.again} drawn again" if self.again else ""
        return f"render: {self.drawn}/{self.total} images{again}"

    def settle(self, records: Sequence[Record], main: str) -> None:
        """Count all attempts at one scene; ``main`` is the renderer that had the first."""
        drawn = [record for record in records if record.drew]
        failed = sum(record.outcome == FAILED for record in records)
        self._counts["attempts"] += len(drawn) + failed
        self._counts["failed"] += failed
        if not drawn:
            self._counts["not drawn"] += 1
            return
        last = drawn[-1]
        self._counts["rejected"] += sum(record.outcome == REJECTED for record in drawn)
        self._counts["given up"] += last.outcome == REJECTED
        if last.renderer != main:
            self._by_fallback[last.renderer] += 1
        if last.making is not None:
            self._counts["prompts in several pieces"] += (last.making.prompt_chunks or 0) > 1
            self._counts["tokens cut from prompts"] += last.making.prompt_tokens_cut or 0

    def end(self) -> None:
        """Write what it took in all."""
        self._say(self.summary())

    def summary(self) -> str:
        """E.g. ``render: 400/400 images, 3 drawn again; attempts 403, rejected 3``."""
        known = f", {self.known} kept from before" if self.known else ""
        counts = [f"{name} {n}" for name, n in self._counts.items() if n]
        counts += [f"by {name} instead {n}" for name, n in sorted(self._by_fallback.items())]
        return f"{self.line()}{known}" + (f"; {', '.join(counts)}" if counts else "")

    def _say(self, line: str) -> None:
        if self._stream is not None:
            print(line, file=self._stream, flush=True)
