"""What people wear, each garment bound to the one who wears it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sight
from lvlmbench.stages.judge.kinds.lexical.reading.listing import LISTED
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE

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
        owner = sight.mentions.owners.get(thing.head.i)
        wearers = _people(sight.mentions.owner(owner)) if owner is not None else []
        wearers = wearers or _wearers(sight, thing) or _beside(sight, thing, worn)
        wearers = wearers or _under(sight, thing, worn) or _fragment(sight, thing)
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


def _beside(sight: Sight, thing: Thing, worn: dict[int, list[Thing]]) -> list[Thing]:
    """Who wears what is named right before, with nothing but "and" between."""
    if thing.role != "clothes":
        return []
    at = thing.first.i - 1
    tokens = sight.text.tokens
    if at > 0 and tokens[at - 1].low in ("latter", "other", "former"):
        return _people(sight.mentions.resolve(tokens[at - 1]))
    while at >= 0 and (
        tokens[at].tag in ("DT", "JJ", "CD", "NN", "VBN", "PRP$")
        and at not in sight.things.by_token
    ):
        at -= 1
    linked = False
    while at >= 0 and tokens[at].low in (",", "and"):
        at, linked = at - 1, True
    before = sight.things.by_token.get(at) if linked else None
    return worn.get(before.head.i, []) if before is not None else []


def _under(sight: Sight, thing: Thing, worn: dict[int, list[Thing]]) -> list[Thing]:
    """Who wears what another garment is worn over: "an apron over dungarees"."""
    over = thing.head.head
    if thing.role != "clothes" or thing.head.dep != "pobj" or over.low not in ("over", "under"):
        return []
    before = sight.things.by_token.get(over.i - 1)
    return worn.get(before.head.i, []) if before is not None else []


def _fragment(sight: Sight, thing: Thing) -> list[Thing]:
    """Whose garment it is in words without a verb: "Her granny. Purple hat, spectacles."."""
    if thing.role != "clothes" or thing.determiner not in ("", "a", "an", "no"):
        return []
    if any(each.tag in FINITE for each in sight.text.sentence(thing.head)):
        inside = _bracketed(sight, thing)
        return inside
    if thing.head.dep == "pobj":
        return []
    for each in reversed(sight.things.all):
        if each.last.i < thing.first.i and each.role not in ("clothes", *SETTING):
            lemma = each.head.lemma
            if sight.text.has("people.body", lemma) or sight.text.has("people.hairstyles", lemma):
                continue
            if each.role != "person" and each.head.dep == "pobj":
                continue  # "woman in a doorway, no coat"
            if thing.first.sentence - each.first.sentence > 1 or each.role != "person":
                return []
            return [each.root]
    return []


def _bracketed(sight: Sight, thing: Thing) -> list[Thing]:
    """Whose garment it is in brackets: "a man (black hat)"."""
    for each in reversed(sight.text.tokens[max(0, thing.first.i - 12) : thing.first.i]):
        if each.low in (")", "."):
            return []
        if each.low == "(":
            before = sight.things.by_token.get(each.i - 1)
            return _people([before.root]) if before is not None else []
    return []


def _people(found: list[Thing]) -> list[Thing]:
    return [each for each in found if each.role in ("person", "animal")]


def _by_verb(sight: Sight, top: Token, thing: Thing) -> list[Thing]:
    """Who wears it by a verb: "wears a hat", "has a hat", "a hat is worn by"."""
    verb, lists = top.head, sight.text.lexicon.lists
    if top.dep == "dobj" and verb.lemma in lists["clothes.wear_verbs"]:
        return _people(sight.frames.subjects(verb)) or _people(sight.frames.governors(verb))
    if thing.role == "clothes" and (puts := _puts_on(top)) is not None:
        return _people(sight.frames.subjects(puts))
    got = verb.lemma == "get" and any(each.lemma == "have" for each in verb.children("aux"))
    if top.dep == "dobj" and (got or verb.lemma == "have") and thing.role == "clothes":
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


def _puts_on(top: Token) -> Token | None:
    """The verb of "has put on a hat", "has a hat on", "has on a hat"."""
    verb = top.head
    loose = (*verb.children("prt", "prep"), *top.children("prt"))
    on = any(each.low == "on" and not each.children("pobj") for each in loose)
    if top.dep == "dobj" and on and verb.lemma in ("put", "have", "get"):
        return verb
    if top.dep == "pobj" and verb.low == "on" and verb.head.lemma in ("have", "put", "get"):
        before = [each for each in verb.head.children("dobj") if each.i < top.i]
        return None if before else verb.head
    return None


def _by_phrase(sight: Sight, top: Token, thing: Thing) -> list[Thing]:
    """Who wears it by a phrase: "in a hat", "with a hat", "his hat", "a hat on his head"."""
    if thing.role != "clothes":
        return []
    for each in top.below:
        if each.dep == "poss":
            return _people(sight.mentions.resolve(each))
    if top.dep == LISTED:
        return _people(sight.mentions.resolve(top.head))
    if top.dep == "pobj" and top.head.low in _WORN_IN:
        return _people(sight.frames.governors(top.head))
    for prep in top.children("prep"):
        for part in prep.children("pobj"):
            owner = part.children("poss")
            if prep.low in ("on", "around") and part.lemma in _HEAD and owner:
                return _people(sight.mentions.resolve(owner[0]))
    return []
