"""Rule ``scenes``: one shard of scenes with their prompts."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.blame import source_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.named import entries_named
from lvlmbench.suites.planned import Planned
from lvlmbench.suites.suite import suite_of


@main_guard
def main() -> None:
    """Draw the shard's scenes and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--shard", type=int, required=True, help="number of the scene shard")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--entries-out", type=Path, required=True, help="what the vocabulary says of what they name"
    )
    parser.add_argument(
        "--descriptions-out", type=Path, required=True, help="what an examiner planned of them"
    )
    parser.add_argument(
        "--designs-out", type=Path, required=True, help="which associations they are about"
    )
    for name in Planned._fields:
        parser.add_argument(
            f"--{name}", type=Path, nargs="*", default=[], help=f"{name} that a model has planned"
        )
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    if not 0 <= args.shard < (shards := scene_shards(params)):
        where, what = f"--shard {args.shard}", f"there are {shards} shards"
        raise UserError(where, what, f"use 0 to {shards - 1}")
    start, stop = scene_range(params, args.shard)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    suite = suite_of(params)
    by_model = Planned(
        tables.read(args.aspects, tables.PLANNED_ASPECTS),
        tables.read(args.descriptions, tables.PLANNED_DESCRIPTIONS),
    )
    made, described = suite.planned_by(params, vocabulary, start, stop, by_model)
    maker = f"suite '{params.suite}': {source_of(type(suite))}"
    scenes = tables.check_made(made, tables.SCENES, maker)
    again = suite.restyled(params, vocabulary, scenes)
    planned = tables.behind_bases(pa.concat_tables([scenes, again]))
    made_with = params_id(params)
    tables.write(planned, args.out, tables.SCENES, made_with)
    entries = entries_named(vocabulary, planned.to_pylist())
    tables.write(entries, args.entries_out, tables.ENTRIES, made_with)
    tables.write(described, args.descriptions_out, tables.DESCRIPTIONS, made_with)
    designs = suite.designs(params, vocabulary, start, stop)
    tables.write(designs, args.designs_out, tables.DESIGNS, made_with)


if __name__ == "__main__":
    main()
