"""What a program speaks of: which kinds of things, whether one of each, colors, or everything."""

from __future__ import annotations

from dataclasses import dataclass, field

from lvlmbench.scene.programs import HOLE
from lvlmbench.scene.sets import Program

#: Heads -> which of their sets may hold several things; of all other sets one speaks as of one.
_SEVERAL = {
    "exists": (0,),
    "count": (0,),
    "more": (0, 1),
    "fewer": (0, 1),
    "as_many": (0, 1),
    "compared": (0, 1),
    "largest": (1,),
    "smallest": (1,),
    "foremost": (1,),
    "hindmost": (1,),
    "nearest": (2,),
    "farthest": (2,),
    "standing": (1,),
}
_SETS = ("all", "with", "standing", "either")
#: What compares panels as wholes.
_WHOLE = ("differ", "odd")


@dataclass
class Wanted:
    """What is to be looked for.

    Attributes
    ----------
    one, several
        Labels of which one is there, and of which none or some may be.
    everything
        Whether it is about things whatever they are.
    unseen
        Whether it is about what cannot be seen in windows.
    """

    one: set[str] = field(default_factory=set)
    several: set[str] = field(default_factory=set)
    everything: bool = False
    unseen: bool = False

    @property
    def labels(self) -> list[str]:
        """All labels, in one order."""
        return sorted(self.one | self.several)


def wanted(program: Program) -> Wanted:
    """Return what a program whose hole is filled speaks of."""
    found = Wanted()
    _statement(program, found)
    return found


def _statement(program: Program, found: Wanted) -> None:
    head, *rest = program
    sets = [part for part in rest if isinstance(part, list) and part and part[0] in _SETS]
    for at, part in enumerate(sets):
        _set(part, found, at in _SEVERAL.get(head, ()))
    for part in rest:
        if isinstance(part, list) and part not in sets:
            _statement(part, found)
    found.everything |= head in _WHOLE
    if head == "chart" or (head == "is" and rest[0] != "color"):
        found.unseen = True
    if head in ("place", "change"):
        label = str(rest[-1]).partition("+")[2]
        (found.one if head == "place" else found.several).add(label)


def _set(program: Program, found: Wanted, several: bool) -> None:
    head, *rest = program
    if head == "all":
        found.everything = True
    elif head == "with":
        attribute, value, of = rest
        if value == HOLE:
            return
        if attribute == "label":
            (found.several if several else found.one).add(str(value))
        elif attribute not in ("color", "panel"):
            found.unseen = True
        if of != ["all"] or attribute == "color":
            _set(of, found, several or attribute == "color")
    elif head == "standing":
        _set(rest[1], found, False)
        _set(rest[2], found, several)
    else:
        for part in rest:
            _set(part, found, several)
