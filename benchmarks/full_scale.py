"""The text side of the full scale, all scenes and questions by Snakemake, held against Table 2.

``tests/configs/dysca.yaml`` has the scale of Dysca's Table 2. Its scenes and questions are made as
a run makes them, ``snakemake data/seals/questions/dysca.json`` in a temporary folder, once for each
of ``--scales`` times the scenes: seconds, processor seconds, the largest process and the disk show
whether anything grows that must not. Then it is counted what would be shown and asked in each
scenario (:mod:`support.planned`) and printed beside Table 2. Ends with 1 where a share is more than
half a point off, a number more than half a percent, or where a process takes more than
``--most-mib``. The last line of standard output is one JSON object.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.layers import load_layers
from lvlmbench.config.project import project_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard

sys.path.insert(0, str(PROJECT_ROOT / "tests"))

from support.planned import Line, beside, planned  # type: ignore[import-not-found]

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


def generate(params: Params, folder: Path, cores: int) -> dict[str, Any]:
    """Have Snakemake make scenes and questions in ``folder``; returns what it took."""
    config = folder / "config.json"
    config.write_text(project_of(params).model_dump_json())
    goal = f"data/seals/questions/{params.suite}.json"
    command = [sys.executable, "-m", "snakemake", goal, "--cores", str(cores)]
    command += ["--snakefile", str(PROJECT_ROOT / "Snakefile"), "--directory", str(folder)]
    command += ["--workflow-profile", str(PROJECT_ROOT / "profiles" / "default")]
    command += ["--configfile", str(config)]
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


def shards(folder: Path) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Scenes and questions of a corpus, shard by shard."""
    for path in sorted((folder / "data" / "dysca" / "scenes").glob("part-*.parquet")):
        asked = folder / "data" / "dysca" / "questions" / path.name
        yield tables.read([path], tables.SCENES), tables.read([asked], tables.QUESTIONS)


def texts(folder: Path) -> dict[str, float]:
    """Of all questions: distinct ones (text and options), mean characters, mean options."""
    distinct, characters, options, closed, total = set(), 0, 0, 0, 0
    for _, questions in shards(folder):
        columns = (questions[name].to_pylist() for name in ("question", "options"))
        for question, offered in zip(*columns, strict=True):
            distinct.add(hash((question, *(offered or ()))))
            characters, total = characters + len(question), total + 1
            options, closed = options + len(offered or ()), closed + bool(offered)
    return {
        "distinct_questions": len(distinct),
        "question_characters": round(characters / total, 1),
        "choices": round(options / closed, 2),
    }


def show(lines: list[Line]) -> None:
    """Print the comparison as a table."""
    print("| statistic | planned | share | Table 2 | share | apart |\n|---|---|---|---|---|---|")
    for line in lines:
        shares = ["" if p is None else f"{p:.2f} %" for p in (line.percent, line.printed_percent)]
        unit = "points" if line.percent is not None else "%"
        mark = "" if line.holds else " **off**"
        print(
            f"| {line.statistic} | {line.number:,} | {shares[0]} | {line.printed:,.0f} | "
            f"{shares[1]} | {line.apart:+.2f} {unit}{mark} |"
        )


@main_guard
def main() -> None:
    """Make the corpora, count and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    config = PROJECT_ROOT / "tests" / "configs" / "dysca.yaml"
    parser.add_argument("--config", type=Path, default=config)
    parser.add_argument("--scales", type=float, nargs="+", default=[0.25, 1, 4])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--most-mib", type=float, default=1536)
    args = parser.parse_args()

    runs: dict[str, dict[str, Any]] = {}
    off: list[str] = []
    figures: dict[str, Any] = {"benchmark": "full_scale"}
    for scale in args.scales:
        params = layered(args.config, scale)
        with tempfile.TemporaryDirectory() as name:
            runs[f"{scale:g}"] = run = generate(params, Path(name), args.cores)
            print(f"{scale:g} x: {json.dumps(run)}", flush=True)
            if scale != 1:
                continue
            began = time.process_time()
            lines = beside(planned(params, shards(Path(name))), PRINTED)
            figures["counting_cpu_s"] = round(time.process_time() - began, 1)
            figures |= texts(Path(name))
            show(lines)
            off += [line.statistic for line in lines if not line.holds]
            figures |= {line.statistic: line.number for line in lines}
    mine = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # the largest of all
    off += [f"{mine:.0f} MiB"] if mine > args.most_mib else []
    figures |= {"largest_process_mib": round(mine, 1), "runs": runs, "off": off}
    print(json.dumps(figures))
    if off:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
