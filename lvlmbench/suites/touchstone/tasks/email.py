"""E-mail: one that says what is shown, to somebody who has to know it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    how_many,
    listed,
    of_lists,
    recalled,
    shown,
    things_of,
)

#: Class of size of what one person can carry.
_CARRIED = 4


class Letter(NamedTuple):
    """An occasion to write.

    Attributes
    ----------
    wanted
        Ways to ask for the e-mail.
    text
        The e-mail; ``things`` is what is shown, ``Those`` the same spoken of again, ``n`` how many.
    """

    wanted: tuple[str, ...]
    text: str


_LETTERS = (
    Letter(
        (
            "I left the things in this picture in a train this morning. Write an e-mail to the "
            "lost property office for me.",
            "These are my things, and I forgot them on the 8:15 train. Draft a polite e-mail to "
            "the railway in which I ask for them.",
        ),
        "Subject: Lost this morning: {n} things in the train at 8:15\n\n"
        "Dear Sir or Madam,\n\n"
        "this morning I left some things of mine in the train that departs at 8:15: {things}. They "
        "lay in the rack above my seat, in the second coach.\n\n"
        "Could you please let me know whether anybody has handed them in, and when I could fetch "
        "them? {Those} mean a lot to me, and I would gladly pay for the postage.\n\n"
        "Thank you very much for your trouble.\n\nKind regards,\n[your name]",
    ),
    Letter(
        (
            "I am moving and give away what this picture shows. Write a friendly e-mail to my "
            "neighbors.",
            "Everything in this picture is to go, for free. Write an e-mail to all who live in my "
            "house, so that somebody takes it.",
        ),
        "Subject: To give away: {n} things for free\n\n"
        "Dear neighbors,\n\n"
        "at the end of the month I am moving, and not everything can come along. So I give away "
        "{things}. All of it is in good order and costs nothing but the way to my door.\n\n"
        "{Those} will stand on the landing of the third floor on Saturday from ten to four. "
        "First come, first served. If you want me to keep something for you, just answer this "
        "e-mail.\n\nBest wishes, and thank you for the good years,\n[your name]",
    ),
    Letter(
        (
            "I teach art and need what this picture shows as models for drawing. Write an e-mail "
            "to the parents and ask whether they can lend them to us.",
            "My class will draw the things in this picture. Write to the parents of the children "
            "and ask them to lend us these things for a week.",
        ),
        "Subject: Models wanted for our drawing week\n\n"
        "Dear parents,\n\n"
        "next week your children will draw from life, and we need models. We are looking for "
        "{things}. If you have one of them at home, in whatever condition, would you lend it to us "
        "from Monday to Friday?\n\n"
        "{Those} will be handled with care, and every child knows that nothing is to be dropped. "
        "Please let me know by Thursday what you can bring. You are all invited to see the "
        "drawings on Friday at three.\n\nWith many thanks,\n[your name]",
    ),
)


def _plan(kit: TaskKit, ordinal: int) -> Graph:
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
    things = things_of(world)
    if len(things) < 2:
        return None
    letter = kit.draws.pick(_LETTERS)
    text = letter.text.format(
        n=NUMBERS[len(things)],
        things=listed(kit, things),
        Those=capitalized(recalled(kit, things)),
    )
    wanted = kit.draws.pick(letter.wanted)
    return Asked(question=wanted, answer=text, before=how_many(kit, world), behind=wanted)


@SUBTASKS.register("touchstone_email")
def email() -> DrawnTask:
    """Return the task: an e-mail."""
    return drawn(
        "touchstone_email",
        things=(3, 5), span=(190, 230), background=False,
        plan=_plan, ask=_ask,
    )  # fmt: skip
