"""Numbers of things, and durations, in words."""

from __future__ import annotations


def amount(n: int, one: str, many: str | None = None) -> str:
    """Return how many there are, as readers write it: ``1 image``, ``1,240 images``.

    Parameters
    ----------
    one, many
        What one of them is called, and what several are, where that is not ``one`` with an s.
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """Return a duration in words: ``40 s``, ``12 min``, ``3 h 05 min``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
