"""``make bench``: benchmarks one after the other, what is kept of them, the tables."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.harness import machine, table
from benchmarks.harness.run import Benchmark, Result, found, kept, said_of
from benchmarks.harness.stages import about, measured
from lvlmbench.config.identity import PROJECT_ROOT as ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.stages.report.timings import Spent

DOCUMENT = """# Performance

Before. <!-- benchmarks: written by 'make bench' -->
old
<!-- end of benchmarks -->
Between.
<!-- stages: written by 'make bench' -->
<!-- end of stages -->
After.
"""
GOOD = '''"""How fast: so fast.

More.
"""
import json, os, sys
print("chatter")
print(json.dumps({"benchmark": "good", "images_per_s": 12.345, "peak_mib": 99.5,
                  "threads": os.environ["OMP_NUM_THREADS"]}))
print("a warning at the end", file=sys.stderr)
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with three benchmarks: one fails, one is well, one says nothing."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/performance.md").write_text(DOCUMENT)
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "bad.py").write_text('"""It fails."""\nraise SystemExit("a | <b>reason</b>")\n')
    (folder / "good.py").write_text(GOOD)
    (folder / "quiet.py").write_text('"""It says nothing."""\nprint("[1, 2]")\n')
    (folder / "_shared.py").write_text("")
    return tmp_path


def command(project: Path, *arguments: str) -> list[str]:
    script = str(ROOT / "scripts" / "bench.py")
    return [sys.executable, script, "--root", str(project), "--snapshot", str(project), *arguments]


def bench(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command(project, *arguments), capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_one_that_fails_stops_no_other(project: Path) -> None:
    done = bench(project)
    assert done.returncode == 1
    said = done.stdout.splitlines()
    assert said[0] == "[1/3] bad: It fails" and "[3/3] quiet" in done.stdout
    assert "exit code 1: a | <b>reason</b>" in said[1]
    page = (project / "docs/performance.md").read_text()
    assert page.startswith("# Performance\n\nBefore. <!-- ") and page.endswith("After.\n")
    assert "old" not in page and "\nBetween.\n" in page
    rows = [line for line in page.splitlines() if "python benchmarks/" in line]
    assert [row.count(" | ") for row in rows] == [5, 5, 5]
    assert "**failed**: exit code 1: a \\| \\<b\\>reason\\</b\\>" in rows[0]
    assert "12.3 images a second; threads: 1 | 99.5 MiB |" in rows[1]
    assert "**failed**: printed no JSON object about itself" in rows[2]
    assert (project / "benchmarks/results/bad.log").read_text() == "a | <b>reason</b>\n"


@pytest.mark.long
def test_only_what_is_missing(project: Path) -> None:
    assert bench(project, "good").returncode == 0
    (project / "benchmarks/bad.py").write_text(GOOD.replace("good", "bad"))
    again = bench(project, "--only-missing")
    assert again.returncode == 1, "quiet still fails"
    assert "[1/2] bad" in again.stdout and "good" not in again.stdout
    rest = bench(project, "--only-missing")
    assert "[1/1] quiet" in rest.stdout
    page = (project / "docs/performance.md").read_text()
    assert page.count("12.3 images a second") == 2 and page.count("**failed**") == 1
    assert bench(project, "--no-run").stdout == ""
    assert (project / "docs/performance.md").read_text() == page


def test_interrupted_what_was_measured_stays(project: Path) -> None:
    (project / "benchmarks/slow.py").write_text(
        '"""Slow."""\nimport os, pathlib, time\n'
        "pathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(100)\n"
    )
    process = subprocess.Popen(
        command(project, "good", "slow"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # What a shell starts in the background is deaf to Ctrl-C, and so is what that starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    pid, deadline = project / "pid", time.monotonic() + 300
    while not (pid.is_file() and pid.read_text()):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert "12.3 images a second" in (project / "docs/performance.md").read_text()
    assert {path.name for path in (project / "benchmarks/results").glob("*.json")} == {"good.json"}


def test_which_there_are(project: Path) -> None:
    done = bench(project, "--list")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["bad", "It", "fails"],
        ["good", "How", "fast:", "so", "fast"],
        ["quiet", "It", "says", "nothing"],
    ]


def test_mistakes_are_one_line_before_anything_runs(project: Path) -> None:
    wrong = bench(project, "god")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "make bench: there is no benchmark 'god'; did you mean 'good'?\n"
    (project / "benchmarks/results").mkdir()
    bench(project, "good")
    (project / "docs/performance.md").write_text("no markers")
    wrong = bench(project)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "has no markers of 'benchmarks'" in wrong.stderr and wrong.stderr.count("\n") == 1
    (project / "benchmarks/bad.py").write_text("")
    with pytest.raises(UserError, match=r"bad\.py: has no docstring"):
        found(project / "benchmarks")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"benchmark": "x", "peak_mib": 5}, []),
        ({"images_per_s": 26.66}, ["26.7 images a second"]),
        ({"qa_per_s_steady": 412345.6}, ["412,346 qa a second (steady)"]),
        ({"per_s": 3}, ["3 a second"]),
        ({"seconds": 1.72, "cpu_seconds": 0.5}, ["1.72 s", "cpu 0.5 s"]),
        ({"base_mib": 101.4, "mean_png_kib": 256}, ["base 101 MiB", "mean png 256 KiB"]),
        ({"first_paint_ms": 144}, ["first paint 144 ms"]),
        ({"worst_coverage_percent": 94.7}, ["worst coverage 94.7 %"]),
        ({"written": True, "device": "cpu"}, ["written: yes", "device: cpu"]),
        ({"codec": {"peak_mib": 9, "images_per_s": 2}}, ["codec peak 9 MiB", "2 codec images a s"]),
        ({"nothing": None, "many": [1, 2]}, []),
    ],
)
def test_figures_get_units_by_their_names(given: dict[str, Any], told: list[str]) -> None:
    said = list(table.figures(given))
    assert len(said) == len(told)
    for line, start in zip(said, told, strict=True):
        assert line.startswith(start)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (12, "12"),
        (1234567, "1,234,567"),
        (0.01234, "0.0123"),
        (99.96, "100"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_have_the_digits_that_matter(value: float, text: str) -> None:
    assert table.number(value) == text


def test_the_last_line_about_itself_counts() -> None:
    text = (
        '{"benchmark": "x", "n": 1}\n{"benchmark": "y"}\n{broken\n{"benchmark": "x", "n": 2}\nend'
    )
    assert said_of(text, "x") == {"benchmark": "x", "n": 2}
    assert said_of(text, "z") is None


def test_results_of_two_machines_stand_apart(tmp_path: Path) -> None:
    one, other = ({"processor": name, "cores": "2 cores"} for name in ("One", "Other"))
    results = [
        Result(f"b{i}", "What", "python b.py", {"n": i}, None, 1, 1, 1, 0, facts)
        for i, facts in enumerate((one, other, one))
    ]
    text = table.benchmarks_table(results)
    blocks = text.split("\n\n")
    assert [b.count("python b.py") for b in blocks] == [0, 2, 0, 1]
    assert blocks[0] == "One, 2 cores:" and blocks[2] == "Other, 2 cores:"


def test_a_damaged_result_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"name": "a"')
    (tmp_path / "b.json").write_text('{"name": "b"}')
    assert kept(tmp_path, [Benchmark(n, tmp_path, n) for n in "abc"]) == []


def measurement(root: Path, stage: str, jobs: dict[str, tuple[float, float, float]]) -> None:
    """A published stage whose jobs took so many seconds, processor seconds and MiB."""
    folder = root / ".lvlmbench/benchmark/stages" / stage
    folder.mkdir(parents=True)
    for name, (wall, cpu, peak) in jobs.items():
        (folder / f"{name}.tsv").write_text(f"s\tmax_rss\tcpu_time\n{wall}\t{peak}\t{cpu}\n")
    outs = {"data/x": "00"}
    (folder / "outs.json").write_text(json.dumps(outs))
    seal = root / "data/seals" / f"{stage}.json"
    seal.parent.mkdir(parents=True, exist_ok=True)
    seal.write_text(json.dumps({"outs": outs}))


def test_memory_and_time_by_stage(project: Path) -> None:
    measurement(project, "score/dysca/m/clean", {"a": (2, 1.5, 100)})
    measurement(project, "score/dysca/m/blind", {"a": (1, 0.5, 300), "b": (1, 1, 200)})
    measurement(project, "scenes/dysca", {"a": (4, 3, 50)})
    measurement(project, "render/dysca", {"a": (9, 9, 900)})
    (project / "data/seals/render/dysca.json").write_text('{"outs": {"data/x": "other bytes"}}')
    rows = {row.name: row.spent for row in measured(project)}
    assert list(rows) == ["scenes/dysca", "score/dysca/m", "all"], (
        "what lies there was not measured: render"
    )
    assert rows["score/dysca/m"] == Spent(jobs=3, wall=4, cpu=3, peak=300)
    assert rows["all"] == Spent(jobs=4, wall=8, cpu=6, peak=300)
    bench(project, "--no-run")
    page = (project / "docs/performance.md").read_text()
    assert "| score/dysca/m | 3 | 3 s | 4 s | 300 MiB |" in page and "A snapshot:" in page
    assert about(ROOT).startswith("The snapshot ")


def test_without_a_snapshot_the_table_stays(tmp_path: Path) -> None:
    assert measured(tmp_path) == []


def test_what_the_machine_is_names_no_host() -> None:
    told = machine.facts()
    assert set(told) == {"processor", "cores", "memory", "gpu", "system", "python", "month"}
    assert all(told.values()) and int(told["memory"].split()[0]) > 0
    assert machine.load() >= 0


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda p: p.stem)
def test_every_benchmark_prints_a_json_object_about_itself(path: Path) -> None:
    """Its code holds a dictionary that says which benchmark it is, and one that is printed."""
    tree = ast.parse(path.read_text())
    assert (ast.get_docstring(tree) or "").strip()
    named = [
        value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "benchmark"
        and isinstance(value, ast.Constant)
    ]  # fmt: skip
    assert named and set(named) == {path.stem}
    assert "print(json.dumps(" in "".join(ast.unparse(tree).split("\n"))


def test_the_document_has_the_markers(tmp_path: Path) -> None:
    copy = tmp_path / "performance.md"
    copy.write_text((ROOT / "docs/performance.md").read_text())
    for name in ("benchmarks", "stages"):
        table.put(copy, name, f"new {name}")
        assert f"new {name}" in copy.read_text()
    assert "## Diffusion" in copy.read_text()
