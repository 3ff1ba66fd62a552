"""What an item of an exam costs: what is divided by what, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.spending import Tally
from lvlmbench.config import validate_project
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import per_item, run_page
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.cost import Cost
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


def request(at: int, sha256: str, **more: Any) -> dict[str, Any]:
    return {
        "judge": "j", "model": "m", "scenario": "clean", "request_id": f"r{at}", "call": 0,
        "purpose": "claims", "item": "i", "round": 0, "template": "t@1", "template_sha256": "t",
        "schema_sha256": "s", "request_sha256": sha256, "parameters": "{}", "status": "answered",
        "attempts": 1, **more,
    }  # fmt: skip


def cost(total: Tally) -> Cost:
    return Cost([], {}, total.spending, [], [], total.seconds)


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
    asked = Tally()
    asked.add(
        tables.ANSWERS.of(
            [
                {"status": "answered", "request_sha256": "a", "cost_usd": 0.3, "latency_s": 1.5},
                {"status": "answered", "request_sha256": "a", "cost_usd": 0.3, "latency_s": 1.5},
                {"status": "error", "request_sha256": "b", "cost_usd": 0.9, "latency_s": 4.5},
            ]
        )
    )  # fmt: skip
    place = snapshot.data / "requests/j/m/clean" / tables.part_name(0)
    rows = [
        request(0, "x", cost_usd=0.06, latency_s=2.0),
        request(1, "x", cost_usd=0.06, latency_s=2.0),
        request(2, "y", cost_usd=0.18, latency_s=4.0),
    ]  # fmt: skip
    tables.write_rows(rows, place, tables.REQUESTS, "0" * 16)
    try:
        found = per_item.build(snapshot, NONE, cost(asked), SimpleNamespace(informative=4.0))  # type: ignore[arg-type]
    finally:
        place.unlink()
    assert found is not None
    lines = {each.what: each for each in found.lines}
    of = found.amounts
    assert lines["Calls of roles"].total == 3 and lines["Answers of models"].total == 3
    assert lines["Calls of roles: cost"].total == pytest.approx(0.24)  # x is paid for once
    assert lines["Calls of roles: seconds"].total == pytest.approx(6.0)
    assert lines["Answers of models: cost"].total == pytest.approx(1.2)
    assert lines["Answers of models: seconds"].total == pytest.approx(6.0)
    assert lines["Answers of models: cost"].per == pytest.approx(
        (1.2 / 12, 1.2 / of.aligned, 1.2 / of.kept, 1.2 / 4)
    )


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (tables.REQUESTS, {"judge": "j", "model": "m", "scenario": "clean"}),
        (tables.EXAM_REQUESTS, {"examiner": "e"}),
        (tables.PLAN_REQUESTS, {"planner": "p"}),
        (tables.CHECK_REQUESTS, {"validator": "v"}),
    ],
    ids=lambda value: value.name if isinstance(value, tables.Table) else "",
)
def test_costs_of_roles_are_read_through_links(
    tmp_path: Path, table: tables.Table, names: dict[str, str]
) -> None:
    """Inputs of a build are folders of other builds, linked into it."""
    shard = table.folder(tmp_path / "made", **names) / tables.part_name(0)
    row = request(0, "x", cost_usd=0.5) | names
    tables.write_rows([{n: v for n, v in row.items() if n in table.names}], shard, table, "0" * 16)
    link = table.folder(tmp_path / "above", **names)
    link.parent.mkdir(parents=True)
    link.symlink_to(shard.parent)
    snapshot = Snapshot(params_of(), tmp_path / "above")
    assert per_item.roles(snapshot).spending.cost == 0.5


def test_a_run_for_nothing_shows_pictures(snapshot: Snapshot) -> None:
    found = per_item.build(snapshot, NONE, cost(Tally()), None)
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
    spent = [float(row["dollars"]) for row in rows if row["stage"] != "total"]
    tally = Tally()
    tally.add(tables.REQUESTS.of([request(at, str(at), cost_usd=c) for at, c in enumerate(spent)]))
    assert tally.spending.cost == 51.8208
    of = Amounts(720, 720, 720, 720)
    found = line("Calls of roles: cost", "dollars", tally.spending.cost, of)
    assert found.per[0] == pytest.approx(0.07197333)
    shown = environment().get_template("per_item_table.html.j2").module
    text = words(str(shown.per_item_table(PerItem(of, [found]), "")))  # type: ignore[attr-defined]
    assert "$51.82" in text and "$0.0720" in text
