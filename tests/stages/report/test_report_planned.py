"""What the report tells of a model that plans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.stages.report import planned
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.kinds import exam
from support.answer_tables import running_server
from support.costed import ledger_of
from support.examined import EXAMINER_SERVER, at, spent
from support.planned_exam import calls, plan, planned_params
from support.planned_exam import planned as made_of


def test_plans_calls_and_costs_are_those_of_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    with running_server("--ways", "valid,unknown_ids", script=EXAMINER_SERVER) as url:
        params = planned_params(at(url), 2, words="reading traffic", general=2, fine=2)
        outs = plan(params, tmp_path)
    held = {
        "planned_aspects": outs.aspects,
        "planned_descriptions": outs.descriptions,
        "plan_requests": outs.requests,
    }

    def read(table: tables.Table, columns: list[str], planner: str) -> pa.Table:
        assert planner == "gpt"
        return tables.read([held[table.name]], table, columns)

    ledger = ledger_of(tmp_path, tables.PLAN_REQUESTS, "gpt", calls(outs))
    snapshot = SimpleNamespace(params=params, read=read, **ledger)
    [one] = planned.build(snapshot)  # type: ignore[arg-type]
    assert one.aspects == Counter(made_of(outs).aspects["status"].to_pylist()) == {"made": 4}
    assert one.pictures == Counter(made_of(outs).descriptions["status"].to_pylist())
    assert one.pictures.total() == 24 and one.pictures["made"] > 12
    once = {row["request_sha256"]: row["purpose"] for row in calls(outs)}
    assert one.calls == Counter(once.values())
    assert one.cost == pytest.approx(spent(params, tmp_path))
    found = exam.Exam([], [], None, [], [], [], 0, [], [one])
    page = environment().get_template("exam.html.j2")
    html = page.render(exam=found, exam_levels=[], exam_steps=exam.STEPS)
    assert "Who planned" in html and f"{one.pictures['made']}<span" in html
    assert "Nothing checks whether a picture shows what its aspect is about" in html


def test_nobody_plans_by_default() -> None:
    params = SimpleNamespace(examiner=SimpleNamespace(planners=()))
    assert planned.build(SimpleNamespace(params=params)) == []  # type: ignore[arg-type]
