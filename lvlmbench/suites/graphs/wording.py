"""How questions name things and relations: small parts of English, with many phrasings beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.grammar import enumeration, indefinite, singular
from lvlmbench.scene.graph import Object, Person
from lvlmbench.scene.props import PROP
from lvlmbench.suites.graphs.stock import Stock

#: Relation -> how it is said behind "is".
RELATIONS = {
    "left_of": "to the left of",
    "right_of": "to the right of",
    "above": "above",
    "below": "below",
    "in_front_of": "in front of",
    "behind": "behind",
    "on": "on",
    "inside": "inside",
    "nearer": "nearer than",
    "farther": "farther away than",
}

#: Relations of position that can be told of any two things.
SIDES = ("left_of", "right_of", "above", "below")

#: Lists of the vocabulary -> what one thing, and several, of these lists are called.
_CALLED: Mapping[frozenset[str | None], tuple[str, str]] = {
    frozenset(("animal",)): ("animal", "animals"),
    frozenset(("plant",)): ("plant", "plants"),
    frozenset(("animal", "plant")): ("living thing", "living things"),
    frozenset(("food",)): ("food item", "food items"),
}

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Words:
    """Names of the things of a vocabulary."""

    def __init__(self, stock: Stock) -> None:
        self._entries = {entry.label: entry for entry in (*stock.carriers, *stock.landmarks)}
        # A label of both, as "scroll", is the thing: what carries a word is named alone.
        self._entries |= {kind.label: kind.entry for kind in stock.kinds}
        self._lists = {kind.label: kind.list for kind in stock.kinds}

    def a(self, label: str) -> str:
        """ "a red fox"."""
        return singular(self._entries[label])

    def plural(self, label: str) -> str:
        """ "red foxes"."""
        return self._entries[label].plural

    def called(self, labels: Iterable[str]) -> tuple[str, str]:
        """Return what one of some things is called, and several: "animal", "animals"."""
        return _CALLED.get(frozenset(map(self._lists.get, labels)), ("thing", "things"))

    def number(self, n: int, label: str) -> str:
        """ "one red fox", "three red foxes"."""
        said = NUMBERS[n] if n < len(NUMBERS) else str(n)
        return f"{said} {label if n == 1 else self.plural(label)}"

    def colored(self, color: str, label: str) -> str:
        """ "a red umbrella"."""
        return indefinite(f"{color} {label}")

    def counted(self, thing: Object) -> str:
        """Return what a caption calls an object: "a red car", "three foxes"."""
        if thing.chart is not None:
            return indefinite(thing.label if "line" in thing.label else f"{thing.label} chart")
        if thing.person is not None:
            return person(thing.person)
        if thing.list == PROP:
            return indefinite(thing.label)
        color = f"{thing.color} " if thing.color else ""
        if thing.instances > 1:
            return f"{NUMBERS[thing.instances]} {color}{self.plural(thing.label)}"
        return indefinite(color + thing.label) if color else self.a(thing.label)


def standing(ways: Sequence[tuple[str, str]]) -> str:
    """Return how something stands to one label or two: "above both the car and the fox"."""
    said, labels = ([*dict.fromkeys(each)] for each in zip(*ways, strict=True))
    if len(said) < len(ways):
        return f"{RELATIONS[said[0]]} both {enumeration([f'the {to}' for to in labels])}"
    if len(labels) < len(ways):  # up or down comes first
        return f"{' and '.join(sorted(RELATIONS[each] for each in said))} the {labels[0]}"
    return " and ".join(f"{RELATIONS[relation]} the {to}" for relation, to in ways)


def person(about: Person) -> str:
    """Return who a person is and what can be seen of them: "a man wearing a red scarf"."""
    figure = figure_of(about)
    if figure is None:
        return "a person"
    worn = enumeration([phrases.garment(kind, color) for kind, color in figure.garments])
    held = f", {phrases.holding(*figure.held)}" if figure.held else ""
    return f"{phrases.someone(figure)} {phrases.ACTIONS[figure.action]}, wearing {worn}{held}"
