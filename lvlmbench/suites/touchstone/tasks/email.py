"""The task of writing an email about what a picture shows."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import letters
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import how_many, listed, of_lists, shown, things_of

#: Class of size of what one person can carry.
_CARRIED = 4


def _plan(kit: TaskKit) -> Graph:
    """Plan things in colors of their own, such as one owns."""
    setting = kit.setting("shape", "color", plain=True)
    pool = [
        kind
        for kind in of_lists(kit, setting, "object", "clothes")
        if kind.recolorable and (kind.size or _CARRIED) <= _CARRIED
    ]
    n = kit.size()
    kinds = kit.kinds(n, setting, recolorable=True, of=pool)
    graph = shown(kit, kinds, setting)
    colored = zip(graph.objects, kit.colors(n), strict=True)
    things = tuple(replace(thing, color=color) for thing, color in colored)
    return replace(graph, objects=things)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    """Ask for an email; what the question does not say is left to be filled in."""
    things = things_of(world)
    if len(things) < 2:
        return None
    known = letters()
    letter, opening, request, closing = kit.frame(known.letters, range(3), range(3), known.closings)
    number, said = NUMBERS[len(things)], listed(kit, things)
    parts = (
        f"Subject: {letter.subject}",
        letter.greeting,
        f"{letter.openings[opening]} {letter.requests[request]}",
        f"{closing}\n[your name]",
    )
    text = "\n\n".join(parts).format(
        n=number, N=capitalized(number), things=said, Things=capitalized(said)
    )
    wanted = kit.draws.pick(letter.wanted)
    return Asked(question=wanted, answer=text, before=how_many(kit, world), behind=wanted)


@SUBTASKS.register("touchstone_email")
def email() -> DrawnTask:
    """Return the task: an email."""
    return drawn(
        "touchstone_email",
        things=(3, 5), span=(190, 230), background=False,
        plan=_plan, ask=_ask,
    )  # fmt: skip
