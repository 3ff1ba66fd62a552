"""Scenes: metadata M drawn in columns, and the prompts P made from it (Dysca, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.seeding import uniform_columns
from lvlmbench.scene import ids
from lvlmbench.scene.clarity import (
    F64,
    draw_styles,
)
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.pools import I64
from lvlmbench.suites.dysca.plan import (
    MOST,
    Plan,
    Variant,
)
from lvlmbench.tables.files import (
    ATTRIBUTES,
    SCENES,
)

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


@dataclass(frozen=True)
class Scenes:
    """Scenes of one variant.

    Attributes
    ----------
    variant
        What they were drawn from.
    ordinals
        Ordinals within the subtask, ascending; shape (n,).
    names
        Scene ids as hexadecimal digits.
    cards
        Aspect -> cards of what each scene holds; shape (n,).
    several
        Whether statements speak of several things; shape (n,).
    table
        The rows of :data:`lvlmbench.tables.files.SCENES`.
    """

    variant: Variant
    ordinals: I64
    names: list[bytes]
    cards: dict[str, I64]
    several: npt.NDArray[np.bool_]
    table: pa.Table


def _draw(plan: Plan, variant: Variant, uniform: F64) -> dict[str, I64]:
    """Positions in the variant's pools by aspect; ``number`` from 0."""
    out: dict[str, I64] = {}
    for name, pool in variant.pools.items():
        column = DRAWS.index("foreground" if name == variant.foreground else name)
        size = len(plan.deck.pools[pool])
        out[name] = (uniform[:, column] * size).astype(np.int64)
    if "number" in variant.recipe.attributes:
        out["number"] = (uniform[:, DRAWS.index("number")] * MOST).astype(np.int64)
    return out


def draw_scenes(plan: Plan, variant: Variant, seed: int, ordinals: I64) -> Scenes:
    """The scenes of a variant with these ordinals: each depends on its id alone."""
    before = (seed, "scene", variant.subtask)
    found = ids.digests(before, [b"%d" % i for i in ordinals.tolist()], ())
    names = ids.hex_rows(found)
    uniform = uniform_columns(seed, "scene", ids.counters(found), len(DRAWS))
    drawn = _draw(plan, variant, uniform)
    several = np.zeros(len(ordinals), dtype=np.bool_)
    if "number" in drawn:
        # Statements follow the number drawn even where the thing shown cannot be counted, else
        # a claim's grammatical number would give away that it is false.
        several = drawn["number"] > 0
        drawn["number"] *= np.array(variant.countable)[drawn[variant.foreground]]
    if variant.styles is not None:
        copies = len(variant.styles) // len(plan.deck.pools[variant.pools[variant.foreground]])
        rows = drawn[variant.foreground] * copies + drawn.get("number", 0)
        drawn["style"] = draw_styles(variant.styles, rows, uniform[:, DRAWS.index("style")])
    cards = {name: drawn[name] + int(plan.deck.first[pool]) for name, pool in variant.pools.items()}
    columns = _columns(plan, variant, drawn, cards)
    columns["scene_id"] = ids.hex_column(found)
    columns["ordinal"] = pa.array(ordinals, pa.int32())
    columns["seed"] = pa.array(ids.seeds(seed, "scene", names), pa.int64())
    table = pa.table([columns[name] for name in SCENES.names], schema=SCENES)
    return Scenes(variant, ordinals, names, cards, several, table)


def _columns(
    plan: Plan, variant: Variant, drawn: dict[str, I64], cards: dict[str, I64]
) -> dict[str, pa.Array]:
    n = len(cards["style"])

    def labels(aspect: str) -> pa.Array:
        if aspect not in cards:
            return pa.nulls(n, pa.string())
        return plan.labels.take(pa.array(cards[aspect]))

    def constant(text: str) -> pa.Array:
        return pa.repeat(pa.scalar(text, pa.string()), n)

    person = variant.foreground == PERSON
    number = pa.array(drawn["number"] + 1, pa.int8()) if "number" in drawn else None
    attributes = [
        (pa.nulls(n, pa.int8()) if number is None else number)
        if field.name == "number"
        else labels(field.name)
        for field in ATTRIBUTES
    ]
    return {
        "subtask": constant(variant.subtask),
        "foreground_list": constant(variant.foreground),
        "foreground": constant(PERSON) if person else labels(variant.foreground),
        "attributes": pa.StructArray.from_arrays(attributes, fields=list(ATTRIBUTES)),
        "background": labels("background"),
        "style": labels("style"),
        "text": labels("text"),
        **_prompts(plan, variant, drawn, cards),
    }


def _prompts(
    plan: Plan, variant: Variant, drawn: dict[str, I64], cards: dict[str, I64]
) -> dict[str, pa.Array]:
    """Prompt, negative prompt and reference caption.

    The prompt sets subject and background into the style's phrase. The caption says what the
    scene holds and no more: two captions have no words in common but those of their contents.
    """
    subjects = variant.subjects
    at = np.ravel_multi_index(tuple(drawn[axis] for axis in subjects.axes), subjects.shape)
    where = pa.array(at)
    style = pa.array(cards["style"])
    rest = [subjects.after.take(where)]
    if "text" in cards:
        rest.insert(0, plan.labels.take(pa.array(cards["text"])))
    if "background" in cards:
        rest.append(plan.background.take(pa.array(cards["background"])))
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
            subjects.capitalized.take(where),
            *rest,
            ", in ",
            plan.style_phrase.take(style),
            ".",
            "",
        ),
    }
