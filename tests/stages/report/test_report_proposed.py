"""The report's part on examiners behind endpoints: from items to questions, and the cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.stages.report import proposed
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.kinds import exam
from lvlmbench.suites.suite import suite_of
from support.answer_tables import running_server
from support.costed import ledger_of
from support.examined import (
    EXAMINER_SERVER,
    at,
    on_disk,
    rows,
    small_exam,
    spent,
    with_examiner,
)
from support.examined import proposals as table_of
from support.examined import proposed as examined
from support.render_scenes import vocabulary


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, float]:
    """A snapshot whose questions an examiner has written, what it has proposed, the ledger."""
    folder, small = tmp_path_factory.mktemp("examined"), small_exam()
    with (
        pytest.MonkeyPatch.context() as patch,
        running_server("--ways", "all", script=EXAMINER_SERVER) as url,
    ):
        patch.setenv("LVLMBENCH_CACHE_DIR", str(folder))
        params = with_examiner(small.params, "gpt", section=at(url))
        outs = examined(params, on_disk(small, folder), folder)
        ledger = spent(params, folder)
    suite = suite_of(params)
    questions = suite.proposed(params, vocabulary(), small.scenes, small.layouts, table_of(outs))
    held = {"proposals": outs.proposals, "exam_requests": outs.requests}

    def read(table: tables.Table, columns: list[str], examiner: str) -> pa.Table:
        assert examiner == "gpt"
        return tables.read([Path(held[table.name])], table, columns)

    # One picture with a question is removed by a filter.
    kept = [
        s for s in small.scenes["scene_id"].to_pylist() if s != questions["scene_id"][0].as_py()
    ]
    snapshot = SimpleNamespace(
        params=params, questions=questions, kept_scenes=pa.array(kept), read=read,
        **ledger_of(folder, tables.EXAM_REQUESTS, "gpt", rows(outs)[1]),
    )  # fmt: skip
    return snapshot, rows(outs), ledger


def test_items_calls_and_costs_are_those_of_the_tables(made: tuple[Any, Any, float]) -> None:
    snapshot, (found, calls), ledger = made
    [one] = proposed.build(snapshot)
    assert one.planned == len(found) == len(one.scenes)
    assert one.written == sum(row["question"] is not None for row in found)
    assert one.statuses["made"] == len(snapshot.questions) == one.asked + 1
    assert one.planned > one.written > one.statuses["made"] > one.asked > 3
    once = {call["request_sha256"]: call["purpose"] for call in calls}
    assert one.calls == Counter(once.values())
    assert one.cost == pytest.approx(ledger) and not one.unpriced
    assert one.replaced[1] == 3 * one.statuses["made"] >= one.replaced[0] > 0
    assert one.served == ["test-2026-11-01"]


def test_without_prices_there_is_no_cost_and_without_items_no_line(tmp_path: Path) -> None:
    none: Any = SimpleNamespace(
        params=SimpleNamespace(examiner=SimpleNamespace(examiners=[SimpleNamespace(name="gpt")])),
        questions=tables.QUESTIONS.empty_table(), kept_scenes=pa.array([], pa.string()),
        read=lambda table, columns, examiner: table.empty_table(columns),
        **ledger_of(tmp_path, tables.EXAM_REQUESTS, "gpt", []),
    )  # fmt: skip
    assert proposed.build(none) == []


def test_the_page_shows_them_and_escapes_what_servers_say(made: tuple[Any, Any, float]) -> None:
    [one] = proposed.build(made[0])
    told = replace(one, served=["<script>alert(1)</script>"], unpriced=2)
    found = exam.Exam([], [], None, [], [], [], 0, [told])
    page = environment().get_template("exam.html.j2")
    html = page.render(exam=found, exam_levels=[], exam_steps=exam.STEPS)
    assert "Who wrote the questions" in html and "<script>alert" not in html
    assert "2 of unknown cost" in html and f"{one.replaced[0]}<span" in html
    assert "is the examiner's claim: nothing has checked it" in html
    without = page.render(exam=replace(found, examiners=[]), exam_levels=[], exam_steps=exam.STEPS)
    assert "Who wrote" not in without
