"""The scenes that the reference models are trained on.

They come from the same recipes as a snapshot's, under a seed that no snapshot can have: a
snapshot's is below 2**63, theirs is not. So no scene, question or layout is shared with any
snapshot. What can coincide is a description: two scenes of the Eiffel Tower in watercolor, drawn
with other sizes, places and colors. A test finds that their pixels differ.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.seeding import generator
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.drawable import drawable_subtasks, drawer
from lvlmbench.stages.reference.shards import FIRST_SEED, reference_count, reference_range
from lvlmbench.suites.suite import build_shard, suite_of

if TYPE_CHECKING:
    from lvlmbench.stages.render.kinds.pictograph.picture import Picture

#: Scenes are drawn at multiples of the size that the models see, and scaled down, so that lines and
#: textures look as they do in a large image that was scaled down: multiple -> share of the scenes
#: that train. Larger ones are more like a snapshot's images and take longer.
OVERSIZE = {2: 0.45, 4: 0.3, 8: 0.25}

#: Multiple for scenes that validate: thresholds are for images of a snapshot's size.
VALIDATION_OVERSIZE = 8

#: Quality of the JPEG files; PNG files would take twice the room. Scenes that validate have PNG.
QUALITY = 90

STAGE = "reference/scenes"

#: How many scenes a subtask has relative to the others: more where there are more labels to learn,
#: fewer for text, of which the models learn the styles alone.
WEIGHTS = {
    "color": 1.5,
    "animal": 3.0,
    "object": 5.0,
    "plant": 0.8,
    "food": 2.5,
    "age": 0.6,
    "gender": 0.6,
    "expression": 1.2,
    "race": 0.6,
    "action": 1.5,
    "landmark": 0.4,
    "text": 0.2,
}


def _shares(total: int, subtasks: list[str]) -> dict[str, int]:
    """``total`` scenes split by :data:`WEIGHTS`, by largest remainders; each subtask has some."""
    weight = sum(WEIGHTS.get(s, 1.0) for s in subtasks)
    exact = {s: total * WEIGHTS.get(s, 1.0) / weight for s in subtasks}
    found = {s: int(n) for s, n in exact.items()}
    by_remainder = sorted(subtasks, key=lambda s: (found[s] - exact[s], s))
    for subtask in by_remainder[: total - sum(found.values())]:
        found[subtask] += 1
    return found


def plan(params: Params, vocabulary: Vocabulary) -> tuple[Params, dict[str, int]]:
    """Parameters of the scenes as if they were a snapshot, and how many each subtask trains on.

    The scenes of a subtask from that number on are for validation. Nothing else that a snapshot
    may ask for decides them, so that the models serve all snapshots.
    """
    wanted = params.reference.scenes
    subtasks = drawable_subtasks(vocabulary)
    training = _shares(wanted.training, subtasks)
    validation = _shares(wanted.validation, subtasks)
    defaults = Params()  # type: ignore[call-arg]
    corpus = defaults.corpus.model_copy(
        update={
            "drawable_by": drawer(),
            "subtasks": tuple(subtasks),
            "scenes": {s: training[s] + validation[s] for s in subtasks},
            "questions_per_scene": 3.34,
        }
    )
    own = Params.model_construct(
        **{
            **dict(defaults),
            "snapshot": defaults.snapshot.model_copy(update={"seed": FIRST_SEED + wanted.seed}),
            "corpus": corpus,
            "templates": params.templates,  # the words for lists that a vocabulary adds
            "render": defaults.render.model_copy(
                update={"renderer": drawer(), "size": wanted.pixels}
            ),
        }
    )
    return own, training


def split_of(scene: dict[str, Any], training: dict[str, int]) -> str:
    """``training`` or ``validation``."""
    return "training" if scene["ordinal"] < training[scene["subtask"]] else "validation"


def _at(params: Params, size: int) -> Params:
    """The same parameters with images of another size."""
    render = params.render.model_copy(update={"size": size})
    return params.model_copy(update={"render": render})


def _around(picture: Picture, rng: np.random.Generator) -> tuple[int, int, int, int]:
    """The box of a picture's foreground, with a little of what is about it."""
    side = picture.image.width
    left, top, right, bottom = picture.mask.getbbox() or (0, 0, side, side)
    half = max(right - left, bottom - top) / 2 + side * float(rng.uniform(0.015, 0.06))
    x, y = (left + right) / 2, (top + bottom) / 2
    return (
        round(max(0.0, x - half)),
        round(max(0.0, y - half)),
        round(min(side, x + half)),
        round(min(side, y + half)),
    )


def build_scenes(params: Params, vocabulary: Vocabulary, shard: int) -> pa.Table:
    """One shard of ``tables.REFERENCE_SCENES``: scenes with images of ``pixels`` a side.

    Scenes for training are also shown close up, with their style and without it: what they show
    is learned there first. Pinned models need none.
    """
    if not reference_count(params):
        return tables.REFERENCE_SCENES.of([])
    from lvlmbench.stages.render.kinds.pictograph import styles
    from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer

    own, training = plan(params, vocabulary)
    side = params.reference.scenes.pixels
    renderers = {
        times: PictographRenderer(_at(own, side * times), vocabulary)
        for times in (*OVERSIZE, VALIDATION_OVERSIZE)
    }

    def encoded(picture: Image.Image, name: str, lossless: bool = False) -> dict[str, Any]:
        sink = io.BytesIO()
        small = picture.resize((side, side), Image.Resampling.BICUBIC)
        if lossless:
            small.save(sink, "PNG")
        else:
            small.save(sink, "JPEG", quality=QUALITY, subsampling=0)
        return {"bytes": sink.getvalue(), "path": f"{name}.{'png' if lossless else 'jpg'}"}

    rows = []
    scenes = suite_of(own).scenes(own, vocabulary, *reference_range(params, shard))
    for scene in scenes.to_pylist():
        name, split = scene["scene_id"], split_of(scene, training)
        rng = generator(own.snapshot.seed, STAGE, name)
        styled, around = rng.spawn(2)
        times = int(rng.choice(list(OVERSIZE), p=list(OVERSIZE.values())))
        held_out = split == "validation"
        renderer = renderers[VALIDATION_OVERSIZE if held_out else times]
        if renderer.refuses(scene) is not None:
            continue
        picture = renderer.compose(scene)
        row = {**scene, "split": split, "plain": None, "closeup": None}
        image = styles.apply(scene["style"], picture, styled)
        row["image"] = encoded(image, name, held_out)
        if not held_out:
            box = _around(picture, around)
            row["plain"] = encoded(picture.image.crop(box), f"{name}-plain")
            row["closeup"] = encoded(image.crop(box), f"{name}-closeup")
        rows.append(row)
    return tables.REFERENCE_SCENES.of(rows)


def validation_questions(params: Params, vocabulary: Vocabulary) -> pa.Table:
    """Questions about the validation scenes, as ``tables.QUESTIONS``."""
    own, training = plan(params, vocabulary)
    parts = []
    for subtask, (first, last) in subtask_ranges(own).items():
        parts.append(build_shard(own, vocabulary, first + training[subtask], last)[1])
    return pa.concat_tables(parts)
