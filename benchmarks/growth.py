"""Growth of each stage with the number of scenes, from the jobs of finished runs of several sizes.

Give the folders of two or more finished runs of one configuration that differ in
``corpus.scenes_per_subtask``: what the kernel counted of their jobs (processor time, largest
process) is added up by stage and kept in ``benchmarks/measured/growth.json``. For each stage two
lines are fitted to the processor time: ``a + b n``, each run counting by its relative error, and
the slope of ``log t`` over ``log n``, 1 where time follows the number of scenes and 0 where it does
not depend on it. Without folders, what is kept is fitted again. ``--write`` puts the table into a
document, between its markers ``growth``. The last line of standard output is one JSON object.

Processor time is what is fitted, since other work on the machine hardly changes it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.harness import table
from lvlmbench.config import load_project
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.engine.builds import STATE
from lvlmbench.stages.report.timings import MEASURED, OUTS, Spent, spent

KEPT = Path(__file__).parent / "measured" / "growth.json"
#: Scenes of the full scale (Dysca, table 2).
FULL = 46_700
#: Stages of which each job is told alone, by the name of the job.
_BY_JOB = {"exports", "metrics"}
#: Not made again for each snapshot.
_ONCE = {"reference", "reference_scenes"}


@dataclass(frozen=True)
class Fit:
    """Processor seconds ``a + b n`` of ``n`` scenes; slope of its logarithm, also of the memory's.

    ``off`` is the largest relative error of the line at a measured point.
    """

    a: float
    b: float
    slope: float
    memory_slope: float
    off: float


def _key(stage: str, job: str) -> str:
    """The line of the table that a job counts for."""
    kind = stage.partition("/")[0]
    if kind in _BY_JOB:
        return f"{kind}: {job.removeprefix('export-')}"
    return "/".join(stage.split("/")[:2])


def measured(folder: Path) -> tuple[int, dict[str, Spent]]:
    """Planned scenes of a finished run, and what its jobs took, by stage.

    Raises
    ------
    UserError
        It is no finished run, or one whose jobs were not counted.
    """
    configs = sorted((folder / STATE).glob("config-*.json"), key=lambda p: p.stat().st_mtime)
    top, found = folder / STATE / MEASURED, defaultdict[str, Spent](Spent)
    if not configs or not (top / "report" / OUTS).is_file():
        raise UserError(str(folder), "is no finished run", "make its report first")
    for path in sorted(top.rglob("*.tsv")):
        stage = path.parent.relative_to(top).as_posix()
        took = spent([path])
        if took is not None and stage.partition("/")[0] not in _ONCE:
            found[_key(stage, path.stem)] += took
    project = load_project(configs[-1])
    return sum(project.suite(name).corpus.n_scenes for name in project.suites), dict(found)


def fit(scenes: Sequence[int], took: Sequence[Spent]) -> Fit:
    """Lines through what a stage took in runs of so many scenes."""
    n = np.array(scenes, dtype=float)
    t = np.array([each.cpu for each in took])
    memory = np.array([each.peak for each in took])
    b, a = np.polyfit(n, t, 1, w=1 / t)
    slope, memory_slope = (float(np.polyfit(np.log(n), np.log(y), 1)[0]) for y in (t, memory))
    off = float(np.max(np.abs((a + b * n) / t - 1)))
    return Fit(float(a), float(b), slope, memory_slope, off)


def _cells(took: Spent | None) -> str:
    return "none |" if took is None else f"{took.cpu:,.1f} s, {took.peak:,.0f} MiB |"


def show(runs: dict[int, dict[str, Spent]], fits: dict[str, Fit]) -> str:
    """The table in Markdown: a line a stage, a column a run."""
    sizes = sorted(runs)
    head = " ".join(f"{n:,} scenes |" for n in sizes)
    lines = [
        f"| stage | {head} fitted, n in thousands | slope | of memory | at {FULL:,} |",
        "|---" * (len(sizes) + 5) + "|",
    ]
    for name in dict.fromkeys(name for n in sizes for name in runs[n]):
        cells = " ".join(_cells(runs[n].get(name)) for n in sizes)
        line, more = fits.get(name), "| | |"
        if line is not None:
            hours = max(0.0, line.a + line.b * FULL) / 3600
            more = f"{line.slope:.2f} | {line.memory_slope:.2f} | {hours:.2f} h |"
            cells += f" {line.a:.1f} + {1000 * line.b:.1f} n s |"
        else:
            cells += " |"
        lines.append(f"| {name} | {cells} {more}")
    total = " ".join(f"{sum(s.cpu for s in runs[n].values()):,.0f} s |" for n in sizes)
    hours = sum(max(0.0, f.a + f.b * FULL) for f in fits.values()) / 3600
    lines.append(f"| all | {total} | | | {hours:.1f} h |" if fits else f"| all | {total} | | | |")
    return "\n".join(lines)


def kept() -> dict[int, dict[str, Spent]]:
    """What was measured before."""
    runs = json.loads(KEPT.read_text(encoding="utf-8"))
    return {int(n): {k: Spent(**v) for k, v in found.items()} for n, found in runs.items()}


@main_guard
def main() -> None:
    """Collect, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*", help="finished runs (what is kept)")
    parser.add_argument("--write", type=Path, help="document whose table is to be replaced")
    args = parser.parse_args()

    if args.folders:
        runs = dict(measured(folder) for folder in args.folders)
        plain = {n: {k: asdict(v) for k, v in found.items()} for n, found in sorted(runs.items())}
        KEPT.parent.mkdir(exist_ok=True)
        atomic_bytes(KEPT, (json.dumps(plain, indent=1, sort_keys=False) + "\n").encode())
    else:
        runs = kept()
    fits: dict[str, Fit] = {}
    for name in dict.fromkeys(name for found in runs.values() for name in found):
        points = [(n, runs[n][name]) for n in sorted(runs) if name in runs[n]]
        if len(points) > 1 and all(took.cpu > 0 and took.peak > 0 for _, took in points):
            fits[name] = fit(*zip(*points, strict=True))
    shown = show(runs, fits)
    print(shown)
    if args.write:
        table.put(args.write, "growth", shown)
    figures: dict[str, Any] = {
        "benchmark": "growth",
        "scenes": sorted(runs),
        "cpu_s": {n: round(sum(s.cpu for s in found.values())) for n, found in runs.items()},
        "steepest": max((f.slope for f in fits.values()), default=None),
        "fits": {name: asdict(line) for name, line in fits.items()},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
