"""How descriptions say what questions say: in other words, so that no question quotes one.

Whoever reads descriptions, as examiners do, would else know options again by their words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lvlmbench.scene.quoting import QUOTED, words

#: What is said of places and of people in six words or more -> the same in other words.
OTHERWISE: Mapping[str, str] = {
    "on a sandy beach by the sea": "by the sea, on a sandy beach",
    "in a desert with sand dunes": "among the sand dunes of a desert",
    "in outer space among stars and planets": "among stars and planets in outer space",
    "in front of a city skyline at night": "at night before the skyline of a city",
    "in a meadow full of wild flowers": "among the wild flowers of a meadow",
    "in front of a sunset over the sea": "by the sea, where the sun is setting",
    "on a wet street on a rainy day": "on a rainy day, along a wet street",
    "in front of an erupting volcano": "before a volcano that is erupting",
    "in a library between tall shelves of books": "between the tall shelves of a library",
    "in a kitchen with cabinets and a stove": "before the stove and cabinets of a kitchen",
    "in a classroom with a blackboard and desks": "at the desks and blackboard of a classroom",
    "on a theater stage between red curtains": "between red curtains on a theater stage",
    "in front of a brick wall": "before a brick wall",
    "on a highway under road signs": "under direction signs on a highway",
    "on a soccer field in front of the goal": "before the goal of a soccer field",
    "in a swimming pool with lane ropes": "between the lane ropes of a swimming pool",
    "on a farm with a red barn": "before the red barn of a farm",
    "under northern lights on a snowy night": "on a snowy night under northern lights",
    "in a bedroom next to the bed": "next to the bed of a bedroom",
    "on a basketball court in front of the hoop": "before the hoop of a basketball court",
    "stretching both arms out to the sides": "with both arms stretched out to the sides",
}
#: Where a phrase of a place can be parted.
_PARTS = re.compile(
    r" (?=(?:above|against|along|among|around|at|before|behind|below|beside|between|by|from|full|in"
    r"|inside|near|next|of|on|over|through|under|where|with)\b)"
)


def parted(phrase: str) -> str:
    """Return a phrase of a place with no six of its words in a row, where it can be parted.

    Between parts stands a word. What is short, or said otherwise by :data:`OTHERWISE`, stays as it
    is; so does a part that is itself so long.
    """
    if phrase in OTHERWISE or len(words(phrase)) < QUOTED:
        return phrase
    first, *rest = _PARTS.split(phrase.replace("in front of", "before"))
    found = [first]
    for part in rest:
        together = f"{found[-1]} {part}"
        found[-1:] = [together] if len(words(together)) < QUOTED else [found[-1], part]
    return ", here ".join(found)


def otherwise(said: str) -> str:
    """Return a sentence with what :data:`OTHERWISE` has in other words."""
    for long, other in OTHERWISE.items():
        said = said.replace(long, other)
    return said
