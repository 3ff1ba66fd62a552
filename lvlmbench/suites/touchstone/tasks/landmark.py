"""Landmarks: which one it is, and where in the world."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.grammar import capitalized, singular
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.asking import OUTERMOST, forms, one_of, outermost
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import places
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn

_LANDMARK = "landmark"
#: Longest side by how many there are, in thousandths.
_SPANS = {1: 640, 2: 420, 3: 330}
#: Names of countries that are other words, too.
_NO_RIVALS = ("US", "U.S.")


def _plan(kit: TaskKit) -> Graph:
    """Plan one to three landmarks of which nobody takes one for another."""
    n = kit.in_turn([*_SPANS])
    found: list[Entry] = []
    for entry in kit.draws.shuffled(kit.stock.landmarks):
        if len(found) < n and entry.group.split("/")[0] not in _groups(found):
            found.append(entry)
    things = tuple(
        Object(
            f"o{at + 1}",
            _LANDMARK,
            entry.label,
            "main" if at == 0 else "secondary",
            span=_SPANS[n],
        )
        for at, entry in enumerate(found)
    )
    return Graph(things, (), kit.setting("shape", "color", plain=True))


def _groups(entries: list[Entry]) -> set[str]:
    return {entry.group.split("/")[0] for entry in entries}


def _entry(kit: TaskKit, one: Instance) -> Entry:
    return next(e for e in kit.stock.landmarks if e.label == one.object.label)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if len(world.things) < len(world.instances):
        return None
    if len(world.things) == 1:
        found = [(world.things[0], "this")]
    else:
        each = [(outermost(world, side), how) for side, how in OUTERMOST.items()]
        found = [(one, f"the landmark that is {how}") for one, how in each if one is not None]
    return one_of(
        kit,
        [asked for one, how in found for asked in _which(kit, world, one, how)],
        [asked for one, how in found for asked in _where(kit, world, one, how)],
    )


def _before(world: World) -> tuple[Turn, ...]:
    """What may have been asked before, which names no landmark."""
    n = len(world.things)
    if n == 1:
        return (Turn("Does this picture show a famous place?", "Yes, it shows a landmark."),)
    said = f"There are {NUMBERS[n]}."
    return (Turn("How many landmarks are there in the picture?", said),)


def _which(kit: TaskKit, world: World, one: Instance, how: str) -> Iterator[Asked]:
    entry = _entry(kit, one)
    is_this = how == "this"
    questions = (
        ("Which landmark is this?", "What famous place is this, and what do you know about it?")
        if is_this
        else (
            f"What is the name of {how}?",
            f"Look at {how}. What is it, and what do you know about it?",
        )
    )
    place = places().get(entry.label)
    shown = "The picture shows" if is_this else f"{capitalized(how)} is"
    told = f" {place.about}" if place else ""
    yield Asked(
        question=kit.draws.pick(questions),
        answer=f"{shown} {singular(entry)}.{told}",
        accepted=forms(kit, one.object),
        rivals=tuple(
            name
            for each in kit.stock.landmarks
            if each.label != entry.label
            for name in kit.forms("landmark", each.label)
        ),
        before=_before(world),
        behind="Which one is it?" if is_this else f"What is the name of {how}?",
        near=0 if is_this else 1,
    )


def _where(kit: TaskKit, world: World, one: Instance, how: str) -> Iterator[Asked]:
    """In which country it is, where we know that."""
    entry = _entry(kit, one)
    if entry.label not in places() or not places()[entry.label].country:
        return
    country, named = places()[entry.label].country, singular(entry)
    is_this = how == "this"
    shown = "The picture shows" if is_this else f"{capitalized(how)} is"
    yield Asked(
        question=(
            "In which country is this landmark?"
            if is_this
            else f"Which country would I have to visit to see {how}?"
        ),
        answer=f"It is in {country[0]}. {shown} {named}.",
        accepted=country,
        rivals=tuple(
            name
            for each in places().values()
            if each.country != country
            for name in each.country
            if name not in _NO_RIVALS
        ),
        before=_before(world),
        behind=kit.draws.pick(
            ("In which country is it?", "Which country would I have to visit to see it?")
            if is_this
            else (f"In which country is {how}?", f"Where in the world is {how}? Name the country.")
        ),
        hops=1,
    )


@SUBTASKS.register("touchstone_landmark")
def landmark() -> DrawnTask:
    """Return the task: which landmark it is."""
    return drawn(
        "touchstone_landmark",
        things=(1, 3), span=(330, 400), placed=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
