"""The text side of the full scale, held against Table 2.

``profiles/dysca.yaml`` has the scale of Dysca's Table 2. Its questions are counted, and what would
be shown and asked in each scenario (:mod:`support.planned`), and printed beside it; ``--write``
puts that table into a document, between its markers ``table 2``. Its scenes are made as a run makes
them, ``snakemake data/seals/scenes/dysca.json`` in a temporary folder, once for each of
``--scales`` times the scenes: seconds, processor seconds, the largest process and the disk show
whether anything grows that must not. (Questions are made after drawing.) Ends with 1 where a share
is more than half a point off, a number more than half a percent, single texts apart, or where a
process takes more than ``--most-mib``. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import build_shard

sys.path.insert(0, str(PROJECT_ROOT))
sys.path.insert(0, str(PROJECT_ROOT / "tests"))

from benchmarks.harness.table import put
from support.planned import beside, planned, table, texts  # type: ignore[import-not-found]

PRINTED = PROJECT_ROOT / "data" / "published" / "dysca_table2.csv"


def layered(config: Path, scale: float) -> Params:
    """params.yaml below a file of parameters, with so many times its scenes."""
    params = load_layers([PROJECT_ROOT / "params.yaml", config]).suite("dysca")
    scenes = max(1, round(params.corpus.scenes_per_subtask * scale))
    corpus = params.corpus.model_copy(update={"scenes_per_subtask": scenes})
    return params.model_copy(update={"corpus": corpus})


def size_mib(folder: Path) -> float:
    """Bytes of the files of a folder."""
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20


def generate(params: Params, config: Path, folder: Path, cores: int) -> dict[str, Any]:
    """Have Snakemake make the scenes in ``folder``; returns what it took."""
    goal = f"data/seals/scenes/{params.suite}.json"
    command = [sys.executable, "-m", "snakemake", goal, "--cores", str(cores)]
    command += ["--snakefile", str(PROJECT_ROOT / "Snakefile"), "--directory", str(folder)]
    command += ["--workflow-profile", str(PROJECT_ROOT / "profiles" / "default")]
    command += ["--configfile", str(config.resolve()), "--config"]
    corpus = {"scenes_per_subtask": params.corpus.scenes_per_subtask}
    command += [f"suites={json.dumps({params.suite: {'corpus': corpus}})}"]
    # No weights are read here, but a run wants the folder that is named for them.
    command += [f"render={json.dumps({'diffusion': {'text': {'model': str(folder)}}})}"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    log = folder / "snakemake.log"
    with log.open("wb") as out:
        ended = subprocess.run(command, cwd=PROJECT_ROOT, stdout=out, stderr=out, check=False)
    if ended.returncode:
        last = log.read_text(errors="replace").strip().split("\n")[-1]
        raise UserError("snakemake", f"failed ({last})", f"see {log}")
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    kept = folder / ".lvlmbench" / "benchmark" / "stages"
    jobs = [json.loads(path.read_text()) for path in sorted(kept.rglob("*.usage.json"))]
    return {
        "scenes": params.corpus.n_scenes,
        "jobs": len(jobs),
        "wall_s": round(wall, 1),
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "jobs_cpu_s": round(sum(job["cpu_s"] for job in jobs), 1),
        "largest_job_mib": max(job["peak_mib"] for job in jobs),
        "disk_mib": round(size_mib(folder / "data" / "dysca"), 1),
    }


def shards(params: Params) -> list[tuple[pa.Table, pa.Table]]:
    """Scenes and questions of a corpus, shard by shard."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    return [
        build_shard(params, vocabulary, *scene_range(params, at))
        for at in range(scene_shards(params))
    ]


@main_guard
def main() -> None:
    """Make the corpora, count and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    config = PROJECT_ROOT / "profiles" / "dysca.yaml"
    parser.add_argument("--config", type=Path, default=config)
    parser.add_argument("--scales", type=float, nargs="*", default=[0.25, 1, 4])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--most-mib", type=float, default=1536)
    parser.add_argument("--write", type=Path, help="document whose table is to be replaced")
    args = parser.parse_args()

    began, whole = time.process_time(), layered(args.config, 1)
    made = shards(whole)
    told = texts(whole, made) | {"resolution": whole.render.size}
    lines = beside(planned(whole, made), PRINTED, told)
    figures: dict[str, Any] = {"benchmark": "full_scale"}
    figures["counting_cpu_s"] = round(time.process_time() - began, 1)
    figures |= {line.statistic: line.number for line in lines}
    off = [line.statistic for line in lines if not line.holds]
    print(table(lines), flush=True)
    if args.write:
        put(args.write, "table 2", table(lines))

    runs: dict[str, dict[str, Any]] = {}
    for scale in args.scales:
        with tempfile.TemporaryDirectory() as name:
            params = layered(args.config, scale)
            runs[f"{scale:g}"] = run = generate(params, args.config, Path(name), args.cores)
            print(f"{scale:g} x: {json.dumps(run)}", flush=True)
    mine = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # the largest of all
    off += [f"{mine:.0f} MiB"] if mine > args.most_mib else []
    figures |= {"largest_process_mib": round(mine, 1), "runs": runs, "off": off}
    print(json.dumps(figures))
    if off:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
