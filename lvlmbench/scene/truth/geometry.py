"""How the things of a drawn picture stand to each other, asked by their features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from lvlmbench.scene.relations import BINARY, STATED, Seen
from lvlmbench.scene.world import World

HOLDS = "holds"
_KNOWN = frozenset({*BINARY, *STATED.values(), "between"})


def _any(found: Iterable[bool | None]) -> bool | None:
    """Whether something stands so: yes if one does, no if all clearly do not."""
    parts = list(found)
    if any(parts):
        return True
    return None if not parts or None in parts else False


@dataclass(frozen=True)
class Measured:
    """Geometry of a picture that was measured (:class:`lvlmbench.scene.claims.Geometry`).

    Attributes
    ----------
    world
        What was measured.
    instances
        Object feature -> the instances that it stands for.
    holding
        Person -> what is held, as features; None where nothing is; those of whom that is not
        known are not in it.
    """

    world: World
    instances: Mapping[str, tuple[int, ...]]
    holding: Mapping[str, str | None]

    def seen(self, number: int) -> Seen | None:
        """Return where an instance can be seen."""
        return self._seen[number]

    @cached_property
    def _seen(self) -> dict[int, Seen | None]:
        return {one.number: one.seen for one in self.world.instances}

    def holds(self, relation: str, a: str, b: str, c: str | None = None) -> bool | None:
        """Return whether some instances of object features stand so; None where that is unclear.

        Several instances of a feature are each as good as the other: it holds if it clearly holds
        of some, and does not if it clearly holds of none. Of sides, the weaker direction is as
        true as the main one: see :meth:`mainly`.
        """
        return self.mainly(STATED.get(relation, relation), a, b, c)

    def mainly(self, relation: str, a: str, b: str, c: str | None = None) -> bool | None:
        """Return the same so that an answer may be expected to say it: sides, by main direction."""
        if relation == HOLDS:
            return self.holding[a] == b if a in self.holding else None
        if (relation == "between") != (c is not None) or relation not in _KNOWN:
            return None
        named = [self.instances.get(each, ()) for each in (a, b, c) if each is not None]
        chosen = (each for each in product(*named) if len({*each}) == len(each))
        return _any(self.world.stands(relation, *each) for each in chosen)
