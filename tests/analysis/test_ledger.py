"""The ledger of a run with every role: its lines are the sums of the tables that a job is given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from lvlmbench import tables
from lvlmbench.analysis.ledger import by_stage, costs, ledger
from lvlmbench.config import Params
from lvlmbench.core.files import linked_below
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.figures.figure import FIGURES, NotApplicable, Sources
from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
from lvlmbench.stages.report.formatting import environment
from support.answer_tables import endpoint, item, params, running_server
from support.examined import EXAMINER_SERVER, PRICE, at, proposed, small_exam, with_examiner
from support.examined import on_disk as exam_on_disk
from support.judged_answers import SCHEMA_SERVER, answers, claims, judge_at
from support.planned_exam import plan, planned_params
from support.report_pages import words
from support.validated import VALIDATOR_SERVER, checked, on_disk, truth, with_validator

Row = dict[str, Any]
Shard = tuple[tables.Table, dict[str, str], list[Row]]
#: The stage that each purpose serves, by role.
STAGE_OF = {
    ("planner", "general"): "guidance", ("planner", "fine"): "guidance",
    ("planner", "describe"): "description", ("validator", "check"): "validation",
    ("examiner", "question"): "question", ("examiner", "eoa"): "adjustment",
    ("model", "answer"): "answer",
    **{("judge", purpose): "judge" for purpose in ("claims", "matches", "scores", "rating")},
}  # fmt: skip


class Run(NamedTuple):
    """A run's models, its tables as jobs left them, and a job's inputs: links to their folders."""

    params: Params
    made: Path
    linked: Path


def of_authors(folder: Path) -> Iterator[Shard]:
    """What a planner, an examiner with prices and a validator without leave."""
    exam = small_exam(1)
    with running_server("--ways", "valid,unknown_ids", script=EXAMINER_SERVER) as url:
        own = planned_params(at(url), 2, words="reading traffic", general=2, fine=2)
        outs = plan(own, folder)
        rows = tables.read([outs.requests], tables.PLAN_REQUESTS).to_pylist()
        yield tables.PLAN_REQUESTS, {"planner": "gpt"}, rows
        examiner = with_examiner(exam.params, "gpt", section=at(url))
        asked = proposed(examiner, exam_on_disk(exam, folder), folder).requests
        rows = tables.read([asked], tables.EXAM_REQUESTS).to_pylist()
        yield tables.EXAM_REQUESTS, {"examiner": "gpt"}, rows
    seen = ("--truth", str(truth(exam, folder)), "--ways", "valid,valid,sorry")
    with running_server(*seen, script=VALIDATOR_SERVER) as url:
        section = at(url, price_per_million=None)
        own = with_validator(exam.params, section)
        rows = checked(own, on_disk(exam, folder), folder)[1]
        yield tables.CHECK_REQUESTS, {"validator": "eye"}, rows


def of_judge(folder: Path) -> Iterator[Shard]:
    """What a judge leaves of two models, some of whose answers are the same."""
    with running_server(script=SCHEMA_SERVER) as url:
        for model, n in (("served", 4), ("other", 6)):
            judge = judge_at(url, folder / "answers.sqlite")
            some = answers(n)
            list(judge.read(some))
            list(judge.hold([(answer, claims(k)) for k, answer in enumerate(some)]))
            names = {"judge": "gpt", "model": model, "scenario": "clean"}
            yield tables.REQUESTS, names, [names | dict(row) for row in judge.requests]


def of_models(own: Params, folder: Path) -> Iterator[Shard]:
    """What models leave in two scenarios, of which one asks about no picture."""
    with AnswerCache(folder / "answers.sqlite") as cache:
        for spec in own.answer.models:
            model = MODELS.get(spec.engine, "a test")(own, spec, {})
            for scenario, n in (("clean", 8), ("noisy", 4)):
                rows = answer_rows(model, [item(k) for k in range(n)], cache, spec.name, scenario)
                names = {"model": spec.name, "scenario": scenario}
                yield tables.ANSWERS, names, rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    made, linked = folder / "made", folder / "above"
    with pytest.MonkeyPatch.context() as patch, running_server() as url:
        patch.setenv("LVLMBENCH_CACHE_DIR", str(folder))
        patch.setenv("TEST_KEY", "k")
        priced = endpoint(url, "mixed", price_per_million=PRICE)
        own = params(
            [
                {"name": "served", "engine": "openai_chat", "endpoint": priced},
                {"name": "free", "engine": "openai_chat", "endpoint": endpoint(url, "letter-B")},
                {"name": "chance", "engine": "chance"},
            ]
        )
        for n, (table, names, rows) in enumerate(
            (*of_authors(folder), *of_judge(folder), *of_models(own, folder))
        ):
            there = table.folder(made / str(n), **names)  # each job has a build of its own
            tables.write_rows(rows, there / tables.part_name(0), table, "s")
            link = table.folder(linked, **names)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(there)
    return Run(own, made, linked)


def by_hand(run: Run) -> dict[tuple[str, str, str], list[Row]]:
    """Stage, role, name -> each request once, straight from the files."""
    roles = {
        "plan_requests": "planner", "check_requests": "validator", "exam_requests": "examiner",
        "requests": "judge", "answers": "model",
    }  # fmt: skip
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for path in sorted(run.made.rglob("part-*.parquet")):
        table = path.relative_to(run.made).parts[1]
        role = roles[table]
        for row in tables.read([path], tables.TABLES[table]).to_pylist():
            stage = STAGE_OF[role, row.get("purpose", "answer")]
            if row[role] != "chance":
                key = (stage, role, row[role])
                found.setdefault(key, {})[row["request_sha256"]] = row
    return {key: [*rows.values()] for key, rows in found.items()}


def added_up(rows: list[Row], name: str) -> float | None:
    known = [row[name] for row in rows if row[name] is not None]
    return float(sum(Decimal(repr(value)) for value in known)) if known else None


def same(line: Row, rows: list[Row]) -> None:
    """Compare to the last digit: to a billionth of a dollar and of a second."""
    assert line["requests"] == len(rows)
    failed = [row for row in rows if row["status"] not in ("answered", "truncated")]
    assert line["failed"] == len(failed)
    assert line["unpriced"] == sum(row["cost_usd"] is None for row in rows)
    for name in ("prompt_tokens", "completion_tokens", "cost_usd"):
        assert line[name] == added_up(rows, name), name
    parts = [round(row["latency_s"] * 10**9) for row in rows if row["latency_s"] is not None]
    assert line["seconds"] == sum(parts) / 10**9


def test_the_ledger_is_the_sum_of_the_tables_read_through_links(run: Run) -> None:
    assert not [*run.linked.rglob("part-*.parquet")] and linked_below(run.linked)
    expected, found = by_hand(run), ledger(run.params, run.linked)
    lines: dict[tuple[str, str, str], list[Row]] = {}
    for row in found:
        lines.setdefault((row["stage"], row["role"], row["name"]), []).append(row)
    assert {*lines} == {*expected}
    sums = by_stage(found)
    stages = ("guidance", "description", "validation", "question", "adjustment", "answer", "judge")
    assert [*sums] == [*stages, "all"]
    for key, rows in expected.items():
        same(by_stage(lines[key])["all"], rows)
    for stage in stages:
        same(sums[stage], [r for key, rows in expected.items() if key[0] == stage for r in rows])
    same(sums["all"], [row for rows in expected.values() for row in rows])
    assert sums["validation"]["cost_usd"] is None
    assert sums["validation"]["unpriced"] == sums["validation"]["requests"]
    assert sums["answer"]["unpriced"] and sums["answer"]["cost_usd"]
    assert sums["answer"]["failed"] and sums["validation"]["failed"]


def test_a_shared_reply_counts_once(run: Run) -> None:
    shards = [p for p in linked_below(run.linked / "requests") if p.suffix == ".parquet"]
    rows = [row for path in shards for row in tables.read([path], tables.REQUESTS).to_pylist()]
    judge = by_stage(ledger(run.params, run.linked))["judge"]
    assert judge["requests"] == len({row["request_sha256"] for row in rows}) < len(rows)


def test_metrics_json_and_the_table_tell_the_same(run: Run, tmp_path: Path) -> None:
    out, text = tmp_path / "costs.parquet", tmp_path / "metrics.json"
    questions, scenes = tmp_path / "questions.parquet", tmp_path / "scenes.parquet"
    tables.write_rows([], questions, tables.QUESTIONS, "s")
    tables.write_rows([], scenes, tables.SCENES, "s")
    write_metrics(
        run.params, scores=[], consensus=[], questions=[questions], scenes=[scenes],
        costs=write_costs(run.params, run.linked, out),
        out_parquet=tmp_path / "metrics.parquet", out_json=text,
    )  # fmt: skip
    rows = tables.read([out], tables.COSTS).to_pylist()
    assert rows == ledger(run.params, run.linked)
    assert json.loads(text.read_text()) == {"costs by stage": by_stage(rows)}


def test_the_report_and_the_figure_tell_the_same(run: Run, tmp_path: Path) -> None:
    write_costs(run.params, run.linked, tmp_path / "costs.parquet")
    snapshot = Snapshot(run.params, run.linked, tmp_path)
    found = SimpleNamespace(models=[], own=[], brought=[])
    rows = costs(snapshot)
    page = environment().get_template("cost.html.j2")
    text = words(page.render(cost=found, costs=rows, costs_by_stage=by_stage(rows), per_item=None))
    drawn = FIGURES.get("cost_by_stage", "a test")(Sources(snapshot, None, tmp_path))
    table = {row["stage"]: row for row in drawn.table.to_pylist()}
    for stage, sums in by_stage(rows).items():
        shown = f"{sums['requests']:,}{sums['failed']:,}{sums['prompt_tokens']:,}"
        assert shown in text.replace(" ", "")
        assert {name: table[stage][name] for name in sums} == sums
    assert f"{by_stage(rows)['validation']['unpriced']} without a known price" in text


def test_a_run_of_the_pipelines_own_models_has_no_line(tmp_path: Path) -> None:
    own = params([{"name": "chance", "engine": "chance"}])
    write_costs(own, tmp_path, tmp_path / "costs.parquet")
    snapshot = Snapshot(own, tmp_path, tmp_path)
    assert costs(snapshot) == [] and by_stage([]) == {}
    with pytest.raises(NotApplicable):
        FIGURES.get("cost_by_stage", "a test")(Sources(snapshot, None, tmp_path))


def test_pictures_of_a_server_are_in_the_ledger_too(tmp_path: Path) -> None:
    """Requests for pictures have no purpose; attempts that asked the same are paid for once."""
    rows = [
        {"image_id": f"i{n}", "scene_id": f"s{n}", "attempt": 0, "renderer": "openai_images",
         "model": "painter", "request_sha256": f"{min(n, 2)}", "prompt": "p", "size": "512x512",
         "status": "error" if n == 1 else "made", "attempts": 1, "latency_s": 0.5,
         "cost_usd": None if n == 1 else 0.06}
        for n in range(4)
    ]  # fmt: skip
    place = tmp_path / "image_requests/part-00000.parquet"
    tables.write_rows(rows, place, tables.IMAGE_REQUESTS, "s")
    [line] = ledger(params([{"name": "chance", "engine": "chance"}]), tmp_path)
    assert [line[name] for name in ("stage", "role", "name", "purpose")] == [
        "image", "renderer", "painter", "image",
    ]  # fmt: skip
    assert (line["requests"], line["failed"], line["unpriced"]) == (3, 1, 1)
    assert (line["cost_usd"], line["seconds"], line["prompt_tokens"]) == (0.12, 1.5, None)
