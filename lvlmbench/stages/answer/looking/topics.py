"""What a free question about several things wants to be told, as its words say."""

from __future__ import annotations

import re

#: What can be told of several things, and the words that ask for it.
_WORDS = {
    "people": r"people|persons|everyone|everybody|wear\w*|dressed|cloth\w+|garments?|outfits?",
    "sizes": r"sizes?|larg\w+|small\w+|big\w*",
    "places": r"where|positions?|placed?|left|right|above|below|relations?|arrange\w*|stands?",
    "colors": r"colou?r\w*|attributes?|appearances?|look like|looks like",
    "things": r"things|objects|items|everything|everyone|people|persons",
}
_ASKS = {name: re.compile(rf"\b(?:{words})\b", re.I) for name, words in _WORDS.items()}

THINGS, COLORS, PEOPLE, PLACES, SIZES = "things", "colors", "people", "places", "sizes"


def topics(question: str) -> tuple[str, ...]:
    """Return what a question wants to be told of several things; empty where it is about one.

    Who asks for things, objects, items or people in the plural wants several; how they are, where
    they are and how large is asked for by words of its own.
    """
    if not _ASKS[THINGS].search(question):
        return ()
    found = tuple(name for name in (PEOPLE, SIZES, PLACES, COLORS) if _ASKS[name].search(question))
    return found or (THINGS,)
