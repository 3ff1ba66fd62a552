"""Time and memory of each stage, from what Snakemake has measured of its jobs.

The jobs of stages that are built in this run have left their measurements in the folders of their
builds. Those of stages that were published before lie in ``.lvlmbench/benchmark/stages``, each
with the hashes of the files that it was about. A stage whose files came from elsewhere, such as
``dvc pull``, has none.

Beside the measurement of a job lies what the kernel counted until the job ended. It goes first:
Snakemake looks now and then and misses what comes after its last look.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lvlmbench.stages.stage import declared

#: Below the state folder: what was measured of published stages, one folder a stage.
MEASURED = "benchmark/stages"
#: In each of these: hashes of the stage's files.
OUTS = "outs.json"
#: How the log of a job begins that took published files instead of making them again.
TAKEN = "The inputs are what they were"


@dataclass(frozen=True)
class Spent:
    """Jobs, their wall clock and CPU time in seconds, and the largest peak of memory in MiB.

    ``unmeasured`` are jobs that ended before Snakemake looked; their time is counted.
    """

    jobs: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    peak: float = 0.0
    unmeasured: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.jobs + other.jobs, self.wall + other.wall, self.cpu + other.cpu,
            max(self.peak, other.peak), self.unmeasured + other.unmeasured,
        )  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """A stage, or all of one kind together; ``spent`` is None where nothing is known."""

    name: str
    spent: Spent | None
    parts: list[Stage] = field(default_factory=list)

    @property
    def unknown(self) -> int:
        """Parts of which nothing is known."""
        return sum(part.spent is None for part in self.parts)


def usage_of(path: Path) -> Path:
    """What the kernel counted of the job that Snakemake's measurement at ``path`` is about."""
    return path.with_suffix(".usage.json")


def _number(text: str | None) -> float | None:
    """A cell of a measurement; None for what Snakemake leaves blank."""
    try:
        value = float(text or "nan")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _rows(path: Path) -> Iterator[Spent]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
    except (OSError, ValueError, csv.Error):
        return
    used = _json(usage_of(path))
    for row in rows:
        wall, cpu, peak = (_number(row.get(name)) for name in ("s", "cpu_time", "max_rss"))
        if len(rows) == 1 and {"cpu_s", "peak_mib"} <= used.keys():
            cpu, peak = (_number(str(used[name])) for name in ("cpu_s", "peak_mib"))
        if wall is not None:
            yield Spent(1, wall, cpu or 0.0, peak or 0.0, int(not peak))


def spent(paths: Iterable[Path]) -> Spent | None:
    """The sum over the jobs of a stage; None where none was measured."""
    found = [row for path in paths for row in _rows(path)]
    return sum(found[1:], found[0]) if found else None


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def jobs_of(build: Path) -> tuple[list[Path], list[str]]:
    """Measurements of the jobs in a build that made their files, and names of those of jobs that
    took published ones."""
    made, taken = [], []
    for path in sorted((build / "benchmark").glob("*.tsv")):
        log = build / "log" / f"{path.stem}.log"
        try:
            with log.open(encoding="utf-8", errors="replace") as file:
                took = file.read(len(TAKEN)) == TAKEN
        except OSError:
            took = False
        if took:
            taken.append(path.name)
        else:
            made.append(path)
    return made, taken


def _kept(state: Path, seals: Path, name: str) -> list[Path]:
    """Measurements of a published stage, if they are about the files that lie there."""
    folder = state / MEASURED / name
    now = _json(seals / f"{name}.json").get("outs")
    if now is None or _json(folder / OUTS) != now:
        return []
    return sorted(folder.glob("*.tsv"))


def _grouped(found: Mapping[str, Spent | None]) -> list[Stage]:
    """``answer/MODEL/SCENARIO`` and the like below one line each, in the order of the pipeline."""
    kinds: dict[str, list[Stage]] = {}
    for name, value in found.items():
        kinds.setdefault(name.partition("/")[0], []).append(Stage(name, value))
    out = []
    for kind, stages in kinds.items():
        if len(stages) == 1 and stages[0].name == kind:
            out.append(stages[0])
            continue
        known = [s.spent for s in stages if s.spent is not None]
        out.append(Stage(kind, sum(known, Spent()) if known else None, stages))
    return out


def build(state: Path | None, folder: Path | None) -> list[Stage]:
    """Every stage up to the report, in the order in which they lie below each other.

    Parameters
    ----------
    state
        ``.lvlmbench`` of the directory that the pipeline runs in.
    folder
        The build of the report; its plan names the builds of this run.
    """
    if state is None or folder is None:
        return []
    plan = _json(folder / "plan.json")
    fresh = {}
    for path in map(Path, plan.get("publish", [])):
        name = _json(path / "plan.json").get("stage")
        if isinstance(name, str) and path != folder:
            fresh[name] = path
    seals = state.parent / "data" / "seals"
    published = {p.relative_to(seals).with_suffix("").as_posix() for p in seals.rglob("*.json")}
    found: dict[str, Spent | None] = {}
    for name in sorted({*fresh, *published} - {"report"}, key=_order):
        kept = _kept(state, seals, name)
        if name in fresh:
            made, taken = jobs_of(fresh[name])
            kept = [*made, *(path for path in kept if path.name in taken)]
        found[name] = spent(kept)
    return _grouped(found)


def _order(name: str) -> tuple[int, str]:
    stages = list(declared())
    kind = name.partition("/")[0]
    return (stages.index(kind) if kind in stages else len(stages)), name


def total(stages: Iterable[Stage]) -> Spent:
    """Of all stages together."""
    return sum((s.spent for s in stages if s.spent is not None), Spent())
