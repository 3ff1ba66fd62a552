"""Rule ``render``: one shard of scenes becomes images, a verdict on each scene, and attempts."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id, vocabulary_dir
from lvlmbench.corpus.exclusion import check_exclusion
from lvlmbench.corpus.vocabulary import load_vocabulary
from lvlmbench.render.run import make_renderer, shard_of
from lvlmbench.rework.shard import render_shard


@main_guard
def main() -> None:
    """Read the scenes parts that overlap the shard, draw its scenes, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--shard", type=int, required=True, help="number of the image shard")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="overlapping parts")
    parser.add_argument("--renderer", help="who draws; by default what the parameters name")
    parser.add_argument(
        "--checkpoints", type=Path, help="folder to keep finished images in until all are done"
    )
    parser.add_argument("--images-out", type=Path, required=True)
    parser.add_argument("--verdicts-out", type=Path, required=True)
    parser.add_argument("--attempts-out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    scenes = shard_of(params, args.shard, args.scenes)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    check_exclusion(params, vocabulary, str(args.config))
    renderer = make_renderer(params, vocabulary, args.renderer)
    images, verdicts, attempts = render_shard(params, vocabulary, scenes, renderer)
    snapshot = snapshot_id(params)
    tables.write(images, args.images_out, tables.IMAGES, snapshot)
    tables.write(verdicts, args.verdicts_out, tables.VERDICTS, snapshot)
    tables.write(attempts, args.attempts_out, tables.ATTEMPTS, snapshot)


if __name__ == "__main__":
    main()
