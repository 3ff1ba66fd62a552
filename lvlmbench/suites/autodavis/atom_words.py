"""Words of atomic checks: how the facts of a picture are asked for."""

from __future__ import annotations

from collections.abc import Callable

from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures.telling import split
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.autodavis.persons import SHOWS, VALUES, Trait

_ALL: Program = ["all"]

#: Relation -> the ways among which it is asked for, each with its words.
OPPOSITES: tuple[dict[str, str], ...] = (
    {"left_of": "to the left of {}", "right_of": "to the right of {}"},
    {"above": "above {}", "below": "below {}"},
    {"farther_left": "farther to the left than {}",
     "farther_right": "farther to the right than {}"},
    {"higher": "higher up in the picture than {}", "lower": "lower down in the picture than {}"},
    {"in_front_of": "in front of {}", "behind": "behind {}"},
    {"nearer": "nearer to you than {}", "farther": "farther from you than {}"},
    {"larger": "drawn larger than {}", "smaller": "drawn smaller than {}"},
    {"in_row": "at the same height as {}", "above": "above {}", "below": "below {}"},
    {"in_column": "directly above or below {}", "left_of": "to the left of {}",
     "right_of": "to the right of {}"},
)  # fmt: skip
#: How something stands to what lies on either side of it.
BESIDE = ("left_of", "right_of", "above", "below")
BY_SIZE = {"larger": "drawn larger than", "smaller": "drawn smaller than"}

#: How the people are counted of whom something is so.
_PEOPLE: dict[str, Callable[[str], str]] = {
    "action": lambda value: f"are {phrases.ACTIONS[value]}",
    "held": lambda value: "are holding " + (value if value == "something" else phrases.an(value)),
    "wears": lambda value: f"are wearing {phrases.garment(value)}",
    "wears colored": lambda value: f"are wearing {phrases.garment(*reversed(split(value)))}",
    "wears color": lambda value: f"are wearing something {value}",
    "expression": lambda value: f"look {value}",
    "hair": lambda value: f"have {SHOWS['hair'](value)}",
    "hair_color": lambda value: f"have {value} hair",
}
#: How a trait is asked for of whoever has it.
SOMEBODY = {
    "action": "Which of these is someone in the picture doing?",
    "held": "Which of these is someone in the picture holding?",
    "wears": "Which of these is someone in the picture wearing?",
    "expression": "How does someone in the picture look?",
    "hair": "Which of these does someone in the picture have?",
    "hair_color": "What color hair does someone in the picture have?",
}
#: Traits by the names that programs have for them.
TRAITS: dict[str, Trait] = {str(name): name for name in VALUES}
SETTING = {
    "background": "Where is this?",
    "weather": "What is the weather or lighting like?",
    "style": "What kind of picture is this?",
}


def many(kit: ExamKit, world: World, of: Program) -> str | None:
    """Return how it is asked how many a set has; None where there are no words for it."""
    people = any(one.object.person is not None for one in world.things)
    things = kit.words.called(one.object.label for one in world.things)[1]
    if of == _ALL:
        what = "people are there in all"
        return f"How many {what if people else f'{things} are there in front of the background'}?"
    if of[0] != "with":
        return None
    _, attribute, value, inner = of
    if attribute == "label" and inner == _ALL:
        said = "people" if value == PERSON else _plural(kit, value)
        return said and f"Count the {said} in the picture. How many are there?"
    if attribute == "color" and inner == _ALL and not people:
        return f"How many {things} in front of the background are {value}?"
    if attribute == "color" and inner[:2] == ["with", "label"]:
        said = _plural(kit, inner[2])
        return said and f"How many of the {said} in the picture are {value}?"
    if attribute in _PEOPLE and inner == _ALL and people:
        return f"How many of the people in the picture {_PEOPLE[attribute](value)}?"
    return None


def _plural(kit: ExamKit, label: Value) -> str | None:
    return kit.words.plural(str(label)) if label in kit.stock.by_label else None
