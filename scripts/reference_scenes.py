"""Rule ``reference_scenes``: one shard of the scenes that the reference models learn from."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.scenes import build_scenes


@main_guard
def main() -> None:
    """Draw and write a shard. No snapshot id is written: the scenes serve every snapshot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--shard", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    scenes = build_scenes(params, load_vocabulary(vocabulary_dir(params)), args.shard)
    tables.write(scenes, args.out, tables.REFERENCE_SCENES, "reference")


if __name__ == "__main__":
    main()
