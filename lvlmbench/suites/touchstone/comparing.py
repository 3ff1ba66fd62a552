"""Several pictures put together: what is the same in them and what is not, where that is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.scene.grammar import indefinite
from lvlmbench.scene.programs import CHANGES
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.describing import PANEL_WORDS

#: How a thing of one picture differs from that in another -> how that is said behind "is".
_SAID = {"moved": "in a different place", "mirrored": "turned the other way"}


@dataclass(frozen=True)
class Change:
    """How one thing of a picture is not as in another.

    Attributes
    ----------
    how
        ``missing``, ``new``, or one of the changes of :mod:`lvlmbench.scene.comparing`.
    one, other
        In the first picture and in the second.
    """

    how: str
    label: str
    one: Instance | None
    other: Instance | None


def of_panel(world: World, panel: int) -> list[Instance]:
    """Return what a picture shows."""
    return [one for one in world.instances if (one.object.panel or 0) == panel]


def clear(world: World) -> bool:
    """Return whether all that was planned can clearly be seen, or clearly not at all."""
    return all(one.there is not None for one in world.instances)


def labels(world: World, panel: int) -> list[str]:
    """Return the labels of what a picture shows, each once."""
    return list(dict.fromkeys(one.object.label for one in of_panel(world, panel) if one.there))


def in_all(world: World) -> list[str]:
    """Return the labels of what all pictures show."""
    rest = [set(labels(world, panel)) for panel in range(1, world.graph.panels)]
    return [label for label in labels(world, 0) if all(label in each for each in rest)]


def changes(world: World, a: int, b: int) -> list[Change] | None:
    """Return how one picture differs from another; None where that is not clear.

    Of each label a picture shows one thing at most.
    """
    if not clear(world):
        return None
    sides = [{o.object.label: o for o in of_panel(world, panel) if o.there} for panel in (a, b)]
    found = []
    for label in dict.fromkeys([*sides[0], *sides[1]]):
        one, other = (side.get(label) for side in sides)
        if one is None or other is None:
            found.append(Change("new" if one is None else "missing", label, one, other))
            continue
        judged = {how: differs(world, one, other) for how, differs in CHANGES.items()}
        if None in judged.values():
            return None
        found += [Change(how, label, one, other) for how, so in judged.items() if so]
    return found


def sentence(change: Change, here: str, there: str) -> str:
    """Return a change in words: ``here`` is the second picture, ``there`` the first."""
    label = change.label
    if change.how == "missing":
        return f"the {label} is only in {there}"
    if change.how == "new":
        return f"the {label} is only in {here}"
    if change.how == "color":
        assert change.one is not None and change.other is not None
        shows = "show" if there.endswith("three") else "shows"
        now = indefinite(f"{change.other.object.color} {label}")
        before = indefinite(f"{change.one.object.color} one")
        return f"{here} shows {now}, and {there} {shows} {before}"
    return f"the {label} is {_SAID.get(change.how, change.how)} in {here}"


def owed(found: Sequence[Change]) -> frozenset[str]:
    """Return the names of what is to be said of changes: each thing, and colors that are others."""
    names = set[str]()
    for change in found:
        there = [one.object.id for one in (change.other, change.one) if one is not None]
        names |= {f"{each}.color" for each in there} if change.how == "color" else set()
        names |= {there[0]}
    return frozenset(names)


def places(world: World) -> Sequence[str]:
    """Return what each picture is called."""
    return PANEL_WORDS[world.graph.panels]


def number_of(n: int) -> str:
    """Return a small number in words."""
    return NUMBERS[n]
