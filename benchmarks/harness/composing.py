"""Composed scenes for benchmarks: parameters of their own, layouts that were drawn, questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness.guesser import Kin
from lvlmbench.config import SUBTASKS, Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core.files import atomic_bytes
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.world import World
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.autodavis.plan import Planner as ExamPlanner
from lvlmbench.suites.composed.questions import Shown, about
from lvlmbench.suites.composed.scenes import Planner, sample
from lvlmbench.suites.composed.skill import Skill

Row = dict[str, Any]


def skills() -> list[str]:
    """All skills by name, in their order."""
    return [name for name, each in SUBTASKS.items() if isinstance(each, Skill)]


def parameters(seed: int, names: Sequence[str], scenes: int, size: int) -> Params:
    """Parameters of the suite: so many scenes of each of these skills, pictures of this side."""
    given = load_params(PROJECT_ROOT / "params.yaml", "composed").model_dump(mode="json")
    given["corpus"] |= {"subtasks": list(names), "scenes_per_subtask": scenes, "scenes": {}}
    given["snapshot"]["seed"], given["render"]["size"] = seed, size
    return validate(given)


def vocabulary_of(params: Params) -> Vocabulary:
    """The vocabulary that parameters name."""
    return load_vocabulary(vocabulary_dir(params))


@dataclass(frozen=True)
class Drawn:
    """A planned scene and what its picture shows where; no layout where it was given up."""

    scene: Row
    layout: list[Row] | None


def drawn(
    params: Params, vocabulary: Vocabulary, pictures: dict[str, bytes] | None = None
) -> Iterator[Drawn]:
    """Draw all scenes of the parameters, measured; ``pictures`` takes the PNG files, if given."""
    renderer = make_renderer(params, vocabulary)
    for scene in sample(params, vocabulary, 0, params.corpus.n_scenes).to_pylist():
        layout = None
        if renderer.refuses(scene) is None:
            depiction = renderer.draw(scene)
            found = depiction.layout or ()
            layout = [one.row("", scene["scene_id"], at) for at, one in enumerate(found)]
            if pictures is not None:
                pictures[scene["scene_id"]] = png_bytes(depiction.image)
        yield Drawn(scene, layout)


def kept(path: Path | None, params: Params, vocabulary: Vocabulary) -> list[Drawn]:
    """Read what a file holds of an earlier run with the same plans; else draw, and write it."""
    planned = sample(params, vocabulary, 0, params.corpus.n_scenes).to_pylist()
    if path is not None and path.exists():
        found = [Drawn(**json.loads(line)) for line in path.read_text().splitlines()]
        if [one.scene for one in found] == planned:
            return found
    found = list(drawn(params, vocabulary))
    if path is not None:
        lines = (json.dumps({"scene": one.scene, "layout": one.layout}) for one in found)
        atomic_bytes(path, "".join(f"{line}\n" for line in lines).encode())
    return found


def asked(planner: Planner, found: Sequence[Drawn], side: int) -> list[Row]:
    """Return the questions about scenes, twins together; none where they were not drawn."""
    pairs: dict[str, list[Shown]] = {}
    for one in found:
        if one.layout is not None:
            world = World(Graph.of(one.scene), one.layout, side, planner.stock.clash)
            first = one.scene["pair"] or one.scene["scene_id"]
            pairs.setdefault(first, []).append(Shown(one.scene, world))
    return [row for shown in pairs.values() for row in about(planner, shown)]


def kin_of(planner: Planner | ExamPlanner) -> Kin:
    """Return what a guesser may know of the things that scenes are composed of."""
    kinds = planner.stock.kinds
    return Kin(
        {kind.label: kind.list for kind in kinds},
        {kind.label: kind.near for kind in kinds},
        {kind.label: kind.size for kind in kinds if kind.size is not None},
    )
