"""The base form of a verb that ends in -ing, where no parser has found it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.model import verbs

_VOWELS = "aeiou"


def base(word: str) -> str:
    """Return ``wave`` of "waving"; words that do not end in -ing as they are."""
    if not word.endswith("ing") or len(word) <= 4:
        return word
    before, _, last = word.rpartition("-")
    if before:
        return f"{before}-{base(last)}"  # "arm-wrestling"
    stem, known = word.removesuffix("ing"), verbs()
    doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"
    if doubled and stem[:-1] in known:
        return stem[:-1]
    if _short(stem) and stem + "e" in known:
        return stem + "e"  # "dining": "din" would be "dinning"
    return stem if stem in known or stem + "e" not in known else stem + "e"


def _short(stem: str) -> bool:
    """Whether the last letter of a stem would be doubled: one vowel before one consonant."""
    vowels = [letter in _VOWELS for letter in stem]
    return len(stem) > 2 and sum(vowels) == 1 and vowels[-2] and stem[-1] not in "wxy"
