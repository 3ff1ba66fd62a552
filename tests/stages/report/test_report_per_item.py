"""What an item of an exam costs: what is divided by what, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.ledger import summed
from lvlmbench.config import validate_project
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import per_item, run_page
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.per_item import Amounts, PerItem, line
from lvlmbench.stages.report.timings import Spent, Stage
from support.exam.made import drawn, params_of
from support.report_pages import words

NONE = Beside(Path(), None, None, Path())
REQUEST = "spatial_understanding"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """An exam of two aspects at three levels, two pictures of each."""
    made = drawn(params_of(requests=(REQUEST,), scenes=12, size=192,
                           only=["left_and_right", "nearest_neighbor"]))  # fmt: skip
    data = tmp_path_factory.mktemp("exam")
    for schema, table in (
        (tables.SCENES, made.scenes), (tables.DESCRIPTIONS, made.descriptions),
        (tables.ATTEMPTS, made.attempts), (tables.QUESTIONS, made.questions),
    ):  # fmt: skip
        place = schema.folder(data) / tables.part_name(0)
        tables.write_rows(table.to_pylist(), place, schema, "0" * 16)
    place = tables.VERDICTS.folder(data, filter="render") / tables.part_name(0)
    tables.write_rows(made.verdicts.to_pylist(), place, tables.VERDICTS, "0" * 16)
    filters = made.params.filter.model_copy(update={"filters": ()})
    return Snapshot(made.params.model_copy(update={"filter": filters}), data)


def spent(stage: str, requests: int, cost: float | None, **more: Any) -> dict[str, Any]:
    """A line of the ledger."""
    names = {"stage": stage, "role": "r", "name": "n", "purpose": "p", "failed": 0}
    tokens = {"prompt_tokens": None, "completion_tokens": None, "seconds": None}
    unpriced = requests if cost is None else 0
    return {**names, **tokens, "requests": requests, "cost_usd": cost, "unpriced": unpriced, **more}


def test_items_are_counted_by_what_came_of_them(snapshot: Snapshot) -> None:
    found = per_item.amounts(snapshot)
    assert found is not None
    attempts = snapshot.attempts.to_pylist()
    last = {row["scene_id"]: row["outcome"] for row in attempts}
    assert (found.planned, found.drawings) == (12, sum(r["outcome"] != "refused" for r in attempts))
    assert found.aligned == [*last.values()].count("kept")
    assert found.kept == len(snapshot.questions) <= found.aligned <= found.planned
    assert found.kept > 6 and found.telling is None


def test_whatever_was_spent_is_divided_by_what_came_of_it(snapshot: Snapshot) -> None:
    costs = [
        spent("question", 2, 0.24, seconds=6.0), spent("judge", 3, None),
        spent("answer", 3, 1.2, seconds=6.0),
    ]  # fmt: skip
    found = per_item.build(snapshot, NONE, costs, SimpleNamespace(informative=4.0))  # type: ignore[arg-type]
    assert found is not None
    lines = {each.what: each for each in found.lines}
    of = found.amounts
    assert lines["Requests to roles"].total == 5 and lines["Requests to models"].total == 3
    assert lines["Requests to roles: cost"].total == pytest.approx(0.24)
    assert lines["Requests to models: cost"].total == pytest.approx(1.2)
    assert lines["Requests to models: seconds"].total == pytest.approx(6.0)
    assert lines["All requests: cost"].total == pytest.approx(1.44)
    assert lines["All requests: seconds"].total == pytest.approx(12.0)
    assert lines["Requests to models: cost"].per == pytest.approx(
        (1.2 / 12, 1.2 / of.aligned, 1.2 / of.kept, 1.2 / 4)
    )
    page = environment().get_template("per_item.html.j2")
    text = words(page.render(per_item=found, params=snapshot.params, run_page="run.html"))
    assert f"A kept item costs ${1.44 / of.kept:.4f}" in text
    assert f"divided by {of.kept} kept items, without 3 requests of which no price is known" in text


def test_a_run_for_nothing_shows_pictures(snapshot: Snapshot) -> None:
    found = per_item.build(snapshot, NONE, [], None)
    assert found is not None and [each.what for each in found.lines] == ["Pictures drawn"]
    assert found.lines[0].per[-1] is None
    page = environment().get_template("per_item.html.j2")
    text = words(page.render(per_item=found, params=snapshot.params, run_page="run.html"))
    assert "What an item costs" in text and "not known" in text and "run.html" in text


def test_seconds_of_this_machine_are_those_of_the_suite() -> None:
    def stage(name: str, cpu: float) -> Stage:
        return Stage(name, Spent(1, 9.0, cpu, 1.0))

    stages = [
        Stage("render", None, [stage("render/exam", 30.0), stage("render/exam_again", 500.0)]),
        stage("scenes/exam", 6.0), Stage("questions/exam", None),
        Stage("answer", None, [stage("answer/exam/m/clean", 8.0), stage("answer/exam/m/blind", 4)]),
        stage("report", 100.0),
    ]  # fmt: skip
    making, asking = per_item.machine(stages, "exam", Amounts(12, 15, 9, 6, 3.0))
    assert (making.total, making.per) == (36.0, (3.0, 4.0, 6.0, 12.0))
    assert (asking.total, asking.per) == (12.0, (1.0, 12 / 9, 2.0, 4.0))
    assert per_item.machine(stages, "other", Amounts(1, 1, 1, 1)) == []
    facts = {
        "code": {"commit": None, "uncommitted_changes": False}, "snapshot_id": "s", "written": "w",
        "host": {"name": "h", "machine": "m", "cores": 1, "system": "s"}, "python": "3",
        "packages": {},
    }  # fmt: skip
    shown = {"exam": PerItem(Amounts(12, 15, 9, 6), [making, asking])}
    page = run_page.render(validate_project({}), NONE, facts, shown)
    text = words(page)
    assert (
        "What was spent of exam" in text and "Making: seconds of a processor36 s3 s4 s6 s" in text
    )


def test_the_papers_request_costs_what_it_prints() -> None:
    """AutoDavis, Table 18: one request, no picture drawn anew, all of 720 items asked."""
    import csv

    file = Path(__file__).resolve().parents[3] / "data/published/autodavis_table18.csv"
    rows = [*csv.DictReader(file.open())]
    printed = [float(row["dollars"]) for row in rows if row["stage"] != "total"]
    cost = summed(spent("image", 1, dollars) for dollars in printed)["cost_usd"]
    assert cost == 51.8208
    of = Amounts(720, 720, 720, 720)
    found = line("Requests to roles: cost", "dollars", cost, of)
    assert found.per[0] == pytest.approx(0.07197333)
    shown = environment().get_template("per_item_table.html.j2").module
    text = words(str(shown.per_item_table(PerItem(of, [found]), "")))  # type: ignore[attr-defined]
    assert "$51.82" in text and "$0.0720" in text
