"""Speed and memory of the vocabulary audit at full scale.

``profiles/dysca.yaml`` has the scale of the paper (Dysca, table 2): its 46,700 scenes are planned,
and what the filters and the consensus say of them is made up. Some samples are wrong by chance, and
those that show one of ``--bad`` planted entries are wrong mostly. Planning is not timed. The last
line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.audit.audit import audit_rows, csv_bytes
from lvlmbench.stages.audit.samples import Entry, shown
from lvlmbench.suites.suite import build_shard
from lvlmbench.tables import graph

#: How often a sample with a planted entry is wrong.
BAD = 0.8
#: Planted entries are in so many scenes at least.
LEAST = 5


def planned(params: Params) -> pa.Table:
    """Scenes of all shards, with the columns that the audit reads."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    columns = ["scene_id", *(column.name for column in graph.COLUMNS)]
    shards = range(scene_shards(params))
    return pa.concat_tables(
        build_shard(params, vocabulary, *scene_range(params, at))[0].select(columns)
        for at in shards
    )


def made_up(
    scenes: pa.Table, filters: list[str], base: float, bad: int, seed: int
) -> tuple[pa.Table, pa.Table, pa.Table, set[Entry]]:
    """Questions, verdicts, consensus, and the entries that are planted."""
    random = generator(seed, "benchmark", "auditing")
    shows = [shown(scene) for scene in scenes.to_pylist()]
    often = Counter(entry for entries in shows for entry in entries)
    fit = sorted(entry for entry, n in often.items() if n >= LEAST)
    planted = {fit[at] for at in random.permutation(len(fit))[:bad]}
    rate = np.array([BAD if planted & {*entries} else base for entries in shows])
    wrong, by = random.random(len(shows)) < rate, random.integers(0, len(filters) + 1, len(shows))
    ids = scenes["scene_id"].to_pylist()
    columns = {
        name: ~wrong | (by != at) if at < len(filters) else np.ones(len(ids), dtype=bool)
        for at, name in enumerate([*filters, "render"])
    }
    verdicts = [
        {"scene_id": scene, "filter": name, "keep": bool(keep)}
        for name, keeps in columns.items()
        for scene, keep in zip(ids, keeps, strict=True)
    ]
    lost = wrong & (by == len(filters))
    asked = [
        {
            "question_id": f"q{at}", "scene_id": scene, "subtask": shows[at][0][0],
            "keep": not lost[at],
        }
        for at, scene in enumerate(ids)
        if lost[at] or not wrong[at]
    ]  # fmt: skip
    given = [
        pa.table({name: [row[name] for row in rows] for name in names})
        for rows, names in (
            (asked, ("question_id", "subtask")),
            (verdicts, ("scene_id", "filter", "keep")),
            (asked, ("question_id", "scene_id", "keep")),
        )
    ]
    return given[0], given[1], given[2], planted


@main_guard
def main() -> None:
    """Plan, make up, and time the audit."""
    parser = argparse.ArgumentParser(description=__doc__)
    config = PROJECT_ROOT / "profiles" / "dysca.yaml"
    parser.add_argument("--config", type=Path, default=config, help="below params.yaml")
    parser.add_argument("--suite", default="dysca")
    parser.add_argument("--scenes", type=int, help="of each subtask (as configured)")
    parser.add_argument("--base", type=float, default=0.1, help="share that is wrong by chance")
    parser.add_argument("--bad", type=int, default=60, help="planted entries")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write vocabulary_audit.csv")
    args = parser.parse_args()

    params = load_layers([PROJECT_ROOT / "params.yaml", args.config]).suite(args.suite)
    if args.scenes is not None:
        corpus = params.corpus.model_copy(update={"scenes_per_subtask": args.scenes})
        params = params.model_copy(update={"corpus": corpus})
    scenes, filters = planned(params), params.filter.names
    questions, verdicts, consensus, planted = made_up(
        scenes, filters, args.base, args.bad, args.seed
    )
    wall, processor = time.perf_counter(), time.process_time()
    rows = audit_rows(
        scenes, questions, verdicts, consensus,
        filters=filters, exclude={}, audit=params.audit,
    )  # fmt: skip
    found = csv_bytes(rows, filters)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    if args.out:
        args.out.write_bytes(found)
    wrong = sum(t["keep"].to_pylist().count(False) for t in (verdicts, consensus))
    proposed = [row for row in rows if row["proposed"]]
    figures = {
        "benchmark": "auditing",
        "scenes": len(scenes),
        "entries": len(rows),
        "wrong": wrong,
        "planted": len(planted),
        "proposed": len(proposed),
        "true": sum((row["list"], row["label"]) in planted for row in proposed),
        "seconds": round(wall, 1),
        "processor_s": round(processor, 1),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
