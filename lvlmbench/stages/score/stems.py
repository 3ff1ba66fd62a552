"""Words in one form, so that "two foxes running" and "2 run fox" have the same ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from lvlmbench.scene.answers import NUMBER_WORDS

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(
    _WORD.findall(
        "a an and are as at be by for from has have he her his i in is it its my of on or she some"
        " that the their there these they this to was were with"
    )
)
#: Nouns that have no plural in s.
SINGULAR = {
    "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "geese": "goose", "wolves": "wolf", "leaves": "leaf", "knives": "knife",
    "loaves": "loaf", "scarves": "scarf", "people": "person", "shelves": "shelf",
}  # fmt: skip
_IRREGULAR = SINGULAR | {
    "mt": "mount", "tv": "television", "grey": "gray", "colour": "color", "centre": "center",
    "theatre": "theater",
}  # fmt: skip
NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS[:13])}
_NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b", re.I)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a lower-case English word without the endings of plural, gerund and past."""
    word = NUMBERS.get(word, _IRREGULAR.get(word, word))
    for ending, least in (("ness", 3), ("ing", 3), ("ed", 3), ("es", 3), ("s", 3), ("en", 4)):
        if (
            word.endswith(ending)
            and len(word) - len(ending) >= least
            and (ending == "ness" or not word.endswith("ss"))
        ):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    return f"{word[:-1]}i" if len(word) > 3 and word[-1] == "y" else word


@lru_cache(maxsize=16_384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words, without articles and pronouns before the last word."""
    *words, last = _WORD.findall(text.casefold()) or [""]
    return frozenset(stem(w) for w in words if w not in _SMALL) | {stem(last)}


#: Letters that sound alike, and the one that stands for them; so does a letter for two of it.
_ALIKE = (("c(?=[eiy])|z", "s"), ("ck|c|q", "k"), ("ph", "f"), ("y", "i"), (r"(.)\1+", r"\1"))


@lru_cache(maxsize=65_536)
def _sound(word: str) -> str:
    """A word by what it sounds like, the letters between the first and the last in order."""
    for pattern, one in _ALIKE:
        word = re.sub(pattern, one, word.casefold())
    return word[:1] + "".join(sorted(word[1:-1])) + word[-1:]


def mended(text: str, options: Sequence[str]) -> str:
    """Return a text in which misspelt words of options ("pensil", "bycicle") are as they should be:
    those of six letters, or a lone one of five, that sound alike or have the same letters."""
    least = 6 if " " in text.strip() else 5
    own = {word for option in options for word in _WORD.findall(option) if len(word) >= least}
    meant = {_sound(word): word for word in own}
    known = {word.casefold() for word in own}
    for word in {*_WORD.findall(text)} if len(meant) == len(own) > 0 else ():
        if len(word) >= least and word.casefold() not in known and _sound(word) in meant:
            text = re.sub(rf"\b{word}\b", meant[_sound(word)], text)
    return text


def digits(text: str) -> str:
    """Return a text with the words zero to twelve in digits."""
    return _NUMBER.sub(lambda match: NUMBERS[match.group().casefold()], text)


@lru_cache(maxsize=65_536)
def numeral(label: str) -> bool:
    """Return whether a label is a number and nothing else."""
    return digits(label).strip().isdecimal()
