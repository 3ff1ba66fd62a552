"""Who holds what, and what holds and is full of what."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.related import draft
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing


def held(sight: Sight) -> Iterator[Draft]:
    """Yield who holds what: "holding an umbrella", "with an umbrella in her hand"."""
    for verb in sight.text.tokens:
        relation = sight.text.lexicon.maps["relations.verbs"].get(verb.lemma)
        if relation is None or not verb.verb or relation in ("None", "under_on"):
            continue
        objects = [t for each in verb.children("dobj") for t in sight.mentions.resolve_all(each)]
        subjects = sight.frames.subjects(verb)
        if verb.children("auxpass") or (verb.tag == "VBN" and not objects):
            agents = [p for by in verb.children("agent") for p in by.children("pobj")]
            objects, subjects = (
                subjects,
                [t for p in agents for t in sight.mentions.resolve_all(p)],
            )
        denied, doubted = sight.certainty.verb(verb)
        for one in subjects:
            for other in objects:
                if one is other or one.role in SETTING or other.role in SETTING:
                    continue
                if relation == "contains" or (relation == "holds" and not one.alive):
                    yield draft(other, "inside", one, verb, other.last, denied, doubted)
                    continue
                yield draft(one, relation, other, verb, other.last, denied, doubted)
    yield from _in_hand(sight)


def filled(sight: Sight) -> Iterator[Draft]:
    """Yield what is in or on what is full of it: "a basket filled with tulips"."""
    words = sight.text.lexicon.maps["relations.filled"]
    for token in sight.text.tokens:
        relation = words.get(token.low)
        if relation is None:
            continue
        objects = [
            thing
            for prep in token.children("prep")
            if prep.low in ("with", "of")
            for pobj in prep.children("pobj")
            for thing in sight.mentions.resolve_all(pobj)
        ]
        if not objects:
            continue
        for one in _bearers(sight, token):
            top = one.head.lemma in sight.text.lexicon.maps["relations.titles"]
            for other in objects:
                if one is not other and one.role not in SETTING:
                    yield draft(
                        other, "on" if top and one.head.lemma != "shelf" else relation, one,
                        token, other.last, False, False,
                    )  # fmt: skip


def _bearers(sight: Sight, token: Token) -> list[Thing]:
    """What a participle or an adjective is said of."""
    if token.dep in ("acl", "amod", "appos", "relcl") and token.head.noun:
        return sight.mentions.resolve(token.head)
    return sight.frames.governors(token) or sight.frames.subjects(token)


def _in_hand(sight: Sight) -> Iterator[Draft]:
    for thing in sight.things.all:
        if thing.head.lemma not in ("hand", "arm", "paw") or thing.head.dep != "pobj":
            continue
        owner = thing.head.children("poss")
        if thing.head.head.low != "in" or not owner:
            continue
        thing.silent = True
        holders = sight.mentions.resolve(owner[0])
        held = [t for t in sight.frames.governors(thing.head.head) if t.role != "person"]
        for one in holders:
            for other in held:
                if one.alive and one is not other:
                    yield draft(one, "holds", other, other.first, thing.last, False, False)
