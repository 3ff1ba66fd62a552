"""Planted faults for the filters ``clip`` and ``integrity``.

Good items; as many whose image is of another scene; as many whose image is of the same scene with
another foreground of the same vocabulary list, another background or another style; and as many
whose image file is damaged. All scenes
are drawn under a seed of their own, so that neither a snapshot nor the training of the reference
models holds them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.filter.filter import FILTERS, Weights, verdict_rows
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.reference.scenes import drawable_subtasks
from lvlmbench.stages.render.renderer import Renderer
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard

from . import Outcome, with_another

Row = dict[str, Any]
#: Rows of images, and of the scene of each.
Items = tuple[list[Row], list[Row]]


def planted_params(params: Params, vocabulary: Vocabulary, per_subtask: int) -> Params:
    """The same snapshot under another seed, the subtask ``text`` left out."""
    seed = int.from_bytes(seeding.digest("planted", params.snapshot.seed, size=8), "little") >> 1
    subtasks = tuple(s for s in drawable_subtasks(vocabulary) if s != "text")
    return params.model_copy(
        update={
            "snapshot": params.snapshot.model_copy(update={"seed": seed}),
            "corpus": params.corpus.model_copy(
                update={
                    "subtasks": subtasks,
                    "scenes_per_subtask": per_subtask,
                    "scenes": {},
                    "drawable_by": "pictograph",
                }
            ),
            "vocabulary": params.vocabulary.model_copy(update={"exclude": {}}),
            "render": params.render.model_copy(update={"renderer": "pictograph"}),
        }
    )


def in_turn(scenes: Sequence[Row], n: int) -> list[Row]:
    """``n`` scenes, one of each subtask after the other."""
    by_subtask: dict[str, list[Row]] = defaultdict(list)
    for scene in scenes:
        by_subtask[scene["subtask"]].append(scene)
    rounds = [scene for group in zip(*by_subtask.values(), strict=False) for scene in group]
    if len(rounds) < n:
        raise ValueError(f"{len(rounds)} scenes are fewer than {n}")
    return rounds[:n]


def _others(scene: Row, aspect: str, vocabulary: Vocabulary) -> list[str]:
    """Labels that would be wrong in the place of the scene's own, as pictographs show them."""
    name = scene["foreground_list"] if aspect == "foreground" else aspect
    entries = vocabulary.lists.get(name)
    if entries is None or scene[aspect] not in entries.by_label:
        return []  # people: their list is their attributes; or the scene has none
    alike = entries.alike(scene[aspect])
    drawn = entries.for_renderer("pictograph").entries
    if aspect == "style":  # one that shows what the scene is about
        hidden = {scene["subtask"], "foreground", "number", "background"}
        drawn = tuple(e for e in drawn if not hidden & e.hidden)
    return [entry.label for entry in drawn if entry.label not in alike]


def swapped(
    scene: Row, aspect: str, vocabulary: Vocabulary, renderer: Renderer, seed: int
) -> Row | None:
    """The scene with another label in one place that cannot pass for the first one."""
    labels = _others(scene, aspect, vocabulary)
    order = seeding.generator(seed, f"planted/{aspect}", scene["scene_id"]).permutation(len(labels))
    for i in order:
        other = with_another(scene, aspect, labels[i])
        if renderer.refuses(other) is None:
            return other
    return None


def images(
    params: Params, vocabulary: Vocabulary, renderer: Renderer, scenes: Sequence[Row]
) -> list[Row]:
    """Image rows of scenes that can be drawn."""
    table = tables.SCENES.of(list(scenes))
    rows: list[Row] = render_shard(params, vocabulary, table, renderer)[0].to_pylist()
    assert len(rows) == len(scenes), "a scene was refused"
    return rows


def exchanged(good: Sequence[Row], scenes: Sequence[Row], vocabulary: Vocabulary) -> list[Row]:
    """Each scene with the image of another one, of another foreground."""

    def differ(one: Row, other: Row) -> bool:
        if one["foreground_list"] != other["foreground_list"]:
            return True
        entries = vocabulary.lists.get(one["foreground_list"])
        return entries is not None and other["foreground"] not in entries.alike(one["foreground"])

    rows, n = [], len(scenes)
    for i, scene in enumerate(scenes):
        draw = seeding.generator(0, "planted/exchange", scene["scene_id"])
        j = next(int(j) for j in draw.permutation(n) if differ(scene, scenes[int(j)]))
        content = {key: good[j][key] for key in ("image", "width", "height", "sha256")}
        rows.append({**good[i], **content})
    return rows


