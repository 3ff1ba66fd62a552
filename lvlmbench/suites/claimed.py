"""The five subsets of VALOR-Eval (section 3.1.1), and what answers about each are to speak of.

Suites of them differ in their pictures: drawn scenes, or a user's own copy of VALOR-Bench. The
subsets themselves are subtasks that are registered with the drawn scenes.
"""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.scene.claims import RELATIONS, Scope

OBJECTS, ATTRIBUTES, PEOPLE = "valor_objects", "valor_attributes", "valor_people"
POSITIONS, SIZES = "valor_positions", "valor_sizes"

#: Kinds of suites that have these subsets.
KINDS = ("valor", "valor_bench")

#: Relations that compare sizes; all others say where things are.
_SIZES = ("larger", "smaller", "same_size")
PLACES = tuple(name for name in RELATIONS if name not in _SIZES)

#: Subset -> what of a picture counts in answers to it.
SCOPES: Mapping[str, Scope] = {
    OBJECTS: Scope(("object",)),
    ATTRIBUTES: Scope(("attribute",)),
    PEOPLE: Scope(("attribute", "garment", "action")),
    POSITIONS: Scope(("relation", "place"), (*PLACES, "at")),
    SIZES: Scope(("rank", "relation"), ("rank", *_SIZES)),
}
