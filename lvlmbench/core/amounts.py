"""Numbers of things in words."""

from __future__ import annotations


def amount(n: int, one: str, many: str | None = None) -> str:
    """Return how many there are, as readers write it: ``1 image``, ``1,240 images``.

    Parameters
    ----------
    one, many
        What one of them is called, and what several are, where that is not ``one`` with an s.
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
