"""Counting: how many of a kind there are, among others that look alike."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.kit import Kit
from lvlmbench.suites.composed.programs import labelled
from lvlmbench.suites.composed.skill import Ask, Skill, partner, skill
from lvlmbench.suites.composed.world import World

#: Numbers offered: four in a row from an odd one, each right equally often.
_WINDOW = 4


def _starts(kit: Kit) -> range:
    """First numbers of windows: from one, up to what a picture of the level holds."""
    high = kit.level.things[1]
    others = 2 if kit.level.near > 1 else min(kit.level.near, 1)
    return range(1, max(high - others - _WINDOW + 1, 1) + 1, 2)


def _plan(kit: Kit) -> Graph:
    setting = kit.setting("shape")
    number = kit.draws.pick(_starts(kit)) + kit.draws.below(_WINDOW)
    others = min(2 if kit.level.near > 1 else kit.level.near, kit.level.things[1])
    (kind,) = kit.kinds(1, setting)
    beside = kit.pairs(kind, setting)[:others]
    spans = kit.spans(number + others)
    low = [spans[len(spans) // 2]] * (1 + others)
    objects = kit.objects([kind, *beside], low)
    return Graph((replace(objects[0], count=number), *objects[1:]), setting=setting)


def _ask(kit: Kit, world: World) -> list[Ask]:
    label = world.graph.main.label
    found = sum(one.object.label == label for one in world.things)
    starts = [s for s in _starts(kit) if s <= found < s + _WINDOW]
    if not starts:
        return []
    start = kit.draws.pick(starts)
    window = list(range(start, start + _WINDOW))
    many = kit.words.plural(label)
    return [
        Ask(
            family="number",
            program=["count", labelled(label), "?"],
            questions=(
                f"How many {many} are in the picture?",
                f"How many {many} can you count in the picture?",
                f"What is the number of {many} in the picture?",
            ),
            statements=lambda n: tuple(
                form.format(kit.words.number(int(n), label))
                for form in (
                    f"There {'is' if n == 1 else 'are'} exactly {{}} in the picture.",
                    "The picture shows exactly {}.",
                    "You can count exactly {} in the picture.",
                )
            ),
            show=str,
            answer=found,
            wrong=[n for n in window if n != found],
            claims=[partner(found)],
            near=_WINDOW - 1,
        )
    ]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """One more or one fewer, so that both numbers stand in one window."""
    changed = replace(graph.main, count=partner(graph.main.instances))
    return replace(graph, objects=(changed, *graph.objects[1:]))


@SUBTASKS.register("counting")
def counting() -> Skill:
    """Return the skill: how many there are."""
    return skill("counting", 2, "how many there are", _plan, _ask, _twin)
