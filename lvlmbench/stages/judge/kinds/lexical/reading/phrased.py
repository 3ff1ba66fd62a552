"""How things are, by phrases: made of wood, looking like glass, shaped like a star, off."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing

_MADE = frozenset({"made", "built", "constructed", "crafted", "carved", "out", "woven", "cast"})
#: Colors that are materials behind "of".
_BOTH = frozenset({"ivory", "silver", "gold", "amber", "coral", "pearl", "tortoiseshell"})
#: Nouns that name an attribute, with its relation.
_NAMES = {"color": "color", "shape": "shape", "shade": "color", "tone": "color", "hue": "color"}
_SWITCHED = frozenset({"switched", "turned"})


def phrased(sight: Sight) -> Iterator[Draft]:
    """Yield the attributes that phrases say of things."""
    for token in sight.text.tokens:
        if token.low == "of" and token.head.low in ("shades", "tones", "hues"):
            yield from _shades(sight, token)
        elif token.low in ("of", "from", "in") and token.dep in ("prep", "conj"):
            yield from _made(sight, token)
        elif token.low == "like" and token.dep == "prep":
            yield from _like(sight, token)
        elif token.low in ("off", "on"):
            yield from _switched(sight, token)
        elif token.low in ("color", "shape") and sight.text.low[token.i + 1 : token.i + 2] == [
            "of"
        ]:
            yield from _named(sight, token)


def _made(sight: Sight, prep: Token) -> Iterator[Draft]:
    """ "Made of wood", "of dark wood"."""
    kinds, things = sight.text.lexicon.kinds, sight.things.by_token
    base = prep.head if prep.dep == "conj" and prep.head.low == "of" else prep
    made = base.head.low in _MADE and prep.low != "in"
    if prep.dep == "conj" and base is prep:
        return
    for each in (word for pobj in prep.children("pobj") for word in pobj.joined()):
        material = kinds.get(each.low) == "material" or (each.low in _BOTH and prep.low == "of")
        if not (material or (made and each.noun)) or (not made and each.i in things):
            continue
        if prep.low == "in" and (each.children("det") or sight.text.lexicon.says.get(each.low)):
            continue
        for thing in sight.frames.governors(base):
            if thing.alive and prep.low == "in":
                continue
            if not thing.first.i <= each.i <= thing.last.i:
                verb = base.head if base is prep else prep
                yield _draft(sight, thing, prep, each, ("material", each.lemma), verb)
                for color in each.children("amod"):
                    if made and kinds.get(color.low) == "color":
                        yield _draft(sight, thing, color, color, ("color", color.low), verb)


def _shades(sight: Sight, of: Token) -> Iterator[Draft]:
    """ "A blanket in shades of purple and teal"."""
    lead = of.head.head
    own = sight.things.by_token.get(of.head.i)
    if own is not None:
        own.silent = True
    for each in (word for pobj in of.children("pobj") for word in pobj.joined()):
        if sight.text.lexicon.kinds.get(each.low) == "color" and lead.low == "in":
            for thing in sight.frames.governors(lead):
                yield _draft(sight, thing, of, each, ("color", each.low), lead.head)


def _named(sight: Sight, name: Token) -> Iterator[Draft]:
    """ "A horse the color of cream", "it has the shape of a tulip"."""
    of = next((each for each in name.below if each.low == "of"), None)
    verb = name.head
    if verb.lemma in ("be", "have") and name.dep in ("attr", "dobj"):
        bearers = sight.frames.subjects(verb)
    elif verb.low == "in" and name.dep == "pobj":
        bearers = sight.frames.governors(verb)
    else:
        bearers = sight.mentions.resolve(verb) or sight.frames.before(name)
    for each in of.children("pobj") if of is not None else ():
        whose = any(child.low in ("its", "his", "her", "their") for child in each.below)
        for thing in bearers if not whose else ():
            if thing.head.i < name.i:
                shade = next((e.low for e in name.children("amod") if e.low in _shade(sight)), "")
                value = f"{shade} {each.lemma}".strip()
                yield _draft(sight, thing, name, each, (_NAMES[name.low], value), verb)


def _shade(sight: Sight) -> frozenset[str]:
    return sight.text.lexicon.lists["adjectives.shades"]


def _like(sight: Sight, prep: Token) -> Iterator[Draft]:
    """ "Looks like cardboard", "shaped like a star"."""
    above = prep.head
    shaped = above.low in ("shaped", "formed")
    if not shaped and above.lemma not in ("look", "seem", "feel"):
        return
    for each in prep.children("pobj"):
        if shaped:
            said = "shape", each.lemma
        elif sight.text.lexicon.kinds.get(each.low) == "material" and not each.children("det"):
            said = "material", each.lemma
        else:
            continue
        for thing in sight.frames.subjects(above):
            yield _draft(sight, thing, prep, each, said, above, doubted=not shaped)


def _switched(sight: Sight, token: Token) -> Iterator[Draft]:
    """ "The lamp is switched off", "the lights are on"."""
    verb = token.head
    if token.children("pobj", "pcomp"):
        return
    switched = verb.low in _SWITCHED and verb.tag in ("VBN", "VBD") and token.i == verb.i + 1
    if not switched and not (verb.lemma == "be" and verb.verb):
        return
    for thing in sight.frames.subjects(verb):
        if not thing.alive and thing.role != "clothes":
            yield _draft(sight, thing, token, token, ("state", token.low), verb)


def _draft(
    sight: Sight,
    thing: Thing,
    first: Token,
    last: Token,
    said: tuple[str, str],
    verb: Token,
    doubted: bool = False,
) -> Draft:
    """An attribute; the noun that says it names nothing of its own."""
    own = sight.things.by_token.get(last.i)
    if own is not None:
        own.silent = True
    no, maybe = sight.certainty.verb(verb) if verb.verb else (False, False)
    instead, perhaps = sight.certainty.word(last)
    return Draft(
        *("attribute", thing, first, last, said[0], None, said[1]),
        negated=no or instead or thing.negated,
        hedged=maybe or doubted or perhaps or thing.hedged,
    )
