"""A list in Markdown, as models like to answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvlmbench.stages.judge.exam.outline import Outline, Thing
from lvlmbench.stages.judge.exam.wording.page import Page
from lvlmbench.stages.judge.exam.wording.phrases import Names, behind, fact, pick, setting
from lvlmbench.stages.judge.exam.wording.plain import at, denial
from lvlmbench.stages.judge.exam.wording.ranks import ranked
from lvlmbench.stages.judge.exam.wording.words import Words, joined, sentence


def markdown(outline: Outline, rng: np.random.Generator) -> Page:
    """Return an outline as a list in Markdown."""
    return Page(tuple(_lines(outline, rng)), "\n")


def _lines(outline: Outline, rng: np.random.Generator) -> Iterator[Words]:
    names, bullet = Names(outline), pick(rng, ("- ", "* "))
    if outline.things:
        yield Words(pick(rng, ("**What can be seen**", "## Contents", "The picture shows:")))
        yield Words()
        for thing in outline.things:
            yield bullet + _item(thing, outline, names, rng).capital
        yield Words()
    standing = list(_standing(outline, names, rng))
    if standing:
        yield Words(pick(rng, ("**Where things are**", "## Arrangement")))
        yield Words()
        for number, words in enumerate(standing, 1):
            yield f"{number}. " + sentence(words)
        yield Words()
    for relation, heading in (("background", "Background"), ("style", "Style")):
        found = setting(outline, relation)
        if found is not None:
            yield f"**{heading}:** " + found
    for relation in ("weather", "light"):
        found = setting(outline, relation)
        if found is not None:
            yield sentence(found)
    for thing in outline.denied:
        yield bullet + sentence(denial(thing, rng))


def _item(thing: Thing, outline: Outline, names: Names, rng: np.random.Generator) -> Words:
    """A thing with all that is said of it, no sentence."""
    words = names.first(thing)
    if thing.by("with"):
        words += " with " + behind(thing, "with")
    parts: list[Words] = []
    if thing.by("wearing"):
        parts.append("wearing " + behind(thing, "wearing"))
    parts += [fact(thing, each) for each in thing.by("doing")]
    parts += [
        Words(f"holding {names.known(link.other)}").said(link)
        for link in outline.links
        if link.relation == "holds" and link.one == thing.key
    ]
    parts += ["reading " + fact(thing, each) for each in thing.by("written")]
    parts += [at(thing, each, rng) for each in thing.by("apart") if each.kind == "place"]
    return words if not parts else words + ", " + joined(parts, ", ")


def _standing(outline: Outline, names: Names, rng: np.random.Generator) -> Iterator[Words]:
    for link in outline.links:
        if link.relation != "holds":
            yield f"{names.known(link.one)} {names.verb(link.one)} " + names.stands(link, rng)
    yield from ranked(outline, names, rng)
