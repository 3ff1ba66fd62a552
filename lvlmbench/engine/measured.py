"""What the jobs of a stage took, kept once their build folder may go.

Snakemake looks at a job when it begins and then every 30 seconds, so its processor time may lack
the last 30 seconds, and its peak of memory what fell in between. The kernel counts both until a
process ends; that is noted beside Snakemake's figures.
"""

from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Mapping
from pathlib import Path

from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import STATE, remove
from lvlmbench.stages.report.timings import MEASURED, OUTS, jobs_of, usage_of


def note_usage(build: Path, job: str, wall: float, before: resource.struct_rusage) -> None:
    """Leave what the subprocesses of this process took since ``before``, the last one ``job``."""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    used = {
        "wall_s": round(wall, 3),
        "cpu_s": round(cpu, 3),
        "peak_mib": round(after.ru_maxrss / 1024, 1),
    }
    path = usage_of(build / "benchmark" / f"{job}.tsv")
    atomic_bytes(path, (json.dumps(used) + "\n").encode())


def keep_measured(build: Path, stage: str, outs: Mapping[str, str | None]) -> None:
    """Have the measurements of a published stage beside the state, with the hashes of its files.

    A job that took published files was not measured at making them; what was measured then stays,
    if it is about the same files.
    """
    folder = Path(STATE, MEASURED, stage)
    made, taken = jobs_of(build)
    note = json.dumps(outs, sort_keys=True).encode()
    about = folder / OUTS
    same = about.is_file() and about.read_bytes() == note
    for old in folder.glob("*.tsv"):
        if not (same and old.name in taken):
            remove(old)
            remove(usage_of(old))
    folder.mkdir(parents=True, exist_ok=True)
    for path in made:
        for file in (path, usage_of(path)):
            if file.is_file():
                shutil.copyfile(file, folder / file.name)
    atomic_bytes(about, note)
