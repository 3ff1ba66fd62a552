"""What the reference models read: phrases of single aspects, and captions made of some of them.

A caption that always named every aspect would leave a question about one of them out of
distribution. So training captions drop aspects and change their order; some are a scene's own
caption, which the CLIP filter reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lvlmbench.scene.graph import arranged
from lvlmbench.scene.lists import PERSON

#: Aspects beside the foreground's list, in the order in which they are listed.
ATTRIBUTES = ("color", "number", "age", "gender", "race", "expression")

#: The aspect that says of which list a foreground is: what else can be said depends on it.
KIND = "kind"

NUMBERS = {1: "one", 2: "two", 3: "three"}

#: Share of training captions that are the scene's own.
WHOLE = 0.3


def aspects(scene: Mapping[str, Any]) -> dict[str, str]:
    """Aspect -> label of a row of ``tables.SCENES``; the foreground's aspect is its list.

    The word that a text scene shows is left out: at the size that the models see it cannot be read.
    Of a scene with several things only its setting is told: no aspect has one label there.
    """
    found = {} if arranged(scene) else _foreground(scene)
    for name in ("background", "style"):
        if scene[name] is not None:
            found[name] = scene[name]
    return found


def _foreground(scene: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    if scene["foreground_list"] != PERSON:
        found[scene["foreground_list"]] = scene["foreground"]
    for name in ATTRIBUTES:
        value = scene["attributes"][name]
        if value is not None:
            found[name] = NUMBERS[value] if name == "number" else value
    return found


def described(scene: Mapping[str, Any]) -> dict[str, str]:
    """The same, with the kind of the foreground before them."""
    return {KIND: scene["foreground_list"].replace("_", " "), **aspects(scene)}


def phrase(aspect: str, label: str) -> str:
    """How one aspect alone is put: the label after its kind, as some labels occur in two lists."""
    return f"{aspect.replace('_', ' ')}: {label}"


def caption(scene: Mapping[str, Any], rng: np.random.Generator) -> tuple[str, dict[str, str]]:
    """A training caption and the aspects that it names."""
    known = described(scene)
    if rng.random() < WHOLE:
        return scene["caption"], known
    names = list(known)
    rng.shuffle(names)
    kept = names[: int(rng.integers(1, len(names) + 1))]
    return ", ".join(phrase(name, known[name]) for name in kept), {n: known[n] for n in kept}
