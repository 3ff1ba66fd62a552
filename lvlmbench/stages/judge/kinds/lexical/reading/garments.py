"""What people wear, each garment bound to the one who wears it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_HEAD = frozenset(
    {"head", "neck", "face", "foot", "hand", "shoulder", "wrist", "back", "body", "waist"}
)
_WORN_IN = frozenset({"in", "with"})


def dress(sight: Sight) -> dict[int, list[Thing]]:
    """Return who wears what: the wearers of each garment, by the garment's head word.

    A garment that somebody wears is no object; its role becomes ``clothes``.
    """
    worn: dict[int, list[Thing]] = {}
    for thing in sight.things.all:
        if thing.role in ("person", *SETTING) or thing.same is not None:
            continue
        wearers = _wearers(sight, thing)
        if wearers:
            thing.role = "clothes"
            thing.wearer = wearers[0]
            worn[thing.head.i] = wearers
    return worn


def _wearers(sight: Sight, thing: Thing) -> list[Thing]:
    top = thing.head
    while True:
        found = _by_verb(sight, top, thing) or _by_phrase(sight, top, thing)
        if found or top.dep not in ("conj", "appos") or not top.head.noun:
            return found
        above = sight.things.by_token.get(top.head.i)
        if above is not None and above.role == "person":
            return []
        if thing.role != "clothes" and (above is None or above.role != "clothes"):
            return _by_verb(sight, top.head, thing)
        top = top.head


def _people(found: list[Thing]) -> list[Thing]:
    return [each for each in found if each.role in ("person", "animal")]


def _by_verb(sight: Sight, top: Token, thing: Thing) -> list[Thing]:
    """Who wears it by a verb: "wears a hat", "has a hat", "a hat is worn by"."""
    verb, lists = top.head, sight.text.lexicon.lists
    if top.dep == "dobj" and verb.lemma in lists["clothes.wear_verbs"]:
        return _people(sight.frames.subjects(verb)) or _people(sight.frames.governors(verb))
    if top.dep == "dobj" and verb.lemma == "have" and thing.role == "clothes":
        return _people(sight.frames.subjects(verb))
    if top.dep == "pobj" and verb.dep == "prep" and verb.head.lemma in lists["clothes.dressed"]:
        return _people(sight.frames.subjects(verb.head)) or _people(
            sight.frames.governors(verb.head)
        )
    if top.dep == "nsubjpass" and verb.lemma == "wear":
        for agent in verb.children("agent"):
            for token in agent.children("pobj"):
                return _people(sight.mentions.resolve_all(token))
    return []


def _by_phrase(sight: Sight, top: Token, thing: Thing) -> list[Thing]:
    """Who wears it by a phrase: "in a hat", "with a hat", "his hat", "a hat on his head"."""
    if thing.role != "clothes":
        return []
    for each in top.below:
        if each.dep == "poss":
            return _people(sight.mentions.resolve(each))
    if top.dep == "pobj" and top.head.low in _WORN_IN:
        return _people(sight.frames.governors(top.head))
    for prep in top.children("prep"):
        for part in prep.children("pobj"):
            owner = part.children("poss")
            if prep.low in ("on", "around") and part.lemma in _HEAD and owner:
                return _people(sight.mentions.resolve(owner[0]))
    return []
