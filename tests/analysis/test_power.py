"""The smallest differences that a snapshot can show."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.analysis import power as module
from lvlmbench.analysis.power import TOO_COARSE, Power, power
from lvlmbench.config.headline import Headline

#: Quantiles of a two-sided test at 5 % and of a power of 80 %.
REACH = 1.959964 + 0.841621


def snapshot(types: dict[str, int], stderrs: list[float | None]) -> Any:
    """What the module reads of a snapshot: questions by type, and a pair of models an error."""
    rows = [
        {"subtask": f"s{i % 4}", "level": None, "question_type": kind}
        for kind, n in types.items()
        for i in range(n)
    ]
    pairs = [
        {
            "family": "models", "scenario": "clean", "question_type": "all", "stderr": stderr,
            "model": "a", "baseline_model": f"b{i}",
        }
        for i, stderr in enumerate(stderrs)
    ]  # fmt: skip
    return SimpleNamespace(
        params=SimpleNamespace(answer=SimpleNamespace(models=())),
        asked={"clean": pa.Table.from_pylist(rows)},
        counted=lambda table: table,
        first_scenario="clean",
        comparisons=SimpleNamespace(to_pylist=lambda: pairs),
    )


@pytest.fixture
def headline(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(found: Headline) -> None:
        monkeypatch.setattr(module, "headline_of", lambda params: found)

    return use


def test_a_quarter_of_the_questions_tells_twice_as_large_a_difference(headline: Any) -> None:
    headline(Headline())
    found = power(snapshot({"multiple_choice": 400}, [2.0, 1.0, 3.0]))
    assert found is not None and found.measured and found.questions == 400
    assert found.whole == pytest.approx(REACH * 2.0, abs=1e-4)
    assert found.by_subtask == pytest.approx(
        dict.fromkeys(("s0", "s1", "s2", "s3"), 2 * found.whole)
    )


def test_only_questions_of_the_headline_count(headline: Any) -> None:
    both = {"multiple_choice": 300, "free_form": 100}
    headline(Headline())
    closed = power(snapshot(both, [2.0]))
    assert closed is not None and closed.questions == 300
    headline(Headline(table="hallucination", measure="f1"))
    judged = power(snapshot(both, [2.0]))
    assert judged is not None and judged.questions == 100


def test_without_a_judgement_nothing_is_said(headline: Any) -> None:
    headline(Headline(table="dialogue", measure="score", most=1000.0))
    assert power(snapshot({"free_form": 50}, [None])) is None


def test_without_a_pair_of_models_a_quarter_of_answers_differs(headline: Any) -> None:
    headline(Headline())
    found = power(snapshot({"multiple_choice": 400}, []))
    assert found is not None and not found.measured
    assert found.whole == pytest.approx(REACH * 100 * math.sqrt(0.25 / 400), abs=1e-4)


def test_too_coarse_goes_by_the_scale() -> None:
    percent, points = (Power(100, 5.0, True, {}, {}, {}, scale) for scale in (100.0, 1000.0))
    assert percent.too_coarse == TOO_COARSE and points.too_coarse == 10 * TOO_COARSE
    assert percent.tells(7) and not percent.tells(6), "5 points times the root of 100 / 6 is 20.4"
    assert percent.smallest(0) == 100.0 and points.smallest(0) == 1000.0
