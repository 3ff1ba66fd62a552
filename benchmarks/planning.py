"""Time to plan the full scale of the paper: the DAG over 288,000 images in shards, dry.

``snakemake -n`` for the report of ``profiles/dysca.yaml`` in a temporary folder, in the states
that it meets: nothing made yet; all stages published, first with nothing known of their files, then
with their hashes remembered; all published and a late parameter changed. The published files stand
in for images: as many shards as there are, :data:`BYTES` each. What a first look at real ones takes
is their size by the rate at which this machine hashes, which is measured too. Fails where a plan
takes more than ``--most-s`` of processor time. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench.config import Project, validate_project
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.layers import merge
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.builds import HASHES
from lvlmbench.engine.hashing import Hashes
from lvlmbench.engine.paths import Paths
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.seals import write_seal
from lvlmbench.engine.stages import pipeline

#: Bytes of a file that stands for a shard; more than what is read again each time.
BYTES = 20_000
#: Bytes that the rate of hashing is measured with.
HASHED = 1 << 28


def layered(config: Path) -> Project:
    """params.yaml below a file of parameters."""
    below, over = read_yaml(PROJECT_ROOT / "params.yaml"), read_yaml(config)
    if not (isinstance(below, dict) and isinstance(over, dict)):
        raise UserError(str(config), "holds no parameters", "give a parameter file")
    return validate_project(merge(below, over), str(config))


def publish(project: Project) -> int:
    """Have files of all stages below the current directory, and their seals; returns how many."""
    items, paths, n = pipeline(project, PROJECT_ROOT), Paths(project), 0
    for name in items.items:
        for file in paths.of(name):
            path = Path(file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(os.urandom(BYTES))
            n += 1
    time.sleep(0.1)  # what has just been written is not remembered
    for name, status in Plan(PROJECT_ROOT, items).status.items():
        write_seal(Path(items.items[name].seal), status.seal)
    return n


def look(project: Project, folder: Path) -> dict[str, Any]:
    """Plan the report as a user would; returns what it took and how many jobs there are."""
    config = folder / "config.json"
    config.write_text(project.model_dump_json())
    command = [sys.executable, "-m", "snakemake", "-n", "results/report.html"]
    command += ["--snakefile", str(PROJECT_ROOT / "Snakefile"), "--directory", str(folder)]
    command += ["--workflow-profile", str(PROJECT_ROOT / "profiles" / "default")]
    command += ["--configfile", str(config)]
    # No weights are read here, but a run wants the folder that is named for them.
    command += ["--config", f"render={{diffusion: {{text: {{model: {json.dumps(str(folder))}}}}}}}"]
    began, log = time.monotonic(), folder / "plan.log"
    with log.open("wb") as out:
        started = subprocess.Popen(command, cwd=PROJECT_ROOT, stdout=out, stderr=out)
        _, status, used = os.wait4(started.pid, 0)
    wall, said = time.monotonic() - began, log.read_text(errors="replace")
    if status:
        last = said.strip().split("\n")[-1]
        raise UserError("snakemake -n", f"failed ({last})", "plan it by hand to see why")
    jobs = re.findall(r"^total\s+(\d+)$", said, re.MULTILINE)
    return {
        "jobs": int(jobs[-1]) if jobs else 0,
        "cpu_s": round(used.ru_utime + used.ru_stime, 1),
        "wall_s": round(wall, 1),
        "peak_mib": round(used.ru_maxrss / 1024),
    }


def hashed_mb_per_s(folder: Path) -> float:
    """Rate of hashing a file that is in the page cache, by processor time."""
    path = folder / "large"
    path.write_bytes(bytes(HASHED))
    began = time.process_time()
    Hashes(folder / "memory.json").file(path)
    rate = HASHED / 10**6 / (time.process_time() - began)
    path.unlink()
    return rate


@main_guard
def main() -> None:
    """Plan in each state and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    config = PROJECT_ROOT / "profiles" / "dysca.yaml"
    parser.add_argument("--config", type=Path, default=config)
    parser.add_argument("--most-s", type=float, default=20, help="of processor time")
    args = parser.parse_args()

    project = layered(args.config)
    late = project.model_copy(
        update={"report": project.report.model_copy(update={"thumbnail_size": 128})}
    )
    early = project.model_copy(update={"snapshot": project.snapshot.model_copy(update={"seed": 1})})
    states: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rate = hashed_mb_per_s(folder)
        states["nothing made"] = look(project, folder)
        with chdir(folder):
            files = publish(project)
        (folder / HASHES).unlink()
        states["all published, first look"] = look(project, folder)
        states["all published"] = look(project, folder)
        states["all published, a late parameter changed"] = look(late, folder)
        states["all published, an early parameter changed"] = look(early, folder)
    print("| state | jobs | processor time | wall clock | memory |\n|---|---|---|---|---|")
    for state, took in states.items():
        print(
            f"| {state} | {took['jobs']:,} | {took['cpu_s']} s | {took['wall_s']} s | "
            f"{took['peak_mib']} MiB |"
        )
    slowest = max(took["cpu_s"] for took in states.values())
    figures = {
        "benchmark": "planning",
        "files": files,
        "hashed_mb_per_s": round(rate),
        "slowest_cpu_s": slowest,
        "states": states,
    }
    print(json.dumps(figures))
    if slowest > args.most_s:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
