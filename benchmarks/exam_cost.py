"""Time and memory of an exam by aspects and pictures of each (AutoDavis, table 7).

For each size a process of its own plans the descriptions with their semantic graphs, draws the
pictures and asks about them; rules plan and ask, so that no server counts. Memory is how much the
largest size of the process grows over what it is before the first picture is planned. The paper's
numbers stand beside them: there a model behind an endpoint plans, and nothing is drawn. The table
is printed, and kept as CSV, PDF and SVG. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.composing import vocabulary_of
from benchmarks.harness.examining import chain_parameters
from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.figures import plotting, tabular
from lvlmbench.stages.figures.published_table import read_table
from lvlmbench.stages.figures.tabular import Cell, Column, Row, Table
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import suite_of

PUBLISHED = PROJECT_ROOT / "data" / "published" / "autodavis_table7.csv"
OUT = Path(__file__).parent / "results" / "exam_cost"
#: Columns of the CSV file: heading of the table, digits.
COLUMNS: Mapping[str, tuple[str, int]] = {
    "aspects": ("Aspects", 0),
    "prompts": ("Pictures of each", 0),
    "plan_s": ("Plan, s", 2),
    "draw_s": ("Draw, s", 2),
    "ask_s": ("Ask, s", 2),
    "total_s": ("In all, s", 2),
    "picture_s": ("A picture, s", 3),
    "plan_mb": ("Memory to plan, MB", 1),
    "peak_mb": ("In all, MB", 1),
    "paper_s": ("Paper, s", 2),
    "paper_mb": ("Paper, MB", 2),
}


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def measure(params: Params) -> dict[str, float]:
    """Plan, draw and ask; returns seconds of each and the growth of memory, in MB."""
    suite, vocabulary, n = suite_of(params), vocabulary_of(params), params.corpus.n_scenes
    renderer = make_renderer(params, vocabulary)
    suite.scenes(params, vocabulary, 0, 0)
    before, began = _peak_mb(), time.perf_counter()
    scenes = suite.scenes(params, vocabulary, 0, n)
    planned, plan_mb = time.perf_counter(), _peak_mb() - before
    *_, layouts = render_shard(params, vocabulary, scenes, renderer)
    drawn = time.perf_counter()
    suite.questions(params, vocabulary, scenes, layouts)
    ended = time.perf_counter()
    return {
        "plan_s": planned - began, "draw_s": drawn - planned, "ask_s": ended - drawn,
        "total_s": ended - began, "picture_s": (ended - began) / n,
        "plan_mb": plan_mb, "peak_mb": _peak_mb() - before,
    }  # fmt: skip


def _alone(aspects: int, prompts: int, args: argparse.Namespace) -> dict[str, float]:
    """Measure one size in a process of its own."""
    command = [sys.executable, __file__, "--one", f"{aspects}x{prompts}", "--size", str(args.size),
               "--request", args.request, "--level", args.level]  # fmt: skip
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table_of(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the measured sizes as a table."""
    lines = [
        Row(tuple(
            Cell("\N{EN DASH}" if row.get(name) is None else f"{row[name]:.{digits}f}")
            for name, (_, digits) in COLUMNS.items()
        ))
        for row in rows
    ]  # fmt: skip
    heads = [Column(head) for head, _ in COLUMNS.values()]
    note = (
        "Memory: growth of the largest size of the process over what it is before planning. Paper: "
        "a model behind an endpoint plans; nothing is drawn or asked (AutoDavis, table 7)."
    )
    return Table(
        "Time and memory of an exam by aspects and pictures of each", heads, lines, (note,)
    )


def write(rows: Sequence[Mapping[str, Any]], out: Path) -> None:
    """Write the table as CSV, PDF and SVG."""
    out.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    lines = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    with plotting.settings():
        forms = plotting.forms(tabular.draw(table_of(rows)))
    for suffix, data in {"csv": text.getvalue().encode(), **forms}.items():
        atomic_bytes(out.with_suffix(f".{suffix}"), data)


@main_guard
def main() -> None:
    """Measure all sizes, print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aspects", nargs="+", type=int, default=[1, 2, 5, 10])
    parser.add_argument("--prompts", nargs="+", type=int, default=[2, 5, 10])
    parser.add_argument("--request", default="basic_understanding")
    parser.add_argument("--level", default="medium")
    parser.add_argument("--size", type=int, default=512, help="side of the pictures")
    parser.add_argument("--out", type=Path, default=OUT, help="files, without their suffix")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        aspects, prompts = map(int, args.one.split("x"))
        chosen = chain_parameters(args.request, args.level, aspects, prompts, args.size)
        print(json.dumps(measure(chosen)))
        return
    paper = {
        (int(row[0]), int(row[1])): {"paper_s": float(row[2]), "paper_mb": float(row[3])}
        for row in read_table(PUBLISHED, lambda row: tuple(row.values()))
    }
    rows = []
    print(" | ".join(head for head, _ in COLUMNS.values()))
    for aspects in args.aspects:
        for prompts in args.prompts:
            row: dict[str, Any] = {"aspects": aspects, "prompts": prompts}
            found = _alone(aspects, prompts, args)
            row |= {name: round(value, COLUMNS[name][1]) for name, value in found.items()}
            rows.append(row | paper.get((aspects, prompts), {}))
            print(" | ".join(str(rows[-1].get(name, "")) for name in COLUMNS), flush=True)
    write(rows, args.out)
    largest = rows[-1]
    told = {name: largest[name] for name in ("total_s", "picture_s", "plan_mb", "peak_mb")}
    print(json.dumps({"benchmark": "exam_cost", "sizes": len(rows), **told}))


if __name__ == "__main__":
    main()
