"""Which images stand for a filter: some that it removed, each beside one that it kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

#: Removed images shown for a filter.
SHOWN = 4


@dataclass(frozen=True)
class Ruling:
    """A filter's verdict with what the choice needs to know of its scene."""

    image_id: str
    scene_id: str
    subtask: str
    score: float | None
    threshold: float | None
    keep: bool
    reason: str | None
    note: str | None

    @property
    def margin(self) -> float | None:
        """How far the score lies from the threshold, on whichever side; None without a score."""
        if self.score is None or self.threshold is None:
            return None
        return abs(self.score - self.threshold)


@dataclass(frozen=True)
class Pair:
    """A removed image and a kept one to hold it against; either may be missing."""

    removed: Ruling | None
    kept: Ruling | None


def removed(rulings: Sequence[Ruling], count: int = SHOWN) -> list[Ruling]:
    """Up to ``count`` removed images: those farthest from the threshold.

    Whether a high score is good or bad (a cosine, an edit distance) makes no difference. Images
    removed without a score (undecodable ones) keep one place among the scored, or take turns by
    their reason where nothing is scored. Ties go to the smaller scene id.
    """
    out = sorted((r for r in rulings if not r.keep), key=lambda r: r.scene_id)
    scored = sorted((r for r in out if r.margin is not None), key=lambda r: -(r.margin or 0.0))
    turn: Counter[str] = Counter()
    unscored: list[tuple[int, str, str, Ruling]] = []
    for ruling in out:
        if ruling.margin is None:
            reason = ruling.reason or ""
            unscored.append((turn[reason], reason, ruling.scene_id, ruling))
            turn[reason] += 1
    others = [entry[-1] for entry in sorted(unscored, key=lambda entry: entry[:3])]
    places = max(count - len(scored), min(1, count, len(others)))
    return [*scored[: count - min(places, len(others))], *others[:places]]


def pairs(rulings: Sequence[Ruling], count: int = SHOWN) -> list[Pair]:
    """:func:`removed` images, each beside a kept one of its subtask if there is one.

    Of the kept images those nearest the threshold are taken, where the filter has scored any:
    they show what it lets through. Where nothing was removed, they stand alone.
    """
    kept = [r for r in rulings if r.keep]
    measured = [r for r in kept if r.margin is not None]
    pool = sorted(measured or kept, key=lambda r: (r.margin or 0.0, r.scene_id))
    chosen = removed(rulings, count)
    if not chosen:
        return [Pair(None, r) for r in pool[:count]] if measured else []
    out = []
    for ruling in chosen:
        same = next((r for r in pool if r.subtask == ruling.subtask), None)
        beside = same or next(iter(pool), None)
        if beside is not None:
            pool.remove(beside)
        out.append(Pair(ruling, beside))
    return out
