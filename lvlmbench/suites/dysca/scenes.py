"""Scenes: metadata M drawn in columns, and the prompts P made from it (Dysca, section 3.1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import SUBTASKS, Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.seeding import U32, uniform_columns
from lvlmbench.scene import ids
from lvlmbench.scene.clarity import F64, draw_styles
from lvlmbench.scene.graph import flat, single
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.pools import I64
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.dysca.plan import Plan, Variant, plan_for
from lvlmbench.suites.dysca.staging import Staging, is_staged
from lvlmbench.suites.dysca.subjects import MOST
from lvlmbench.tables import SCENES

#: What is drawn, each from its own column of random numbers. New ones go to the end: then the
#: draws of the others stay as they are.
DRAWS = (
    "foreground",
    "number",
    "background",
    "style",
    "text",
    "color",
    "age",
    "gender",
    "race",
    "expression",
)


def _draw(plan: Plan, variant: Variant, uniform: F64) -> dict[str, I64]:
    """Positions in the variant's pools by aspect; ``number`` from 0."""
    out: dict[str, I64] = {}
    for name, pool in variant.pools.items():
        column = DRAWS.index("foreground" if name == variant.foreground else name)
        out[name] = plan.label_index.drawn(pool, uniform[:, column])
    if "number" in variant.recipe.attributes:
        out["number"] = (uniform[:, DRAWS.index("number")] * MOST).astype(np.int64)
    return out


def several(variant: Variant, seed: int, counters: U32) -> npt.NDArray[np.bool_]:
    """Return whether statements about scenes speak of several things, by the scenes' ids.

    Statements follow the number drawn even where the thing shown cannot be counted, else a
    claim's grammatical number would give away that it is false.
    """
    if "number" not in variant.recipe.attributes:
        return np.zeros(len(counters), dtype=np.bool_)
    column = DRAWS.index("number")
    return np.asarray(uniform_columns(seed, "scene", counters, column + 1)[:, column] * MOST >= 1)


def _ladder_rows(plan: Plan, variant: Variant, drawn: dict[str, I64]) -> I64:
    """Rows of ``variant.styles`` that scenes draw their styles from."""
    assert variant.styles is not None, "styles are not all as likely"
    shown = plan.label_index.pools[variant.pools[variant.foreground]]
    copies = len(variant.styles) // len(shown)
    return drawn[variant.foreground] * copies + drawn.get("number", 0)


def _first_drawn(plan: Plan, variant: Variant, uniform: F64) -> dict[str, I64]:
    """As :func:`_draw`, with as many as can be shown, before the style is held against that."""
    drawn = _draw(plan, variant, uniform)
    if "number" in drawn:
        drawn["number"] *= np.array(variant.countable)[drawn[variant.foreground]]
    return drawn


def _digests(variant: Variant, seed: int, ordinals: I64) -> ids.Digests:
    before = (seed, "scene", variant.subtask)
    return ids.digests(before, [b"%d" % i for i in ordinals.tolist()], ())


def clear_styles(plan: Plan, variant: Variant, seed: int, ordinals: I64) -> npt.NDArray[np.bool_]:
    """Return which styles of the variant's pool leave visible what each scene shows and is asked.

    Shape (n, styles).
    """
    pool = plan.label_index.pools[variant.pools["style"]]
    if variant.styles is None:
        return np.ones((len(ordinals), len(pool)), dtype=np.bool_)
    counters = ids.counters(_digests(variant, seed, ordinals))
    drawn = _first_drawn(plan, variant, uniform_columns(seed, "scene", counters, len(DRAWS)))
    rows = variant.styles[_ladder_rows(plan, variant, drawn)]
    return np.asarray(np.diff(rows, axis=1, prepend=0) > 0)


