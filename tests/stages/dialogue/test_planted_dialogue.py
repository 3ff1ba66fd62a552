"""Planted preferences, failures and broken replies come out as they must.

``python -m tests.planted touchstone`` checks so at a larger scale, and with the judge that reads
text.
"""

from __future__ import annotations

import pytest

from support.touchstone_checks.asked import Asked
from support.touchstone_checks.points import position, preferences
from support.touchstone_checks.replies import replies
from support.touchstone_checks.texts import injection, ordering

ASKED = Asked(seed=3, answers=400, replies=200)
#: The embedded judge reads slowly.
FEW = Asked(seed=3, answers=24, scenes=12)


@pytest.mark.parametrize(
    ("check", "asked"),
    [
        (position, ASKED), (preferences, ASKED), (replies, ASKED), (ordering, FEW),
        (injection, FEW),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)  # fmt: skip
def test_what_is_planted_is_found(check, asked) -> None:  # type: ignore[no-untyped-def]
    lines = [*check(asked)]
    assert lines and not [str(line) for line in lines if not line.holds]
