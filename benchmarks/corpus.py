"""Speed of the corpus on one core: scenes, prompts and checked questions as Arrow tables.

Counts processor seconds, shard after shard at the scale of Dysca's Table 2 (46,700 scenes, 156,000
questions). ``qa_per_s`` includes what happens once a process, the working out of pools and phrases;
``qa_per_s_steady`` leaves it out. Reading the vocabulary's files is in neither, writing Parquet
only with ``--write``. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import build_shard


def peak_mib() -> float:
    """Largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@main_guard
def main() -> None:
    """Build all shards one after the other and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--scenes-per-subtask", type=int, default=2335)
    parser.add_argument("--write", action="store_true", help="write the shards as Parquet too")
    args = parser.parse_args()

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    given = load_params(args.config, "dysca").model_dump(mode="json")
    given["corpus"]["scenes_per_subtask"], given["corpus"]["scenes"] = args.scenes_per_subtask, {}
    params = validate(given)
    begin = time.process_time()
    vocabulary = load_vocabulary(vocabulary_dir(params))
    loaded = time.process_time()
    build_shard(params, vocabulary, 0, 0)
    planned, before = time.process_time(), peak_mib()
    n_scenes = n_questions = 0
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(scene_shards(params)):
            scenes, questions = build_shard(params, vocabulary, *scene_range(params, shard))
            n_scenes, n_questions = n_scenes + len(scenes), n_questions + len(questions)
            if args.write:
                name, snapshot = tables.part_name(shard), params_id(params)
                tables.write(scenes, Path(folder) / "s" / name, tables.SCENES, snapshot)
                tables.write(questions, Path(folder) / "q" / name, tables.QUESTIONS, snapshot)
    end = time.process_time()
    print(f"{n_scenes} scenes and {n_questions} questions in {scene_shards(params)} shards")
    print(
        f"vocabulary {loaded - begin:.2f} s, pools and phrases {planned - loaded:.2f} s, "
        f"shards {end - planned:.2f} s"
    )
    figures = {
        "benchmark": "corpus",
        "qa_per_s": round(n_questions / (end - loaded)),
        "qa_per_s_steady": round(n_questions / (end - planned)),
        "peak_mib": round(peak_mib(), 1),
        "shards_mib": round(peak_mib() - before, 1),
        "questions": n_questions,
        "written": args.write,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
