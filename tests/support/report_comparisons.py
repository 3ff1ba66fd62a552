"""Made-up rows of the table of comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from lvlmbench.tables import QUESTION_TYPES

#: What differs by more than this many points is told apart in :func:`rows`.
APART = 3.0


def row(model: str, baseline: str, scenario: str = "clean", **changes: Any) -> dict[str, Any]:
    """One model against another one; ``changes`` replace columns."""
    return {
        "family": "models",
        "model": model,
        "scenario": scenario,
        "baseline_model": baseline,
        "baseline_scenario": scenario,
        "question_type": "all",
        "difference": 4.0,
        "stderr": 1.0,
        "low": 2.0,
        "high": 6.0,
        "p": 0.0002,
        "p_holm": 0.012,
        "n": 120,
        "n_better": 20,
        "n_worse": 9,
        "n_unpaired": 3,
    } | changes


def rows(skills: Mapping[str, float], scenarios: Sequence[str]) -> list[dict[str, Any]]:
    """Every model against every other in each scenario, and each scenario against clean, which
    costs every model that has any skill more points than the scenario before."""
    out = []
    for kind in ("all", *QUESTION_TYPES):
        for scenario in scenarios:
            for first, second in combinations(skills, 2):
                gap = skills[first] - skills[second]
                out.append(row(first, second, scenario, question_type=kind) | _numbers(gap))
        for place, scenario in enumerate([s for s in scenarios if s != "clean"]):
            for model, skill in skills.items():
                about = {"family": "scenarios", "baseline_scenario": "clean", "question_type": kind}
                out.append(
                    row(model, model, scenario, **about)
                    | _numbers(-4.0 * (place + 1) * (skill > 0))
                )
    return out


def _numbers(gap: float) -> dict[str, Any]:
    p = 0.0004 if abs(gap) > APART else 0.2
    return {"difference": gap, "low": gap - 2, "high": gap + 2, "p": p, "p_holm": min(1.0, 4 * p)}
