"""Time and memory of stages: what was measured, about which files, and where it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.engine import job, measured
from lvlmbench.stages.report import page, run_page, timings
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.timings import MEASURED, OUTS, TAKEN, Spent, Stage
from support.report_pages import Outline, read, shared, words
from support.report_snapshot import params

HEAD = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"
FACTS: dict[str, Any] = {
    "snapshot_id": "0123", "written": "2026-01-02T03:04:05+00:00",
    "code": {"commit": None, "uncommitted_changes": None},
    "host": {"name": "<b>host</b>", "system": "Linux", "machine": "x86_64", "cores": 2},
    "python": "3.11.7", "packages": {"pyarrow": "1"},
}  # fmt: skip


def tsv(path: Path, wall: float, cpu: str, peak: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{HEAD}{wall}\t0:00:01\t{peak}\t1\t1\t1\t0\t0\t50\t{cpu}\n")


def build_of(root: Path, stage: str, jobs: int = 1, taken: bool = False) -> Path:
    """A build folder of a stage with its measurements, as Snakemake and the jobs leave them."""
    folder = root / ".lvlmbench" / "build" / stage.replace("/", "-")
    for i in range(jobs):
        tsv(folder / "benchmark" / f"job-{i:05d}.tsv", 10.0, "8.5", str(100.0 + i))
        log = folder / "log" / f"job-{i:05d}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"{TAKEN}: took the published outputs.\n" if taken else "drawn\n")
    (folder / "plan.json").write_text(json.dumps({"stage": stage, "publish": []}))
    return folder


def publishing(root: Path, *builds: Path) -> Path:
    """The build of a report that is published with these."""
    folder = build_of(root, "report")
    publish = [str(b) for b in (*builds, folder)]
    (folder / "plan.json").write_text(json.dumps({"stage": "report", "publish": publish}))
    return folder


def seal(root: Path, stage: str, outs: dict[str, str]) -> None:
    path = root / "data" / "seals" / f"{stage}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"outs": outs}))


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path()


def test_jobs_of_a_stage_are_summed_and_their_peak_is_the_largest(there: Path) -> None:
    builds = [build_of(there, "render", 3), build_of(there, "answer/m/clean")]
    builds.append(build_of(there, "answer/n/clean", 2))
    found = timings.build(there / ".lvlmbench", publishing(there, *builds))
    assert [s.name for s in found] == ["render", "answer"]
    assert found[0].spent == Spent(3, 30.0, 25.5, 102.0)
    assert [p.name for p in found[1].parts] == ["answer/m/clean", "answer/n/clean"]
    assert found[1].spent == Spent(3, 30.0, 25.5, 101.0)
    assert timings.total(found) == Spent(6, 60.0, 51.0, 102.0)


def test_what_was_measured_outlives_the_build(there: Path) -> None:
    outs = {"data/corpus/scenes": "abc"}
    build = build_of(there, "corpus", 2)
    measured.keep_measured(build, "corpus", outs)
    seal(there, "corpus", outs)
    state, report = there / ".lvlmbench", publishing(there)
    assert timings.build(state, report) == [Stage("corpus", Spent(2, 20.0, 17.0, 101.0))]
    seal(there, "corpus", {"data/corpus/scenes": "pulled"})  # other files lie there now
    assert timings.build(state, report) == [Stage("corpus", None)]


def test_what_the_kernel_counted_goes_before_what_snakemake_saw(there: Path) -> None:
    outs = {"data/corpus/scenes": "abc"}
    build = build_of(there, "corpus", 2)
    usage = timings.usage_of(build / "benchmark" / "job-00001.tsv")
    usage.write_text('{"wall_s": 10.0, "cpu_s": 9.5, "peak_mib": 300.5}')
    state, sum_of_both = there / ".lvlmbench", Spent(2, 20.0, 18.0, 300.5)
    found = timings.build(state, publishing(there, build))
    assert found == [Stage("corpus", sum_of_both)]
    measured.keep_measured(build, "corpus", outs)
    seal(there, "corpus", outs)
    assert timings.build(state, publishing(there)) == [Stage("corpus", sum_of_both)]
    measured.keep_measured(build_of(there, "corpus2"), "corpus", {"data/corpus/scenes": "other"})
    assert {p.name for p in (state / MEASURED / "corpus").iterdir()} == {"job-00000.tsv", OUTS}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cpu_s": 1}'])
def test_a_damaged_count_leaves_what_snakemake_saw(there: Path, text: str) -> None:
    build = build_of(there, "audit")
    timings.usage_of(build / "benchmark" / "job-00000.tsv").write_text(text)
    found = timings.build(there / ".lvlmbench", publishing(there, build))
    assert found == [Stage("audit", Spent(1, 10.0, 8.5, 100.0))]


def test_jobs_that_took_published_files_count_as_what_made_these(there: Path) -> None:
    outs = {"results/metrics.json": "abc"}
    seal(there, "metrics", outs)
    state, report = there / ".lvlmbench", there / ".lvlmbench" / "build" / "report"
    measured.keep_measured(build_of(there, "metrics", 2), "metrics", outs)
    again = build_of(there, "metrics", 2, taken=True)
    for path in (again / "benchmark").iterdir():
        tsv(path, 0.1, "0.0", "5")
    publishing(there, again)
    assert timings.build(state, report) == [Stage("metrics", Spent(2, 20.0, 17.0, 101.0))]
    measured.keep_measured(again, "metrics", outs)
    publishing(there)
    assert timings.build(state, report) == [Stage("metrics", Spent(2, 20.0, 17.0, 101.0))]
    measured.keep_measured(again, "metrics", {"results/metrics.json": "other"})
    assert not list((state / MEASURED / "metrics").glob("*.tsv"))
    assert (state / MEASURED / "metrics" / OUTS).is_file()


def test_the_log_of_a_job_begins_as_it_is_looked_for() -> None:
    assert job._TAKEN.startswith(TAKEN)


@pytest.mark.parametrize("cell", ["-", "", "NA", "nan", "inf"])
def test_jobs_too_short_to_measure_are_counted(there: Path, cell: str) -> None:
    build = build_of(there, "audit")
    tsv(build / "benchmark" / "job-00000.tsv", 0.4, cell, cell)
    found = timings.build(there / ".lvlmbench", publishing(there, build))
    assert found == [Stage("audit", Spent(1, 0.4, 0.0, 0.0, 1))]


@pytest.mark.parametrize("text", ["", "\x00\xff", "s\n", "s\tcpu_time\nabc\t1\n"])
def test_damaged_measurements_are_none(there: Path, text: str) -> None:
    build = build_of(there, "audit")
    (build / "benchmark" / "job-00000.tsv").write_text(text, encoding="latin-1")
    found = timings.build(there / ".lvlmbench", publishing(there, build))
    assert found == [Stage("audit", None)]


def test_without_a_run_nothing_is_known(there: Path) -> None:
    assert timings.build(None, None) == timings.build(there, there / "gone") == []


def test_page_of_the_run_tells_time_machine_and_versions(there: Path) -> None:
    seal(there, "corpus", {"data": "abc"})
    builds = [build_of(there, "answer/m/clean", 2), build_of(there, "render")]
    seal(there, "answer/n/clean", {"data": "pulled"})
    report = publishing(there, *builds)
    beside = Beside(there, None, None, there, there / ".lvlmbench", report)
    html = run_page.render(params(), beside, FACTS)
    assert Outline(html).stack == []
    text = words(html)
    for part in ("not measured here", "1 of 2 not measured here", "20.0 s", "101 MiB",
                 "<b>host</b>", "2026-01-02T03:04:05", "unknown: not a git checkout",
                 "Versions of 1 packages"):  # fmt: skip
        assert part in text, part


def test_times_are_in_the_report_on_request_alone(
    tmp_path_factory: pytest.TempPathFactory, there: Path
) -> None:
    made = shared(tmp_path_factory)
    report = publishing(there, build_of(there, "render"))
    results = made / "results/dysca"
    folders = (results / "figures", results / "validity", results / "exports", made)
    beside = Beside(*folders, there / ".lvlmbench", report)
    p = params()
    plain = page.render(read(made), beside)
    assert plain == (made / "results/report.html").read_text()  # whatever was measured
    inside = params(report=p.report.model_dump() | {"timings": "inside"})
    html = page.render(read(made, inside), beside)
    assert "10.0 s" in words(html) and "10.0 s" not in words(plain)
    assert 'href="run.html"' in html and 'href="run.html"' in plain
