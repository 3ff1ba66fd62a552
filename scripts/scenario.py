"""Rule ``scenario``: show one shard of clean images under another condition."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import params_id
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.blame import check_made
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.reference.folder import WEIGHTS_HELP, folders
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, ScenarioKind, Shard

#: Bytes of pictures that a file can hold: Arrow counts those of a struct with 31 bits.
MOST = 2**31 - 1
#: Rows that are held as Python objects at once.
BATCH = 64


def table(rows: Iterator[Row], most: int = MOST) -> pa.Table:
    """The rows as a table of ``tables.IMAGES``.

    Raises
    ------
    UserError
        Their pictures come to more than ``most`` bytes.
    """
    found, held = [tables.IMAGES.empty_table()], 0
    while batch := list(islice(rows, BATCH)):
        held += sum(len(row["image"]["bytes"]) for row in batch if row["image"] is not None)
        if held > most:
            raise UserError(
                "params.yaml: render.shard_images",
                f"the images that this scenario makes of one shard take more than {most} bytes",
                "write a lower one; it changes no image",
            )
        found.append(tables.IMAGES.of(batch))
    return pa.concat_tables(found)


def check(shard: Shard, params: Params, scenes: Sequence[Path]) -> None:
    """Make sure that each image is of one of the scenes, and these of the subtasks asked for.

    Raises
    ------
    UserError
        The first that is not.
    """
    where = f"--scenes {scenes[0]}"
    fix = "give the scenes that these images were rendered from"
    known = set(shard.scenes["scene_id"].to_pylist())
    for scene_id in shard.images["scene_id"].to_pylist():
        if scene_id not in known:
            raise UserError(where, f"no scene {scene_id}, of which there is an image", fix)
    for subtask in shard.scenes["subtask"].unique().to_pylist():
        if subtask not in params.corpus.subtasks:
            raise UserError(where, f"scenes of '{subtask}', which is not asked for", fix)


def of_kind(kind: ScenarioKind, scenes: pa.Table) -> pa.Table:
    """The scenes that a kind of scenario shows: those with a base, or all others."""
    return scenes.filter(pc.equal(scenes["base"].is_valid(), kind.again))


def _of(images: pa.Table, scenes: pa.Table) -> pa.Table:
    """The images of some scenes."""
    return images.filter(pc.is_in(images["scene_id"], value_set=scenes["scene_id"]))


@main_guard
def main() -> None:
    """Read clean images, their scenes and questions; write the scenario's images."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument(
        "--scenario", required=True, help="its name: clean, or one under scenarios.noisy"
    )
    parser.add_argument("--images", type=Path, required=True, help="the shard of images as drawn")
    parser.add_argument("--around", type=Path, nargs="*", default=[], help="others to choose from")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help=WEIGHTS_HELP)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    where = f"{args.config}: suites.{params.suite}.scenarios.noisy"
    names = [CLEAN, *(spec.name for spec in params.scenarios.noisy)]
    if args.scenario not in names:
        raise UserError(where, f"has no '{args.scenario}'", f"use one of: {', '.join(names)}")
    spec = params.scenarios.spec(args.scenario)
    kind = SCENARIOS.get(spec.registered, f"{where}: {spec.name}")
    scenes = tables.read(args.scenes, tables.SCENES)
    mine = of_kind(kind, scenes)
    if kind.copies and len(mine) == len(scenes):
        atomic_bytes(args.out, args.images.read_bytes())
        return
    shard = Shard(
        images=tables.read([args.images], tables.IMAGES),
        scenes=scenes,
        questions=tables.of_scenario(tables.read(args.questions, tables.QUESTIONS), spec.checks),
        around=tables.read(args.around, tables.IMAGES),
    )
    check(shard, params, args.scenes)
    shown = {"images": _of(shard.images, mine), "around": _of(shard.around, mine)}
    shard = replace(shard, scenes=mine, **shown)
    made = kind.make(params, spec, folders(args.weights))
    check_made(made, f"scenario '{spec.name}'", "apply", example="docs/extending.md")
    rows = made.apply(shard)
    tables.write(table(iter(rows)), args.out, tables.IMAGES, params_id(params))


if __name__ == "__main__":
    main()
