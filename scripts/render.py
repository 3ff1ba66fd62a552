"""Rule ``render``: one shard of scenes becomes images, a verdict on each scene, and attempts."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import fields
from pathlib import Path

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.exclusion import check_exclusion
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.named import vocabulary_of
from lvlmbench.stages.check.looking import Looker
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.choice import Choice, chosen
from lvlmbench.stages.render.given import given_of
from lvlmbench.stages.render.renderer import Renderer
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Outputs, Shard, write_shard
from lvlmbench.stages.render.shard import make_renderer, shard_of
from lvlmbench.stages.render.words import looks_words_up
from lvlmbench.suites.suite import suite_of


def _choice(params: Params, name: str | None) -> Choice:
    """Who draws: ``--renderer``, else what the parameters name."""
    found = chosen(params)
    return found if name in (None, found.renderer) else Choice(str(name), "--renderer names it")


def _vocabulary(params: Params, scenes: pa.Table, parts: list[Path], source: str) -> Vocabulary:
    """The entries that the scenes name where those are enough, else the whole vocabulary."""
    if parts and not looks_words_up(params):
        return vocabulary_of(tables.read(parts, tables.ENTRIES), scenes)
    vocabulary, own = load_vocabulary(vocabulary_dir(params)), params.vocabulary
    check_exclusion(own.exclude, vocabulary, own.folder, source)
    return vocabulary


@main_guard
def main() -> None:
    """Read the scenes parts that overlap the shard, draw its scenes, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--shard", type=int, required=True, help="number of the image shard")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="overlapping parts")
    parser.add_argument(
        "--entries", type=Path, nargs="*", default=[],
        help="what the vocabulary says of what the scenes name, parts as those of the scenes; "
        "without, and where drawing looks other words up, the vocabulary is read",
    )  # fmt: skip
    parser.add_argument("--renderer", help="who draws; by default what the parameters name")
    parser.add_argument(
        "--checkpoints",
        type=Path,
        help="folder to keep finished images in until all are done, so that a killed run goes on "
        "where it was",
    )
    parser.add_argument(
        "--descriptions", type=Path, nargs="*", default=[],
        help="what was planned of the scenes, parts as those of the scenes",
    )  # fmt: skip
    for field in fields(Outputs):
        parser.add_argument(f"--{field.name.replace('_', '-')}-out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    scenes = shard_of(params, args.shard, args.scenes)
    vocabulary = _vocabulary(params, scenes, args.entries, str(args.config))
    renderer: Renderer | None = given_of(params)
    if renderer is None:
        choice = _choice(params, args.renderer)
        renderer = make_renderer(params, vocabulary, choice.renderer)
        # Flushed, so that in a job's log, too, an error is the last line.
        print(f"{choice.renderer} draws" + (f": {choice.why}" if choice.why else ""), flush=True)
    outputs = Outputs(**{each.name: getattr(args, f"{each.name}_out") for each in fields(Outputs)})
    described = tables.read(args.descriptions, tables.DESCRIPTIONS)
    confirmer = suite_of(params).confirmer(params, vocabulary, described)
    looker = None if confirmer is None else Looker(params, confirmer)
    progress = Progress(sys.stderr)
    with tempfile.TemporaryDirectory() as passing:
        folder = args.checkpoints or Path(passing)
        filters = retry_filters(params)
        shard = Shard(params, vocabulary, scenes, renderer, folder, progress, filters, looker)
        write_shard(shard, outputs, params_id(params))
    progress.end()


if __name__ == "__main__":
    main()
