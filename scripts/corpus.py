"""Rule ``corpus``: one shard of scenes with their prompts, and the questions about them."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id, vocabulary_dir
from lvlmbench.config.shards import (
    scene_range,
    scene_shards,
)
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.questions.build import build_shard


@main_guard
def main() -> None:
    """Draw the shard's scenes and questions and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--shard", type=int, required=True, help="number of the corpus shard")
    parser.add_argument("--scenes-out", type=Path, required=True)
    parser.add_argument("--questions-out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    shards = scene_shards(params)
    if not 0 <= args.shard < shards:
        raise UserError(
            f"--shard {args.shard}", f"there are {shards} shards", f"use 0 to {shards - 1}"
        )
    start, stop = scene_range(params, args.shard)
    scenes, questions = build_shard(params, load_vocabulary(vocabulary_dir(params)), start, stop)
    snapshot = snapshot_id(params)
    tables.write(scenes, args.scenes_out, tables.SCENES, snapshot)
    tables.write(questions, args.questions_out, tables.QUESTIONS, snapshot)


if __name__ == "__main__":
    main()
