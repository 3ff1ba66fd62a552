"""Image sets of the snapshot itself: kept clean images, families of styles, noisy scenarios."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.distances.pictures import ParquetRows, Pictures
from lvlmbench.stages.distances.styles import Styles, style_of

#: Clean images of a family of styles that make it a set.
ENOUGH = 30


@dataclass(frozen=True)
class Own:
    """A set of the snapshot's images, one a scene.

    Attributes
    ----------
    name, label
        In tables and in figures.
    pictures
        What holds them, and others.
    rows
        Scene -> number of its image among the pictures; in an order drawn at random, the same for
        all sets, so that the first scenes of one set are those of another.
    family
        Whether it is a part of the clean images.
    """

    name: str
    label: str
    pictures: Pictures
    rows: dict[str, int]
    family: bool = False


def _one_a_scene(
    snapshot: Snapshot, scenario: str, kept: Collection[str], unlike: Collection[str]
) -> dict[str, int]:
    """Scene -> row of an image of it, drawn at random where there are several.

    Only kept scenes, and images whose hash is not among ``unlike``.
    """
    table = snapshot.read(tables.IMAGES, ["scene_id", "sha256"], scenario=scenario)
    found: dict[str, list[int]] = {}
    columns = (table["scene_id"].to_pylist(), table["sha256"].to_pylist())
    for number, (scene, sha256) in enumerate(zip(*columns, strict=True)):
        if scene in kept and sha256 is not None and sha256 not in unlike:
            found.setdefault(scene, []).append(number)
    seed, stage = snapshot.params.snapshot.seed, f"validity/images/{scenario}"
    return {
        scene: rows[0]
        if len(rows) == 1
        else rows[int(generator(seed, stage, scene).integers(len(rows)))]
        for scene, rows in found.items()
    }


def own_sets(snapshot: Snapshot, styles: Styles) -> list[Own]:
    """The sets, clean first, then scenarios in the order of the parameters, then families.

    A scenario that shows no image, clean ones alone, or each in many forms is no set, and neither
    is a family with fewer than :data:`ENOUGH` images.

    Raises
    ------
    UserError
        A table is missing or damaged.
    """
    params = snapshot.params
    scenes = style_of(snapshot.scenes.select(["scene_id", "style"]))
    ids = np.array(sorted(scenes))
    drawn = generator(params.snapshot.seed, "validity/sample", "own").permutation(ids).tolist()
    kept = set(snapshot.kept_scenes.to_pylist())

    def made(name: str, unlike: Collection[str]) -> Own | None:
        rows = _one_a_scene(snapshot, name, kept, unlike)
        if not rows:
            return None
        pictures = ParquetRows(snapshot.parts(tables.IMAGES, scenario=name))
        return Own(name, name, pictures, {s: rows[s] for s in drawn if s in rows})

    clean = made(CLEAN, ())
    if clean is None:
        return []
    hashes = snapshot.read(tables.IMAGES, ["sha256"], scenario=CLEAN)["sha256"]
    shown = set(pc.drop_null(hashes).to_pylist())
    found = [clean]
    for name in params.scenarios.counted:
        if name != CLEAN and name not in snapshot.curves:
            scenario = made(name, shown)
            found += [scenario] if scenario is not None else []
    for family in styles.families:
        rows = {s: n for s, n in clean.rows.items() if styles.family.get(scenes[s] or "") == family}
        if len(rows) >= ENOUGH:
            label = f"{family} styles"
            found.append(Own(f"{CLEAN}/{family}", label, clean.pictures, rows, family=True))
    return found
