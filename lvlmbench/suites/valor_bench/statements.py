"""Annotated relations: "the cup is on the table", "(cup, on, table)", "a bird at the top left"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lvlmbench.scene.truth.lexicon import lists
from lvlmbench.suites.valor_bench.words import lemma, tokens, verbs

#: Words for the picture itself.
_PICTURE = frozenset(
    ("image", "picture", "photo", "photograph", "frame", "scene", "view", "shot", "photography")
)
#: Words around places and nouns that name nothing.
_LITTLE = frozenset(
    ("the", "a", "an", "of", "in", "at", "on", "to", "and", "is", "are", "its", "this", "some",
     "very", "whole", "entire", "there")
)  # fmt: skip
#: Verbs before a phrase of place that say no more than that something is there.
_BEING = frozenset(
    ("be", "is", "are", "being", "stand", "sit", "lie", "lay", "place", "locate", "situate", "put",
     "position", "hang", "rest", "set", "park", "perch", "mount", "find", "see", "show", "lean")
)  # fmt: skip
#: Verbs of a sentence of its own: a noun that holds one was not where we took it to be.
_FINITE = frozenset(("is", "are", "was", "were", "be", "has", "have", "had", "does", "do"))
#: Words that deny.
_DENIED = frozenset(("not", "no", "never", "nor", "neither", "cannot", "isn", "aren", "hardly"))
#: Words that a place begins with.
_LEADS = frozenset(("at", "in", "on", "to", "toward", "towards", "near"))
#: Relations whose other thing is a side of the picture -> that side.
_SIDES = {"left_of": "left", "right_of": "right"}
#: Parts of a place, in the order in which they are said.
_ORDER = ("top", "bottom", "left", "right", "center", "foreground", "background")
_LONGEST = 8


@dataclass(frozen=True)
class Stated:
    """What a statement says.

    Attributes
    ----------
    subject
        A lemma.
    relation
        Canonical; ``at`` for a part of the picture; None where no relation that is known was found.
    object
        The other thing; of a place, which: ``top left``.
    """

    subject: str
    relation: str | None
    object: str = ""


@cache
def _phrases() -> Mapping[tuple[str, ...], str]:
    held = lists("relations")["phrases"]
    return {tuple(str(p).split()): str(name) for name, each in held.items() for p in each}


@cache
def _places() -> Mapping[str, str]:
    held = lists("relations")["places"]
    return {str(w): str(name) for name, each in held.items() for w in each if " " not in str(w)}


def read(text: str) -> Stated:
    """Return what an annotated relation says, in whatever of its forms it is written."""
    words = tokens(text)
    unread = Stated(_noun(words) or text.strip().lower(), None)
    if any(word in _DENIED or word.endswith("n't") for word in words):
        return unread
    parts = [part.strip() for part in text.strip().strip("()[]").split(",")]
    if len(parts) == 3 and all(parts):
        return _triple(*parts)
    for at in range(1, len(words)):
        place = _place(words[at:]) if words[at] in _LEADS else ""
        if place:
            return Stated(_noun(words[:at]), "at", place)
        found = _longest(words, at)
        if found is not None:
            before, phrase, after = words[:at], words[at : at + found[0]], words[at + found[0] :]
            clear = _clear(before, after)
            return _stated(before, found[1], phrase, after) if clear else unread
        relation = _said(words[at])
        if relation is not None and at + 1 < len(words):
            before, after = words[:at], words[at + 1 :]
            clear = _clear(before, after)
            return Stated(_noun(before), relation, _noun(after)) if clear else unread
    return unread


def _clear(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether what stands around a relation is a noun each: no sentence, and no place in the
    picture before another relation ("on the left next to the dog")."""
    if _FINITE.intersection(_bare(before).split()) or _FINITE.intersection(_bare(after).split()):
        return False
    held = [at for at, word in enumerate(after) if word not in _LITTLE]
    if not held or after[held[0]] not in _places():
        return True
    return all(_longest(after, at) is None for at in range(held[0] + 1, len(after)))


def _triple(subject: str, relation: str, other: str) -> Stated:
    words = tokens(relation)
    for at in range(len(words)):
        found = _longest(words, at)
        if found is not None:
            return _stated(tokens(subject), found[1], words[at:], tokens(other))
        said = _said(words[at])
        if said is not None:
            return Stated(lemma(subject), said, lemma(other))
    place = _place([*words, *tokens(other)])
    if place:
        return Stated(lemma(subject), "at", place)
    return Stated(lemma(subject), None, " ".join([*words, lemma(other)]))


def _longest(words: Sequence[str], at: int) -> tuple[int, str] | None:
    """How many words from here on are a phrase, and its relation."""
    for n in range(min(_LONGEST, len(words) - at), 0, -1):
        relation = _phrases().get(tuple(words[at : at + n]))
        if relation is not None:
            return n, relation
    return None


def _said(word: str) -> str | None:
    """The relation that a verb says: "holds"."""
    held = lists("relations")["verbs"]
    return next((held[v] for v in verbs(word) if held.get(v) in ("holds", "next_to")), None)


def _stated(
    before: Sequence[str], relation: str, phrase: Sequence[str], after: Sequence[str]
) -> Stated:
    place = _place([*phrase, *after])
    if place:
        return Stated(_noun(before), "at", place)
    if any(word in _PICTURE for word in after):
        place = _SIDES.get(relation, "")
        return Stated(_noun(before), "at" if place else None, place)
    return Stated(_noun(before), relation, _noun(after))


def _place(words: Sequence[str]) -> str:
    """The part of the picture that words name, and nothing beside it; empty where they do not."""
    parts = {str(each) for each in lists("relations")["parts"]}
    known = _places()
    held = [word for word in words if word not in _LITTLE]
    found = {known[word] for word in held if word in known}
    named = [word for word in held if word not in known and word not in parts]
    whole = all(word in _PICTURE for word in named)
    if not found or not whole or (not named and _thing_of(words)):
        return ""
    if len(found) > 1:
        found.discard("center")
    return " ".join(part for part in _ORDER if part in found)


def _thing_of(words: Sequence[str]) -> bool:
    """Whether words end in "of", so that what follows is missing and not the picture."""
    return bool(words) and words[-1] == "of"


def _noun(words: Sequence[str]) -> str:
    """The noun that words end in or begin with, without articles and verbs of being."""
    return lemma(_bare(words))


def _bare(words: Sequence[str]) -> str:
    """Words without those at their ends that name nothing, and without what is said of them."""
    held = list(words)
    numbers = lists("lemmas")["numbers"]
    while held and (held[0] in _LITTLE or held[0] in numbers):
        held.pop(0)
    while held and (held[-1] in _LITTLE or _BEING.intersection(verbs(held[-1]))):
        held.pop()
    return re.sub(r" (?:that|which|who) .*$", "", " ".join(held))
