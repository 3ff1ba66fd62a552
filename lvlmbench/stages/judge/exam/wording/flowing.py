"""One paragraph that flows: enumerations, relative clauses, participles, pronouns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from lvlmbench.stages.judge.exam.outline import Link, Outline, Thing
from lvlmbench.stages.judge.exam.wording.page import Page
from lvlmbench.stages.judge.exam.wording.phrases import Names, behind, fact, pick, setting, this
from lvlmbench.stages.judge.exam.wording.plain import at
from lvlmbench.stages.judge.exam.wording.ranks import ranked
from lvlmbench.stages.judge.exam.wording.words import Words, joined, listed, sentence

#: Things that are named in one sentence.
_A_SENTENCE = 4


def flowing(outline: Outline, rng: np.random.Generator) -> Page:
    """Return an outline as one paragraph."""
    return Page(tuple(sentence(each) for each in _sentences(outline, rng)))


def _sentences(outline: Outline, rng: np.random.Generator) -> Iterator[Words]:
    names = Names(outline)
    people = [thing for thing in outline.things if _told(thing)]
    others = [thing for thing in outline.things if not _told(thing)]
    style, background = setting(outline, "style"), setting(outline, "background")
    opening = Words("in this picture, ") if style is None else "in " + this(style) + ", "
    for start in range(0, len(others), _A_SENTENCE):
        shown = listed([_with_clause(each, names) for each in others[start : start + _A_SENTENCE]])
        lead = opening if start == 0 else Words(pick(rng, ("further on, ", "besides, ")))
        yield lead + "one sees " + shown
    for number, thing in enumerate(people):
        lead = opening if number == 0 and not others else Words()
        yield from _person(thing, outline, names, lead, rng)
    for thing in outline.things:
        for each in thing.by("apart"):
            if each.kind == "place":
                yield f"{names.known(thing.key)} can be found " + at(thing, each, rng)
    yield from _links(outline, names, rng)
    yield from ranked(outline, names, rng)
    if background is not None:
        yield pick(rng, ("all of this is set against ", "the backdrop is ")) + background
    for relation in ("weather", "light"):
        found = setting(outline, relation)
        if found is not None:
            yield found
    for thing in outline.denied:
        yield _denial(thing, rng)


def _told(thing: Thing) -> bool:
    """Whether a thing has sentences of its own."""
    return bool(thing.by("with", "wearing", "doing"))


def _with_clause(thing: Thing, names: Names) -> Words:
    words = names.first(thing)
    for each in thing.by("written"):
        words += (" that read " if thing.many else " that reads ") + fact(thing, each)
    return words


def _person(
    thing: Thing, outline: Outline, names: Names, lead: Words, rng: np.random.Generator
) -> Iterator[Words]:
    """A person: who it is and does; then what is worn and held, by a pronoun."""
    who = names.first(thing)
    if thing.by("with"):
        who += " with " + behind(thing, "with")
    held = [each for each in outline.links if each.relation == "holds" and each.one == thing.key]
    doing, worn = thing.by("doing"), thing.by("wearing")
    if worn and rng.integers(2):
        who += ", wearing " + behind(thing, "wearing") + ","
        worn = []
    if doing:
        yield lead + who + " is " + listed([fact(thing, each) for each in doing])
    else:
        yield lead + who + " can be seen"
    short = names.pronoun(thing.key)
    one = short != "they"
    more: list[Words] = []
    if worn:
        more.append(("wears " if one else "wear ") + behind(thing, "wearing"))
    more += [_holds(each, names, one) for each in held]
    if more:
        yield f"{short} " + joined(more, " and ")


def _holds(link: Link, names: Names, one: bool) -> Words:
    verb = "holds" if one else "hold"
    return Words(f"{verb} {names.known(link.other)}").said(link)


def _links(outline: Outline, names: Names, rng: np.random.Generator) -> Iterator[Words]:
    """How things stand; what follows of the same thing goes by its pronoun."""
    links = [each for each in outline.links if each.relation != "holds"]
    for key, found in groupby(links, key=lambda link: link.one):
        yield from _of_one(key, list(found), names, rng)


def _of_one(
    key: str, links: Sequence[Link], names: Names, rng: np.random.Generator
) -> Iterator[Words]:
    known, verb = names.known(key), names.verb(key)
    first, *rest = (names.stands(link, rng) for link in links)
    if not rest and rng.integers(2):
        yield first + f" {verb} {known}"
        return
    words = f"{known} {verb} " + first
    short = names.pronoun(key)
    be = "are" if short == "they" else verb
    for each in rest:
        words += f", and {short} {be} " + each
    yield words


def _denial(thing: Thing, rng: np.random.Generator) -> Words:
    no = pick(rng, ("no {} can be seen", "no {} is anywhere to be found"))
    if thing.noun.many:
        no = no.replace(" is ", " are ")
    return Words(no.format(thing.noun.word)).said(thing)
