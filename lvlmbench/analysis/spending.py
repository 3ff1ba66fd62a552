"""What the answers of a model took: requests, tokens, dollars, time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

#: Columns of ``answers`` that :meth:`Tally.add` reads.
COLUMNS = [
    "request_sha256",
    "status",
    "attempts",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "latency_s",
    "served_model",
    "parameters",
]
#: Statuses of requests whose reply can be used: of a text, or of a picture.
_USABLE = ["answered", "truncated", "made"]
#: Parts of a dollar that costs are counted in.
PARTS = 10**9


@dataclass(frozen=True)
class Spending:
    """Counts over the answers of one model, or of all, in one scenario, or in all.

    Tokens and dollars are sums over the answers that tell them, None where none does;
    ``untold_cost`` counts those that do not. ``retried`` answers took more than one request,
    ``extra`` more in all. What several answers took together counts once. Latencies in seconds, of
    answers that came back: median and 95th percentile.
    """

    asked: int
    answered: int
    refused: int
    truncated: int
    failed: int
    timed_out: int
    retried: int
    extra: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    untold_cost: int
    median: float | None
    slow: float | None


@dataclass
class Tally:
    """Adds up answers, shard by shard; ``served`` and ``parameters`` of those that came back.

    ``paid`` are requests whose tokens, dollars and retries are counted already; those of each shard
    are added. Questions in the same words without an image are one request with several answers.
    """

    paid: set[str] = field(default_factory=set)
    status: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    served: Counter[str] = field(default_factory=Counter)
    parameters: Counter[str] = field(default_factory=Counter)
    latencies: list[np.ndarray] = field(default_factory=list)

    def add(self, shard: pa.Table) -> None:
        """Count the rows of a shard, of which :data:`COLUMNS` are looked at."""
        self.status.update(counted(shard["status"]))
        once = shard.filter(self._first(shard["request_sha256"]))
        self.sums["requests"] += len(once)
        back = pc.is_in(once["status"], pa.array(_USABLE))
        self.sums["failed"] += len(once) - (pc.sum(back).as_py() or 0)
        self.sums["unpriced"] += once["cost_usd"].null_count
        more = pc.subtract(pc.fill_null(once["attempts"], 1), 1)
        self.sums["retried"] += pc.sum(pc.greater(more, 0)).as_py() or 0
        self.sums["extra"] += pc.sum(more).as_py() or 0
        for name in ("prompt_tokens", "completion_tokens"):
            self.sums[name] += pc.sum(once[name]).as_py() or 0
            self.told[name] += len(shard) - shard[name].null_count
        self.told["cost"] += len(shard) - shard["cost_usd"].null_count
        self.told["seconds"] += len(shard) - shard["latency_s"].null_count
        costs, took = (pc.drop_null(once[n]).to_numpy() for n in ("cost_usd", "latency_s"))
        # Whole numbers add up to the same in whatever order.
        self.sums["cost"] += int(np.rint(costs * PARTS).astype(np.int64).sum())
        self.sums["seconds"] += int(np.rint(took * PARTS).astype(np.int64).sum())
        back = shard.filter(pc.is_in(shard["status"], pa.array(["answered", "truncated"])))
        self.latencies.append(pc.drop_null(back["latency_s"]).to_numpy())
        self.served.update(counted(back["served_model"]))
        self.parameters.update(counted(back["parameters"]))

    def _first(self, requests: pa.ChunkedArray) -> pa.Array:
        """Whether each request is the first of its kind; what has no hash is one of its own."""
        first = []
        for request in requests.to_pylist():
            first.append(request is None or request not in self.paid)
            if request is not None:
                self.paid.add(request)
        return pa.array(first, pa.bool_())

    def merge(self, other: Tally) -> None:
        """Add what another one has counted."""
        for name in ("status", "sums", "told", "served", "parameters"):
            getattr(self, name).update(getattr(other, name))
        self.latencies += other.latencies

    @property
    def once(self) -> dict[str, float | None]:
        """The sums over requests, each counted once, as columns of the table ``costs``."""
        cost = self._told("cost")
        return {
            **{name: self.sums[name] for name in ("requests", "failed", "unpriced")},
            **{name: self._told(name) for name in ("prompt_tokens", "completion_tokens")},
            "cost_usd": None if cost is None else cost / PARTS,
            "seconds": self.seconds,
        }

    @property
    def seconds(self) -> float | None:
        """Seconds that all requests took, one after the other; None where none tells."""
        return None if (parts := self._told("seconds")) is None else parts / PARTS

    @property
    def spending(self) -> Spending:
        """The sums so far."""
        asked = sum(self.status.values())
        times = np.concatenate(self.latencies) if self.latencies else np.empty(0)
        return Spending(
            asked=asked,
            answered=self.status["answered"],
            refused=self.status["refused"],
            truncated=self.status["truncated"],
            failed=self.status["error"],
            timed_out=self.status["timeout"],
            retried=self.sums["retried"],
            extra=self.sums["extra"],
            prompt_tokens=self._told("prompt_tokens"),
            completion_tokens=self._told("completion_tokens"),
            cost=None if (parts := self._told("cost")) is None else parts / PARTS,
            untold_cost=asked - self.told["cost"],
            median=float(np.quantile(times, 0.5)) if len(times) else None,
            slow=float(np.quantile(times, 0.95)) if len(times) else None,
        )

    def _told(self, name: str) -> int | None:
        return self.sums[name] if self.told[name] else None


def counted(column: pa.ChunkedArray) -> dict[str, int]:
    """How often each value occurs; nulls are left out."""
    pairs = pc.value_counts(pc.drop_null(column)).to_pylist()
    return {str(pair["values"]): pair["counts"] for pair in pairs}
