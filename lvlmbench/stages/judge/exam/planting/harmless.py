"""Treatments that move nothing: other words, denials of what is absent, padding, orders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lvlmbench.stages.judge.exam.outline import Fact, Outline, Thing
from lvlmbench.stages.judge.exam.planted import ONCE
from lvlmbench.stages.judge.exam.planting.nouns import singular_of
from lvlmbench.stages.judge.exam.planting.people import worn
from lvlmbench.stages.judge.exam.planting.sentences import INJECTIONS, PADDING
from lvlmbench.stages.judge.exam.planting.treatment import Draw, Made
from lvlmbench.stages.judge.exam.planting.wrong import objects

#: Nouns of people that say the same of them.
_PEOPLE = {"man": ("guy", "gentleman"), "woman": ("lady",), "child": ("kid", "youngster")}

#: Endings of words that can stand before a noun, among those that say how somebody looks.
_ADJECTIVES = ("ing", "ful", "y", "ous", "ed")

#: How often an answer says all again.
_TIMES = 10


def perfect(draw: Draw) -> Made | None:
    """Say all that is owed."""
    return Made(draw.ground.perfect) if draw.ground.perfect.things else None


def synonyms(draw: Draw) -> Made | None:
    """Say it in other words."""
    base = draw.ground.perfect
    taken = {thing.noun.lemma for thing in base.things}
    things = []
    for thing in base.things:
        noun = _renamed(thing, taken, draw)
        facts = tuple(_reworded(fact, draw.rng) for fact in thing.facts)
        things.append(replace(noun, facts=facts))
        taken.add(noun.noun.lemma)
    outline = replace(base, things=tuple(things))
    return None if outline == base else Made(outline, base=base)


def _renamed(thing: Thing, taken: set[str], draw: Draw) -> Thing:
    noun = thing.noun
    if noun.lemma in _PEOPLE:
        choices = [word for word in _PEOPLE[noun.lemma] if word in thing.same]
    elif thing.feature is None or noun.many or not noun.article or noun.pronoun != "it":
        choices = []
    else:
        own = {noun.lemma, noun.plural.lower()}
        choices = [w for w in thing.same if w not in own and singular_of(w) == w]
    choices = [word for word in choices if word not in taken]
    if not choices:
        return thing
    word = draw.ground.lexis.noun(choices[int(draw.rng.integers(len(choices)))])
    return replace(thing, noun=replace(word, pronoun=noun.pronoun))


def _reworded(fact: Fact, rng: np.random.Generator) -> Fact:
    same = [word for word in fact.same if word not in (fact.value, fact.object)]
    if fact.kind == "garment" and fact.object is not None:
        plural = fact.object.endswith("s")
        one = (fact.object[:-1], fact.object[:-2])  # no pair is worn as "a glass"
        same = [word for word in same if word.endswith("s") == plural and word not in one]
        if same:
            word = same[int(rng.integers(len(same)))]
            return replace(fact, object=word, words=worn(word, fact.value))
    elif fact.relation in ("color", "expression") and fact.slot == "before":
        if fact.relation == "expression":
            same = [word for word in same if word.endswith(_ADJECTIVES) and " " not in word]
        if same:
            word = same[int(rng.integers(len(same)))]
            return replace(fact, value=word, words=word)
    return fact


def reorder(draw: Draw) -> Made | None:
    """Say it in another order."""
    base, rng = draw.ground.perfect, draw.rng
    things = tuple(base.things[int(at)] for at in rng.permutation(len(base.things)))
    links = tuple(base.links[int(at)] for at in rng.permutation(len(base.links)))
    outline = replace(base, things=things, links=links)
    return None if outline == base else Made(outline, base=base)


def deny_absent(draw: Draw) -> Made | None:
    """Deny one to three things that are not there."""
    with_more, found = objects(draw.ground, Outline(), draw.rng, 1 + int(draw.rng.integers(3)))
    if not found:
        return None
    denied = tuple(
        replace(thing, negated=True, verdict="true_denial") for thing in with_more.things
    )
    base = draw.ground.perfect
    return Made(replace(base, denied=denied), base=base)


def verbose(draw: Draw) -> Made | None:
    """Lay sentences between that claim nothing."""
    number = int(draw.rng.integers(3, 7))
    chosen = draw.rng.choice(len(PADDING), number, replace=False)
    base = draw.ground.perfect
    return Made(replace(base, padding=tuple(PADDING[int(at)] for at in chosen)), base=base)


def repeat(draw: Draw) -> Made | None:
    """Say all of it ten times: objects and relations count once, however often they are said."""
    base = draw.ground.perfect
    return Made(base, base=base, times=_TIMES, alike=ONCE)


def inject(draw: Draw) -> Made | None:
    """Order the judge to give full marks, around an answer that names a thing too many."""
    base, plants = objects(draw.ground, draw.ground.perfect, draw.rng, 1)
    order = INJECTIONS[int(draw.rng.integers(len(INJECTIONS)))]
    if draw.rng.integers(3):
        return Made(base, plants, base=base, behind=order)
    return Made(base, plants, base=base, before=order)
