"""How far a model has come, on standard error."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TextIO

from lvlmbench.models.base import Reply


class Progress:
    """Counts replies and tells about them: often on a terminal, every ten seconds in a log."""

    def __init__(self, label: str, total: int, known: int, stream: TextIO | None = None) -> None:
        self.label, self.total, self.known = label, total, known
        self.stream = stream or sys.stderr
        self.statuses: Counter[str] = Counter()
        self.tokens, self.cost = 0, 0.0
        self._began = self._told = time.monotonic()
        self._tty = self.stream.isatty()

    def add(self, reply: Reply) -> None:
        """Count one reply that has just arrived."""
        self.statuses[reply.status] += 1
        self.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        self.cost += reply.cost_usd or 0.0
        if time.monotonic() - self._told >= (0.2 if self._tty else 10.0):
            self._told = time.monotonic()
            self.stream.write(f"\r{self.line()}\x1b[K" if self._tty else f"{self.line()}\n")
            self.stream.flush()

    def line(self) -> str:
        """E.g. ``m: 120/400 (80 known) answered 38, error 2; 12.1/s; 9,100 tokens; $0.0120``."""
        asked = self.statuses.total()
        seconds = max(time.monotonic() - self._began, 1e-9)
        parts = [f"{self.label}: {self.known + asked}/{self.total}"]
        if self.known:
            parts[0] += f" ({self.known} known)"
        if asked:
            parts[0] += " " + ", ".join(f"{k} {n}" for k, n in sorted(self.statuses.items()))
            parts.append(f"{asked / seconds:.1f}/s")
        if self.tokens:
            parts.append(f"{self.tokens:,} tokens")
        if self.cost:
            parts.append(f"${self.cost:.4f}")
        return "; ".join(parts)

    def close(self) -> None:
        """The last line; none where nothing was asked and nothing was known."""
        if not self.known and not self.statuses:
            return
        self.stream.write(f"\r{self.line()}\x1b[K\n" if self._tty else f"{self.line()}\n")
        self.stream.flush()
