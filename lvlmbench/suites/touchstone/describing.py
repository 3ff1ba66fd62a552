"""The text that stands for a picture, by construction: what it shows, where, before what.

People write such texts for the images of TouchStone (section 3.2). Ours say what was measured, and
leave out what a person cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.grammar import capitalized, enumeration, indefinite
from lvlmbench.scene.graph import Object, Person
from lvlmbench.scene.programs import holds
from lvlmbench.scene.relations import CELLS
from lvlmbench.scene.sets import LEGIBLE
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import NUMBERS, RELATIONS

#: Part of the picture -> where that is, in words.
CELL_WORDS = {
    "top left": "at the top left",
    "top center": "at the top in the middle",
    "top right": "at the top right",
    "middle left": "on the left, halfway up",
    "middle center": "in the center",
    "middle right": "on the right, halfway up",
    "bottom left": "at the bottom left",
    "bottom center": "at the bottom in the middle",
    "bottom right": "at the bottom right",
}
#: Panels -> what each is called, in order.
PANEL_WORDS = {
    2: ("the left picture", "the right picture"),
    4: (
        "the picture at the top left",
        "the picture at the top right",
        "the picture at the bottom left",
        "the picture at the bottom right",
    ),
}
#: Relations that are said of things that overlap or stand on each other.
_TOUCHING = ("on", "inside", "in_front_of")


def describe(kit: Kit, world: World) -> str:
    """Return what a picture shows, in plain sentences, true by what was measured."""
    if world.graph.panels > 1:
        return " ".join(_panels(kit, world))
    found = [_shows(kit, world, world.things, "The picture"), *_touching(world)]
    return " ".join([*found, *looks(kit, world)])


def thing(kit: Kit, one: Object) -> str:
    """Return what is seen of an object by itself: "a red mug", 'a mug that says "LEAF"'."""
    said = called(kit, one)
    return f'{said} that says "{one.text}"' if one.text else said


def called(kit: Kit, one: Object) -> str:
    """Return the object with its article and color: "a red mug", "an elderly woman"."""
    if one.person is not None:
        return someone(one.person)
    return kit.words.counted(replace(one, count=None))


def someone(person: Person) -> str:
    """Return who somebody is, as far as that can be told."""
    figure = figure_of(person)
    if figure is None:
        return "a person"
    if figure.age != "child" and not told.clear(person, "gender"):
        return "an elderly person" if figure.age == "elderly" else "a person"
    return phrases.someone(figure)


def person(about: Person) -> str:
    """Return who somebody is, the expression, what they do, wear and hold."""
    figure = figure_of(about)
    if figure is None:
        return "a person"
    worn = enumeration([phrases.garment(kind, color) for kind, color in told.outfit(about)])
    held = f", {phrases.holding(*figure.held)}" if figure.held else ""
    return (
        f"{someone(about)} with {indefinite(figure.expression)} expression, "
        f"{phrases.ACTIONS[figure.action]}, wearing {worn}{held}"
    )


def cell(world: World, one: Instance) -> str | None:
    """Return which of the nine parts of the picture a thing is in; None where that is not clear."""
    return next((name for name in CELLS if world.stands(name, one.number)), None)


def where(world: World, one: Instance) -> str:
    """Return where a thing is, behind a blank; nothing where that is not clear."""
    found = cell(world, one)
    return f" {CELL_WORDS[found]}" if found else ""


def in_order(world: World, things: Sequence[Instance]) -> list[Instance]:
    """Return things from left to right."""
    return sorted(things, key=lambda one: one.seen.box.center if one.seen else (0, 0))


def background(kit: Kit, world: World) -> str:
    """Return where things are, behind a blank, as far as the style lets it be seen."""
    if "background" in hidden(kit, world):
        return ""
    said = kit.stock.phrase(world.graph.setting.background)
    return f" {said}" if said else ""


def hidden(kit: Kit, world: World) -> frozenset[str]:
    """Return what style and weather hide of small things."""
    setting = world.graph.setting
    around = (setting.style, setting.weather)
    entries = [e for e in (*kit.stock.styles, *kit.stock.weathers) if e.label in around]
    return frozenset[str]().union(*(entry.hidden_small for entry in entries))


def _shows(kit: Kit, world: World, things: Sequence[Instance], what: str) -> str:
    listed = []
    for one in in_order(world, things):
        whole = one.seen is not None and one.seen.visible >= LEGIBLE
        about = one.object.person
        if about is not None and whole:
            said = person(about)
        else:
            said = thing(kit, one.object) if whole else called(kit, one.object)
        listed.append(f"{said}{where(world, one)}")
    n = len(listed)
    number = NUMBERS[n] if n < len(NUMBERS) else str(n)
    if n == 1:
        return f"{what} shows {listed[0]}{background(kit, world)}."
    start = f"{what} shows {number} things{background(kit, world)}"
    if all(one.object.person is not None for one in things):
        start = f"{what} shows {number} people{background(kit, world)}"
    return f"{start}, from left to right: {'; '.join(listed)}."


def _touching(world: World) -> Iterator[str]:
    """How things overlap or stand on each other."""
    labels = [one.object.label for one in world.things]
    for one in world.things:
        for other in world.things:
            for how in _TOUCHING:
                if labels.count(one.object.label) > 1 or labels.count(other.object.label) > 1:
                    continue
                if one is not other and world.stands(how, one.number, other.number):
                    yield (f"The {one.object.label} is {RELATIONS[how]} the {other.object.label}.")


def looks(kit: Kit, world: World) -> Iterator[str]:
    """Yield sentences about weather and style of the whole picture."""
    setting = world.graph.setting
    for entry in kit.stock.weathers:
        if entry.label == setting.weather:
            yield f"{entry.extra['phrase']}."
    if setting.style is not None:
        yield f"{capitalized(styled(kit, setting.style))}."


def styled(kit: Kit, label: str) -> str:
    """Return that a picture is in a style: "it is an oil painting"."""
    entry = next(each for each in kit.stock.styles if each.label == label)
    return f"it is {str(entry.extra['caption']).replace(' of {subject}', '', 1)}"


def _panels(kit: Kit, world: World) -> Iterator[str]:
    n = world.graph.panels
    yield capitalized(f"the image is put together of {NUMBERS[n]} pictures.")
    for at, what in enumerate(PANEL_WORDS[n]):
        things = [one for one in world.things if (one.object.panel or 0) == at]
        yield _shows(kit, world, things, capitalized(what))
    yield from looks(kit, world)


def single(world: World, label: str) -> bool:
    """Return whether one thing alone is of a label, and that is clear."""
    return holds(["count", ["with", "label", label, ["all"]], 1], world) is True
