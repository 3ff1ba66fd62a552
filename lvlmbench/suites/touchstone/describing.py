"""The text that stands for a picture, by construction: what it shows, where, before what.

People write such texts for the images of TouchStone (section 3.2). Ours say what was measured, and
leave out what a person cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lvlmbench.scene import panels
from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.grammar import capitalized, enumeration, indefinite
from lvlmbench.scene.graph import Object, Person
from lvlmbench.scene.palette import names_of
from lvlmbench.scene.programs import holds
from lvlmbench.scene.relations import CELLS, Box, Seen, judge
from lvlmbench.scene.sets import LEGIBLE
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import NUMBERS, RELATIONS

#: Part of the picture -> where that is, in words; rows and columns stand for three parts each.
PLACE_WORDS = {
    "top left": "at the top left",
    "top center": "at the top center",
    "top right": "at the top right",
    "middle left": "halfway up on the left",
    "middle center": "in the center",
    "middle right": "halfway up on the right",
    "bottom left": "at the bottom left",
    "bottom center": "at the bottom center",
    "bottom right": "at the bottom right",
    "top": "at the top",
    "middle": "halfway up",
    "bottom": "at the bottom",
    "left": "on the left",
    "center": "halfway across",
    "right": "on the right",
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
#: List -> what one of its entries is and what several are; those of all other lists are objects.
_SORTS = {"person": ("person", "people"), "animal": ("animal", "animals"),
          "landmark": ("landmark", "landmarks"), "": ("object", "objects")}  # fmt: skip
#: Action -> what somebody does, where it is said in fewer words than elsewhere.
_DOES = {"hands on hips": "posing with hands on hips", "arms crossed": "crossing both arms"}
#: How hair is worn -> that, in words.
_STYLED = {"bob": "a bob", "bun": "a bun", "ponytail": "a ponytail", "pigtails": "pigtails",
           "mohawk": "a mohawk"}  # fmt: skip
#: What is named first of what somebody wears.
_FIRST = (labels.TOPS, labels.BOTTOMS)
#: Families of styles that a drawing can be in; what is of another is made to look like it.
_DRAWN = ("digital",)
#: Relations that are said of things that overlap or stand on each other.
_TOUCHING = ("on", "inside", "in_front_of")


def describe(kit: Kit, world: World) -> str:
    """Return what a picture shows, in plain sentences, true by what was measured."""
    if world.graph.panels > 1:
        return " ".join(_panels(kit, world))
    found = [_shows(kit, world, world.things, "The picture"), *_touching(world)]
    return " ".join([*found, *looks(kit, world)])


def account(kit: Kit, world: World) -> Iterator[str]:
    """Yield the sentences of a detailed description, from an overview to single things."""
    people = [one for one in in_order(world, world.things) if one.object.person is not None]
    rest = [one for one in in_order(world, world.things) if one.object.person is None]
    seen = [f"{NUMBERS[len(people)]} people"] if len(people) > 1 else ["a person"] * len(people)
    listed = enumeration([*seen, *(called(kit, natural(kit, world, one)) for one in rest)])
    yield f"The picture shows {listed}{background(kit, world)}."
    for one in people:
        if one.seen is not None and one.seen.visible >= LEGIBLE:
            yield capitalized(f"{person(one.object.person, where(world, one), ' is')}.")
    names = [one.object.label for one in rest]
    said = []
    for one in rest:
        if place(world, one):
            name = the if names.count(one.object.label) == 1 else called
            said.append(f"{name(kit, natural(kit, world, one))} is{where(world, one)}")
    if said:
        yield f"{capitalized(enumeration(said))}."
    yield from _touching(world)
    yield from looks(kit, world)


def thing(kit: Kit, one: Object) -> str:
    """Return what is seen of an object by itself: "a red mug", 'a mug that says "LEAF"'."""
    said = called(kit, one)
    return f'{said} that says "{one.text}"' if one.text else said


def called(kit: Kit, one: Object) -> str:
    """Return the object with its article and color: "a red mug", "an elderly woman"."""
    if one.person is not None:
        return someone(one.person)
    return kit.words.counted(replace(one, count=None))


def natural(kit: Kit, world: World, one: Instance) -> Object:
    """Return an object with the color that it has by nature, or is seen to have without doubt,
    where it has been given none."""
    kind = kit.stock.by_label.get(one.object.label)
    if kind is None or one.object.color or "color" in hidden(kit, world):
        return one.object
    plain = world.graph.setting.style in (None, kit.stock.styles[0].label)
    seen = names_of(one.mean) if one.mean and plain else ()
    colors = kind.entry.extra.get("natural") or seen
    return replace(one.object, color=colors[0]) if len(colors) == 1 else one.object


def someone(person: Person) -> str:
    """Return who somebody is, as far as that can be told."""
    figure = figure_of(person)
    if figure is None:
        return "a person"
    if figure.age != "child" and not told.clear(person, "gender"):
        return "an elderly person" if figure.age == "elderly" else "a person"
    return phrases.someone(figure)


def the(kit: Kit, one: Object) -> str:
    """Return an object that was spoken of: "the red mug", "the Eiffel Tower"."""
    said = called(kit, one)
    return f"the {said.split(' ', 1)[1]}" if said.startswith(("a ", "an ")) else said


def person(about: Person | None, spot: str = "", verb: str = ",") -> str:
    """Return who somebody is, where, what they do, how they look, what they wear and hold.

    ``spot`` is as :func:`where` gives it; with the verb " is" it is a sentence.
    """
    figure = None if about is None else figure_of(about)
    if about is None or figure is None:
        return f"a person{spot}"
    outfit = sorted(told.outfit(about), key=lambda worn: [worn[0] not in each for each in _FIRST])
    clothes = enumeration([phrases.garment(kind, color) for kind, color in outfit])
    worn = f", wearing {clothes}" if clothes else ""
    held = f", {phrases.holding(*figure.held)}" if figure.held else ""
    face = indefinite(figure.expression)
    does = _DOES.get(figure.action, phrases.ACTIONS[figure.action])
    hair = _hair(about)
    looks = f"with {hair} and {face} expression" if hair else f"with {face} expression"
    return f"{someone(about)}{spot}{verb} {does}, {looks}{worn}{held}"


def _hair(about: Person) -> str:
    """Somebody's hair, as far as it can be told: "long brown hair", "gray hair in a bun"."""
    style = about.hair if told.clear(about, "hair") else None
    if style == "bald":
        return "a bald head"
    color = about.hair_color if told.clear(about, "hair_color") else None
    if style in _STYLED:
        return f"{color} hair in {_STYLED[style]}" if color else _STYLED[style]
    return " ".join([*(word for word in (style, color) if word), "hair"]) if style or color else ""


