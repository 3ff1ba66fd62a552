"""Finding what can surely be asked: the one value that holds where all others do not."""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World


def answered(program: Program, world: World, values: Iterable[Value]) -> Value | None:
    """Return the one value with which a statement holds; None unless all others make it false."""
    judged = {value: holds(program, world, value) for value in values}
    right = [value for value, holding in judged.items() if holding]
    return right[0] if len(right) == 1 and None not in judged.values() else None
