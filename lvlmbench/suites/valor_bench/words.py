"""Words of annotation as claims have them: lemmas, what attributes are of, what verbs say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from lvlmbench.scene.truth.lexicon import lists
from lvlmbench.scene.truth.names import bare, distinct

#: Lists of adjectives by what they are of; the first that holds a word counts.
_KINDS = ("color", "material", "pattern", "shape", "size", "other", "state", "hair", "beard")
_TWO = re.compile(r"([bdgmnprt])\1$")
_WORDS = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, in our spelling."""
    spelling = lists("lemmas")["spelling"]
    return [spelling.get(word, word) for word in _WORDS.findall(text.lower())]


def lemma(noun: str) -> str:
    """Return a noun or a few words that end in one: singular, no article, lower case."""
    words = bare(" ".join(tokens(noun.replace("_", " ")))).split()
    return " ".join([*words[:-1], _singular(words[-1])]) if words else ""


def _singular(word: str) -> str:
    known: str | None = lists("lemmas")["nouns"].get(word)
    if known is not None:
        return known
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3
    return word[:-1] if plural else word


def forms(*names: str) -> tuple[str, ...]:
    """Return what names a thing: each name's lemma, and the name as it is written."""
    plain = (bare(" ".join(tokens(each))) for each in names)
    return distinct(*map(lemma, names), *plain)


@cache
def _kinds() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in _KINDS:
        for word in lists("adjectives")[name]:
            found.setdefault(str(word), name)
    for word in lists("people")["expressions"]:
        found.setdefault(str(word), "expression")
    return found


def colored(words: Iterable[str]) -> bool:
    """Return whether words are a color and its shade: "red", "light blue"."""
    shade, known = {str(each) for each in lists("adjectives")["shades"]}, _kinds()
    found = [each for word in words for each in word.split("-")]
    return bool(found) and known.get(found[-1]) == "color" and all(
        each in shade or known.get(each) == "color" for each in found
    )  # fmt: skip


def attribute_of(value: str) -> str:
    """Return what an attribute is of, one of the relations of docs/claims.md."""
    words, known = tokens(value), _kinds()
    if colored(words):
        return "color"
    phrase = " ".join(words)
    return next((known[each] for each in (phrase, *reversed(words)) if each in known), "other")


def values_of(value: str) -> tuple[str, ...]:
    """Return an attribute and, where it joins several ("black and white"), each of them."""
    whole = " ".join(tokens(value))
    parts = re.split(r"\s*(?:/|,|&|\band\b|\bor\b)\s*", value.lower())
    return distinct(whole, *(" ".join(tokens(part)) for part in parts))


@cache
def _verbs() -> frozenset[str]:
    """Verbs that are known in their plain form."""
    lemmas = lists("lemmas")
    held = (*lemmas["told"].values(), *lemmas["verbs"].values(), *lists("relations")["verbs"])
    return frozenset(map(str, held))


def verbs(word: str) -> tuple[str, ...]:
    """Return what plain form a verb may have, the likeliest first: "riding", "rides" -> "ride"."""
    lemmas = lists("lemmas")
    irregular = lemmas["verbs"].get(word) or lemmas["told"].get(word)
    if irregular:
        return (str(irregular),)
    for end in ("ing", "ed", "es", "s"):
        stem = word.removesuffix(end)
        if stem != word and len(stem) > 1:
            found = distinct(_TWO.sub(r"\1", stem), f"{stem}e", stem, stem + "s" * (end == "es"))
            likely = sorted(found, key=lambda each: each not in _verbs())
            return tuple(likely)
    return (word,)
