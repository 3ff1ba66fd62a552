"""Rule ``questions``: the questions about one shard of scenes, and what its pictures show."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.config.shards import scene_shards
from lvlmbench.core.blame import source_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import suite_of


@main_guard
def main() -> None:
    """Read the shard's scenes, ask, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--shard", type=int, required=True, help="number of the scene shard")
    parser.add_argument("--scenes", type=Path, required=True, help="the same shard of scenes")
    parser.add_argument(
        "--layouts", type=Path, nargs="+", required=True, help="what was drawn of these scenes"
    )
    parser.add_argument(
        "--checks", type=Path, nargs="*", default=[],
        help="what validators see in pictures of these scenes",
    )  # fmt: skip
    parser.add_argument(
        "--proposals", type=Path, nargs="*", default=[], help="what served examiners propose"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--truth-out", type=Path, required=True, help="the same shard of truth")
    parser.add_argument(
        "--validation-out", type=Path, required=True, help="how the pictures were checked"
    )
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    if not 0 <= args.shard < (shards := scene_shards(params)):
        where, what = f"--shard {args.shard}", f"there are {shards} shards"
        raise UserError(where, what, f"use 0 to {shards - 1}")
    scenes = tables.read([args.scenes], tables.SCENES)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    layouts = tables.read(args.layouts, tables.LAYOUTS)
    suite, made_with = suite_of(params), params_id(params)
    about = pc.field("scene_id").isin(scenes["scene_id"].combine_chunks())
    proposals = tables.read(args.proposals, tables.PROPOSALS, where=about)
    seen = tables.read(args.checks, tables.ATTEMPT_CHECKS)
    made = suite.proposed(params, vocabulary, scenes, layouts, proposals, seen)
    maker = f"suite '{params.suite}': {source_of(type(suite))}"
    questions = tables.check_made(made, tables.QUESTIONS, maker)
    tables.write(questions, args.out, tables.QUESTIONS, made_with)
    truth = suite.truth(params, vocabulary, scenes, layouts)
    tables.write(truth, args.truth_out, tables.TRUTH, made_with)
    checked = suite.validated(params, vocabulary, scenes, layouts, seen)
    tables.write(checked, args.validation_out, tables.VALIDATION, made_with)


if __name__ == "__main__":
    main()