def damaged(good: Sequence[Row]) -> dict[str, list[Row]]:
    """A third of the images each: cut short, one byte changed, another image's file."""
    kinds: dict[str, list[Row]] = {"cut short": [], "one byte changed": [], "other file": []}
    for i, row in enumerate(good):
        draw = seeding.generator(0, "planted/damage", row["image_id"])
        data = row["image"]["bytes"]
        kind = list(kinds)[i % 3]
        if kind == "cut short":
            data = data[: draw.integers(0, len(data))]
        elif kind == "one byte changed":
            at = int(draw.integers(0, len(data)))
            data = data[:at] + bytes([data[at] ^ int(draw.integers(1, 256))]) + data[at + 1 :]
        else:
            data = good[(i + 1) % len(good)]["image"]["bytes"]
        kinds[kind].append({**row, "image": {**row["image"], "bytes": data}})
    return kinds


def judge(
    params: Params, spec: Row, weights: Weights, rows: Sequence[Row], scenes: Sequence[Row]
) -> list[Row]:
    """Verdicts of the registered filter, as its job makes them."""
    chosen = FilterSpec.model_validate(spec)
    made = FILTERS.get(chosen.registered, "planted")(params, chosen, weights)
    return verdict_rows(
        made,
        tables.IMAGES.of(list(rows)),
        tables.SCENES.of(list(scenes)),
    )


def _by_list(scenes: Sequence[Row], found: Sequence[bool]) -> str:
    by_list: dict[str, list[bool]] = defaultdict(list)
    for scene, removed in zip(scenes, found, strict=True):
        by_list[scene["foreground_list"]].append(removed)
    shares = (f"{name} {sum(some) / len(some):.0%}" for name, some in sorted(by_list.items()))
    return f"    by list: {', '.join(shares)}"


def with_clip(
    name: str, params: Params, weights: Weights, good: Items, faulty: dict[str, Items]
) -> list[Outcome]:
    """What the filter finds with a reference model at its own thresholds; prints it by list."""
    spec = {"name": "clip", "clip": {"engine": name}}
    kept = judge(params, spec, weights, *good)
    lost = [v for v in kept if not v["keep"]]
    print(f"clip, {name}: {len(lost)} of {len(kept)} good images removed")
    for verdict in lost[:12]:
        print(f"    {verdict['scene_id']}: {verdict['reason']}: {verdict['note']}")
    outcomes = []
    for fault, (rows, scenes) in faulty.items():
        found = [not v["keep"] for v in judge(params, spec, weights, rows, scenes)]
        print(f"  {fault}: {sum(found)} of {len(found)} removed")
        print(_by_list(scenes, found))
        outcomes.append(Outcome("clip", name, fault, len(found), sum(found), len(kept), len(lost)))
    return outcomes


def with_integrity(params: Params, good: Items) -> list[Outcome]:
    """What the filter finds of damage to the files."""
    spec = {"name": "integrity"}
    rows, scenes = good

    def removed(some: Sequence[Row]) -> int:
        return sum(not v["keep"] for v in judge(params, spec, {}, some, scenes))

    lost = removed(rows)
    return [
        Outcome("integrity", "", kind, len(damage), removed(damage), len(rows), lost)
        for kind, damage in damaged(rows).items()
    ]


def run(items: int, weights: Path) -> list[Outcome]:
    """Plant the faults and count what the filters find; prints more of the CLIP filter's.

    Parameters
    ----------
    items
        Good items, and items of each fault.
    weights
        The folder that holds the folders of the reference models, e.g. ``data/pinned``.

    Raises
    ------
    UserError
        There is no trained reference model.
    """
    found = {name: weights / name for name in NAMES if (weights / name).is_dir()}
    if not found:
        raise UserError(str(weights), "holds no reference model", "give --weights")
    given = load_params(PROJECT_ROOT / "params.yaml", "dysca")
    vocabulary = load_vocabulary(vocabulary_dir(given))
    params = planted_params(given, vocabulary, 2 * items // len(drawable_subtasks(vocabulary)) + 2)
    renderer = make_renderer(params, vocabulary)
    planned = [
        scene
        for scene in build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
        if renderer.refuses(scene) is None
    ]
    scenes = in_turn(planned, items)
    rows = images(params, vocabulary, renderer, scenes)
    faulty = {"another scene": (exchanged(rows, scenes, vocabulary), scenes)}
    for aspect in ("foreground", "background", "style"):
        pairs = [
            (s, swapped(s, aspect, vocabulary, renderer, params.snapshot.seed)) for s in planned
        ]
        others = {scene["scene_id"]: other for scene, other in pairs if other is not None}
        chosen = in_turn([scene for scene in planned if scene["scene_id"] in others], items)
        drawn = [others[scene["scene_id"]] for scene in chosen]
        faulty[f"another {aspect}"] = (images(params, vocabulary, renderer, drawn), chosen)
    outcomes = with_integrity(params, (rows, scenes))
    for name in found:
        outcomes += with_clip(name, params, found, (rows, scenes), faulty)
    return outcomes