def draw_scenes(
    plan: Plan, variant: Variant, seed: int, ordinals: I64, styles: I64 | None = None
) -> pa.Table:
    """Return the scenes of a variant with these ordinals, each by its id alone.

    They are rows of :data:`lvlmbench.tables.SCENES`; with ``styles``, positions in the variant's
    pool, they have those and not the ones that they draw.
    """
    found = _digests(variant, seed, ordinals)
    names = ids.hex_rows(found)
    u = uniform_columns(seed, "scene", ids.counters(found), len(DRAWS))
    drawn = _first_drawn(plan, variant, u)
    if styles is not None:
        drawn["style"] = styles
    elif variant.styles is not None:
        rows = _ladder_rows(plan, variant, drawn)
        labels = plan.label_index.pools[variant.pools["style"]].labels
        drawn["style"] = draw_styles(variant.styles, rows, u[:, DRAWS.index("style")], labels)
    indices = {
        name: drawn[name] + int(plan.label_index.first[pool])
        for name, pool in variant.pools.items()
    }
    held, staging = _held(plan, variant, drawn, indices), None
    if is_staged(plan.harder, variant.recipe):
        number = drawn.get("number", np.zeros(len(ordinals), np.int64)) + 1
        staging = Staging(plan.harder, seed, ids.counters(found), number)
        held["span"] = pa.array(staging.span, pa.int16())
    graphs = single(held, len(ordinals))
    if staging is not None:
        graphs = staging.graphs(graphs)
    columns = {
        "scene_id": ids.hex_column(found),
        "subtask": pa.repeat(pa.scalar(variant.subtask), len(ordinals)),
        "ordinal": pa.array(ordinals, pa.int32()),
        **flat(pa.table(graphs)),
        **_prompts(plan, variant, drawn, indices, staging),
        "seed": pa.array(ids.seeds(seed, "scene", names), pa.int64()),
        **graphs,
    }
    return SCENES.filled_up(columns)


def _held(
    plan: Plan, variant: Variant, drawn: dict[str, I64], indices: dict[str, I64]
) -> dict[str, pa.Array]:
    """What the graphs of scenes hold, as columns."""
    n, foreground = len(indices["style"]), variant.foreground
    labels = {
        name: plan.labels.take(pa.array(found))
        for name, found in indices.items()
        if name != foreground
    }
    label = pa.repeat(pa.scalar(PERSON), n)
    if foreground != PERSON:
        label = plan.labels.take(pa.array(indices[foreground]))
    counts = {}
    if "number" in drawn:
        counts["count"] = pa.array(drawn["number"] + 1, pa.int8())
    return {"list": pa.repeat(pa.scalar(foreground), n), "label": label, **labels, **counts}


def _prompts(
    plan: Plan,
    variant: Variant,
    drawn: dict[str, I64],
    indices: dict[str, I64],
    staging: Staging | None,
) -> dict[str, pa.Array]:
    """Prompt, negative prompt and reference caption.

    The prompt sets subject and background into the style's phrase. The caption says what the
    scene holds and no more: two captions have no words in common but those of their contents.
    """
    subjects = variant.subjects
    at = np.ravel_multi_index(tuple(drawn[axis] for axis in subjects.axes), subjects.shape)
    where = pa.array(at)
    style = pa.array(indices["style"])
    rest = [subjects.after.take(where)]
    if "text" in indices:
        rest.insert(0, plan.labels.take(pa.array(indices["text"])))
    if staging is not None:
        rest.append(staging.said())
    if "background" in indices:
        rest.append(plan.background.take(pa.array(indices["background"])))
    return {
        "prompt": pc.binary_join_element_wise(
            plan.style_before.take(style),
            subjects.before.take(where),
            *rest,
            plan.style_after.take(style),
            "",
        ),
        "negative_prompt": plan.negative.take(style),
        "caption": pc.binary_join_element_wise(
            plan.caption_before.take(style),
            subjects.before.take(where),
            *rest,
            plan.caption_after.take(style),
            ".",
            "",
        ),
    }


def sample(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes with global indices ``start`` to ``stop`` (exclusive), in their order.

    A row depends on the snapshot's seed, its subtask and ordinal, the vocabulary and the renderer
    that must be able to draw it; not on the range, on other subtasks or on how many there are.

    Raises
    ------
    UserError
        The vocabulary has too few entries.
    """
    plan = plan_for(params, vocabulary)
    parts, places = [SCENES.empty_table()], [np.zeros(0, np.int64)]
    for subtask, (first, last) in subtask_ranges(params).items():
        ordinals = np.arange(max(start, first), min(stop, last), dtype=np.int64) - first
        variants = len(SUBTASKS[subtask].foregrounds)
        for number in range(variants):
            own = ordinals[ordinals % variants == number]
            if len(own):
                variant = plan.variants[subtask, number]
                parts.append(draw_scenes(plan, variant, params.snapshot.seed, own))
                places.append(own + first)
    joined, order = pa.concat_tables(parts).combine_chunks(), np.argsort(np.concatenate(places))
    ascending = bool((order == np.arange(len(order))).all())
    return joined if ascending else joined.take(pa.array(order))
