"""The base form of a verb that ends in -ing, where no parser has found it."""

from __future__ import annotations

_WITH_E = frozenset(
    ("rid", "danc", "writ", "skat", "hid", "wav", "driv", "cycl", "juggl", "wrestl", "tak", "us",
     "rais", "mak", "bak", "smil",
     "sneez", "fenc", "shav", "bit", "bounc", "meditat", "serv",
     "wip", "div", "hik", "bik", "pos")
)  # fmt: skip


def base(word: str) -> str:
    """Return ``wave`` of "waving"; words that do not end in -ing as they are."""
    if not word.endswith("ing") or len(word) <= 4:
        return word
    before, _, last = word.rpartition("-")
    if before:
        return f"{before}-{base(last)}"  # "arm-wrestling"
    stem = word.removesuffix("ing")
    if stem in _WITH_E:
        return stem + "e"
    return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
