"""How differences of scores are put into words."""

from __future__ import annotations

from typing import Any

from lvlmbench.versions.differences.scores import _COUNTS, _difference
from lvlmbench.versions.differences.words import _scores


def said(old: float, new: float, stderr: float, n: int = 36) -> str:
    sides: dict[str, Any] = {
        side: {**dict.fromkeys(_COUNTS, 0), "value": value, "stderr": stderr, "n": 36}
        for side, value in (("old", old), ("new", new))
    }
    sides["new"]["n"] = n
    told = {"model": "m", "scenario": "clean", **sides, **_difference(sides["old"], sides["new"])}
    (line,) = _scores({"scores": [told]})
    return line


def test_an_interval_without_width_is_no_interval() -> None:
    assert said(100.0, 100.0, 0.0, n=35) == "m, clean: 100.00 → 100.00 (equal); scored 36 → 35"
    assert said(36.0, 35.0, 0.0) == (
        "m, clean: 36.00 → 35.00 (-1.00, and neither side spreads: BEYOND)"
    )
    assert said(36.0, 36.0, 1.0).endswith("(+0.00, -2.77 to +2.77: within the interval)")
