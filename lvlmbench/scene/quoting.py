"""Whether a text quotes another: so many of its words in a row."""

from __future__ import annotations

import re

#: Words in a row that are a quotation.
QUOTED = 6
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text, whatever their case and what stands between them."""
    return _WORD.findall(text.casefold())


#: Words that tell no thing from another.
FUNCTION_WORDS = frozenset(_WORD.findall(
    "a an the this that these those one ones some any all each both no not none only also very too "
    "it its they them their there here he she his her who whom what which where when how many much "
    "of in on at by to from with without into onto over under above below behind beside between "
    "near and or but as than is are was were be been being has have had do does did can could may "
    "might will would shall should must yes kind sort color colour picture image photo shown show "
    "shows seen see visible"
))  # fmt: skip
_IRREGULAR = {
    "people": "person", "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "geese": "goose", "leaves": "leaf", "knives": "knife", "wolves": "wolf", "loaves": "loaf",
    "shelves": "shelf", "scarves": "scarf", "halves": "half", "wives": "wife", "calves": "calf",
}  # fmt: skip


def stems(text: str) -> list[str]:
    """Return the words of a text without the endings of plurals."""
    return [_stem(word) for word in words(text)]


def telling(text: str) -> frozenset[str]:
    """Return the stems of a text that tell things apart: function words are left out."""
    return frozenset(_stem(word) for word in words(text) if word not in FUNCTION_WORDS)


def holds_words(text: str, phrase: str) -> bool:
    """Return whether the words of a phrase stand in a text, in a row and as whole words."""
    said, own = stems(text), stems(phrase)
    return bool(own) and any(said[at : at + len(own)] == own for at in range(len(said)))


def _stem(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("men"):
        return f"{word[:-3]}man"
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def quotes(text: str, source: str, length: int = QUOTED) -> bool:
    """Return whether a text holds so many words of another in a row."""
    said, own = words(text), words(source)
    runs = {tuple(own[at : at + length]) for at in range(len(own) - length + 1)}
    return any(tuple(said[at : at + length]) in runs for at in range(len(said) - length + 1))