def place(world: World, one: Instance) -> str | None:
    """Return which part of the picture a thing is in, a key of :data:`PLACE_WORDS`.

    Where one of nine parts is not clear, a row or a column may be; else it is None. Of several
    pictures put together it is a part of the one that shows it.
    """
    seen = _in_panel(world, one)
    if seen is None:
        return None
    could = [cell.split() for cell in CELLS if judge(cell, seen).holds is not False]
    rows, columns = ({each[at] for each in could} for at in (0, 1))
    parts = [next(iter(found)) for found in (rows, columns) if len(found) == 1]
    return " ".join(parts) or None


def _in_panel(world: World, one: Instance) -> Seen | None:
    """Where a thing is within its panel, as if that were the whole picture."""
    n, seen = world.graph.panels, one.seen
    if seen is None or n == 1:
        return seen
    _, _, width, height = panels.first(n)
    x, y = panels.origins(n)[one.object.panel or 0]
    across = [(panels.SIDE * edge - x) / width for edge in (seen.box.left, seen.box.right)]
    down = [(panels.SIDE * edge - y) / height for edge in (seen.box.top, seen.box.bottom)]
    return replace(seen, box=Box(across[0], down[0], across[1], down[1]))


def where(world: World, one: Instance) -> str:
    """Return where a thing is, behind a blank; nothing where that is not clear."""
    found = place(world, one)
    return f" {PLACE_WORDS[found]}" if found else ""


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
        spot = where(world, one)
        if one.object.person is not None and whole:
            listed.append(person(one.object.person, spot))
        else:
            listed.append((thing if whole else called)(kit, one.object) + spot)
    if len(listed) == 1:
        return f"{what} shows {listed[0]}{background(kit, world)}."
    start = f"{what} shows {numbered(things)}{background(kit, world)}"
    return f"{start}, from left to right: {'; '.join(listed)}."


def numbered(things: Sequence[Instance]) -> str:
    """Return how many people, animals and objects there are: "two animals and one object"."""
    found = [(n, one if n == 1 else several) for n, (one, several) in _sorted(things) if n]
    return enumeration([f"{NUMBERS[n] if n < len(NUMBERS) else n} {said}" for n, said in found])


def sorts(things: Sequence[Instance]) -> str:
    """Return what things are called that have no common name: "animals and objects"."""
    return " and ".join(several for n, (_, several) in _sorted(things) if n)


def _sorted(things: Sequence[Instance]) -> list[tuple[int, tuple[str, str]]]:
    lists = [one.object.list if one.object.list in _SORTS else "" for one in things]
    return [(lists.count(name), forms) for name, forms in _SORTS.items()]


def _touching(world: World) -> Iterator[str]:
    """How things overlap or stand on each other."""
    names = [one.object.label for one in world.things]
    for one in world.things:
        for other in world.things:
            for how in _TOUCHING:
                if names.count(one.object.label) > 1 or names.count(other.object.label) > 1:
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
    """Return in which style a picture is: "it is made to look like an oil painting"."""
    entry = next(each for each in kit.stock.styles if each.label == label)
    said = bare_style(entry)
    return f"it is {said}" if entry.extra["family"] in _DRAWN else f"it is made to look like {said}"


def bare_style(entry: Entry) -> str:
    """Return a style with its article: "an oil painting"."""
    return str(entry.extra["caption"]).replace(" of {subject}", "", 1)


def _panels(kit: Kit, world: World) -> Iterator[str]:
    n = world.graph.panels
    yield f"The image is made up of {NUMBERS[n]} pictures."
    for at, what in enumerate(PANEL_WORDS[n]):
        things = [one for one in world.things if (one.object.panel or 0) == at]
        yield _shows(kit, world, things, capitalized(what))
    yield from looks(kit, world)


def single(world: World, label: str) -> bool:
    """Return whether one thing alone is of a label, and that is clear."""
    return holds(["count", ["with", "label", label, ["all"]], 1], world) is True
