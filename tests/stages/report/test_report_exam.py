"""The report's section on an exam: what became of each request, and what models reach."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from lvlmbench.stages.report.formatting import asset
from lvlmbench.stages.report.kinds import exam

Row = dict[str, Any]


def described(scene: str, status: str = "made", request: str = "spatial") -> Row:
    return {
        "scene_id": scene, "subtask": request, "general": "Order", "aspect": "left",
        "called": "Left and right", "truth": "construction",
        "family": None if status == "needs_endpoint" else "sides", "status": status,
        "repeated": [],
    }  # fmt: skip


def attempt(scene: str, number: int, outcome: str, reason: str | None = None) -> Row:
    return {"scene_id": scene, "attempt": number, "outcome": outcome, "reason": reason}


def snapshot() -> Any:
    rendered = {"scene_id": list("abcdef"), "keep": [True, True, True, True, False, True]}
    tries = [
        attempt("a", 0, "rejected", "not as described: fox"), attempt("a", 1, "kept"),
        attempt("b", 0, "rejected", "not of its level: 9 things"),
        attempt("b", 1, "rejected", "not as described: hat"),
        attempt("c", 0, "kept"), attempt("d", 0, "kept"), attempt("f", 0, "kept"),
        attempt("e", 0, "refused", "given up"),
    ]  # fmt: skip
    return SimpleNamespace(
        rendered=pa.table(rendered),
        attempts=pa.Table.from_pylist(tries),
        kept_scenes=pa.array(["a", "b", "c", "f"]),
        questions=pa.table({"scene_id": ["a", "c"]}),
    )


def test_each_item_ends_in_one_step() -> None:
    rows = [described(scene) for scene in "abcdef"]
    rows += [described("x", "needs_endpoint"), described("y", "not_drawable")]
    (found,) = exam._requests(snapshot(), rows)
    assert found.planned == 8
    assert found.steps == Counter(
        asked=2, given_up=1, filtered=1, not_drawn=1, not_asked=1, needs_endpoint=1,
        not_drawable=1,
    )  # fmt: skip
    assert {*found.steps} <= {*exam.STEPS}
    assert found.attempts == 7
    assert found.general["Order"]["left"][2] == 2


def test_the_truth_of_what_examiners_behind_endpoints_ask_is_their_claim() -> None:
    rows = [described(scene) for scene in "abcdef"] + [described("x", "needs_endpoint")]
    (found,) = exam._requests(snapshot(), rows, {"a", "b", "x"})
    _, truth, asked = found.general["Order"]["left"]
    assert truth == "claimed by the examiner, construction, cannot be planned yet" and asked == 2
    (found,) = exam._requests(snapshot(), rows[:6], {*"abcdef"})
    assert found.general["Order"]["left"][1] == exam.CLAIMED


def test_reasons_are_counted_by_what_stands_before_a_colon() -> None:
    assert exam._rejected(snapshot()) == [("not as described", 2), ("not of its level", 1)]


def test_the_table_of_requests_fits_a_page() -> None:
    """Its headings, one a step, wrap."""
    assert 'aria-label="What became of each request"><table class="wrapped">' in asset(
        "exam.html.j2"
    )
