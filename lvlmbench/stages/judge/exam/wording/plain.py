"""Plain sentences, one thing after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvlmbench.stages.judge.exam.outline import Fact, Outline, Thing
from lvlmbench.stages.judge.exam.wording.page import Page
from lvlmbench.stages.judge.exam.wording.phrases import (
    Names,
    behind,
    fact,
    introduced,
    pick,
    place,
    setting,
)
from lvlmbench.stages.judge.exam.wording.ranks import ranked
from lvlmbench.stages.judge.exam.wording.words import Words, sentence


def plain(outline: Outline, rng: np.random.Generator) -> Page:
    """Return an outline as plain sentences."""
    return Page(tuple(sentence(each) for each in _sentences(outline, rng)))


def _sentences(outline: Outline, rng: np.random.Generator) -> Iterator[Words]:
    names = Names(outline)
    style = setting(outline, "style")
    if style is not None:
        yield pick(rng, ("this is ", "the picture is ", "the image is ")) + style
    for thing in outline.things:
        verb = "are" if thing.many else "is"
        start = (f"there {verb} ", f"there {verb} ", "I can see ", "the picture shows ")
        yield pick(rng, start) + names.first(thing)
        yield from _more(thing, names, rng)
    for link in outline.links:
        one = f"{names.known(link.one)} {names.verb(link.one)} "
        if link.relation == "holds":
            yield one + Words(f"holding {names.known(link.other)}").said(link)
        else:
            yield one + names.stands(link, rng)
    yield from ranked(outline, names, rng)
    yield from _setting(outline, rng)
    for thing in outline.denied:
        yield denial(thing, rng)


def _more(thing: Thing, names: Names, rng: np.random.Generator) -> Iterator[Words]:
    """What is said of a thing in sentences of their own: of the noun, then of the pronoun."""
    known, short = names.known(thing.key), names.pronoun(thing.key)
    many = thing.many or short == "they"
    told = list(_told(thing, rng))
    for at, (verb, verbs, rest) in enumerate(told):
        if at % 2:
            yield f"{short} {verbs if many else verb} " + rest
        else:
            yield f"{known} {verbs if thing.many else verb} " + rest


def _told(thing: Thing, rng: np.random.Generator) -> Iterator[tuple[str, str, Words]]:
    """What is said of a thing, behind its verb for one and for many."""
    if thing.by("with"):
        yield "has", "have", behind(thing, "with")
    if thing.by("wearing"):
        worn = pick(rng, ("wearing ", "dressed in ")) + behind(thing, "wearing")
        yield "is", "are", worn
    for each in thing.by("doing"):
        yield "is", "are", fact(thing, each)
    for each in thing.by("written"):
        verb = pick(rng, ("say", "read"))
        yield f"{verb}s", verb, fact(thing, each)
    for each in thing.by("apart"):
        if each.kind == "place":
            yield "is", "are", at(thing, each, rng)


def at(thing: Thing, said: Fact, rng: np.random.Generator) -> Words:
    """Return where a thing is said to be."""
    return Words(place(rng, said.value or "")).said((thing, said))


def _setting(outline: Outline, rng: np.random.Generator) -> Iterator[Words]:
    background = setting(outline, "background")
    if background is not None:
        yield pick(rng, ("the background is ", "the setting is ")) + background
    for relation in ("weather", "light"):
        found = setting(outline, relation)
        if found is not None:
            yield found


def denial(thing: Thing, rng: np.random.Generator) -> Words:
    """Return a sentence that says that a thing is not there."""
    verb = "are" if thing.noun.many else "is"
    if rng.integers(2):
        return Words(f"there {verb} no {thing.noun.word}").said(thing)
    return Words(f"the picture does not show {introduced(thing).text}").said(thing)
