"""What a free question about several things wants to be told, as its words say."""

from __future__ import annotations

import re

THINGS, COLORS, PEOPLE, PLACES, SIZES = "things", "colors", "people", "places", "sizes"

#: Words that speak of several things or people: in the plural, of each of them, or of all.
_SEVERAL = re.compile(
    r"\b(?:things|objects|items|people|persons|everything|everyone|everybody"
    r"|all the (?:colors|others)|arranged|complete list|leave nothing out"
    r"|(?:brief|detailed) description|(?:keep it|in) short|in as much detail|sentences? or two"
    r"|one or two sentences"
    r"|(?:each|every|which|all) (?:thing|object|item|person))\b",
    re.I,
)
#: Words that ask for more than which things there are.
_WORDS = {
    PEOPLE: r"people|persons?|everyone|everybody|(?<!somebody )who",
    SIZES: r"sizes?|large\w*|small\w*|big\w*",
    PLACES: r"where|position\w*|placed|left|right|above|below|relations?|arrange\w*|stands?",
    COLORS: r"colou?r\w*|attributes?",
}
_ASKS = {name: re.compile(rf"\b(?:{words})\b", re.I) for name, words in _WORDS.items()}
#: An order in which to tell is no question about places.
_ORDER = re.compile(r"\bfrom left to right\b|\bfrom top to bottom\b", re.I)


def topics(question: str) -> tuple[str, ...]:
    """Return what a question wants to be told of several things; empty where it is about one.

    A question about people is about all that can be seen of them, and about nothing else.
    """
    if not _SEVERAL.search(question):
        return ()
    question = _ORDER.sub("", question)
    found = tuple(name for name, asks in _ASKS.items() if asks.search(question))
    return (PEOPLE,) if PEOPLE in found else found or (THINGS,)
