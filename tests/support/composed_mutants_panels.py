"""Mistakes planted in the code that asks about several panels: differences, and claims of four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lvlmbench.scene import programs, sets, world
from lvlmbench.scene.graph import Graph
from support.composed_mutants import MUTANTS as MUTANTS
from support.composed_mutants import Patch, mutant, sees


@mutant("differences")
def panels_shifted(patch: Patch) -> None:
    def graph(of: Graph) -> Graph:
        n = of.panels
        return replace(
            of, objects=tuple(replace(o, panel=((o.panel or 0) + 1) % n) for o in of.objects)
        )

    sees(patch, graph=graph)


@mutant("differences")
def moves_not_noticed(patch: Patch) -> None:
    patch.setattr(world.World, "shift", lambda self, a, b: False)


def _overlooked(patch: Patch, *ways: str) -> None:
    """Let no thing differ between panels in these ways."""
    for way in ways:
        patch.setitem(programs.CHANGES, way, lambda seen, one, other: False)


@mutant("differences")
def mirrored_things_overlooked(patch: Patch) -> None:
    _overlooked(patch, "mirrored")


@mutant("differences")
def sizes_overlooked(patch: Patch) -> None:
    _overlooked(patch, "larger", "smaller")


@mutant("differences")
def colors_overlooked(patch: Patch) -> None:
    _overlooked(patch, "color")


@mutant("differences")
def differences_off_by_one(patch: Patch) -> None:
    true = programs._STATEMENTS["differ"]
    patch.setitem(programs._STATEMENTS, "differ", lambda seen, number: true(seen, int(number) - 1))


#: Skills that count panels of which a claim holds.
_CLAIMS = (
    "existence", "color_binding", "attribute_binding", "spatial", "depth", "size", "comparison",
)  # fmt: skip


def _in_panels(patch: Patch, judge: Callable[[list[sets.Truth], int], sets.Truth]) -> None:
    """Let the number of panels of which a claim holds be judged otherwise."""

    def judged(seen: world.World, of: sets.Program, number: int) -> sets.Truth:
        panels = range(seen.graph.panels)
        return judge([programs.holds(programs.within(of, at), seen) for at in panels], int(number))

    patch.setitem(programs._STATEMENTS, "panels", judged)


@mutant(*_CLAIMS)
def last_panel_overlooked(patch: Patch) -> None:
    _in_panels(patch, lambda found, n: None if None in found else found[:-1].count(True) == n)


@mutant(*_CLAIMS)
def panels_off_by_one(patch: Patch) -> None:
    _in_panels(patch, lambda found, n: None if None in found else found.count(True) + 1 == n)


@mutant("color_binding", "depth", "spatial")
def second_part_of_a_claim_dropped(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "and", lambda seen, one, *rest: programs.holds(one, seen))
