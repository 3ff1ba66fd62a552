"""Sizes in order: "the largest is a house", "from smallest to largest: a, b, c"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_DOWN = re.compile(
    r"(?:from (?:the )?)?(?:largest|biggest|tallest|big|large) to (?:the )?"
    r"(?:smallest|small|shortest|tiniest)"
    r"|(?:descending|decreasing) (?:order of )?size|(?:descending|decreasing) order"
)
_UP = re.compile(
    r"(?:from (?:the )?)?(?:smallest|small|shortest|tiniest) to (?:the )?"
    r"(?:largest|biggest|large|tallest|big)"
    r"|(?:ascending|increasing) (?:order of )?size|(?:ascending|increasing) order"
)


def ranks(sight: Sight) -> Iterator[Draft]:
    """Yield the places of things in an order by size."""
    listed: set[int] = set()
    for sentence in sight.text.sentences:
        words = " ".join(token.low for token in sentence)
        for pattern, sign in ((_DOWN, 1), (_UP, -1)):
            match = pattern.search(words)
            if match is not None:
                listed.add(sentence[0].sentence)
                yield from _list(sight, sentence, sign)
                break
    for token in sight.text.tokens:
        if token.sentence not in listed:
            yield from _single(sight, token)


def _list(sight: Sight, sentence: list[Token], sign: int) -> Iterator[Draft]:
    """The things of a sentence that lists them in order; those of the next where it has none."""
    things = _in(sight, sentence)
    if len(things) < 2:
        after = sentence[0].sentence + 1
        if after < len(sight.text.sentences):
            things = _in(sight, sight.text.sentences[after])
    for place, thing in enumerate(things, 1):
        yield _draft(thing, thing.first, thing.last, sign * place)


def _in(sight: Sight, sentence: list[Token]) -> list[Thing]:
    found = (sight.things.by_token.get(token.i) for token in sentence)
    out: list[Thing] = []
    for thing in found:
        if thing is not None and thing.role not in SETTING and thing.root not in out:
            out.append(thing.root)
    return out


def _draft(thing: Thing, first: Token, last: Token, place: int) -> Draft:
    return Draft(
        "rank", thing, first, last, "rank", None, str(place),
        negated=thing.negated, hedged=thing.hedged,
    )  # fmt: skip


def _single(sight: Sight, token: Token) -> Iterator[Draft]:
    """A superlative, with "second" before it or without."""
    lists = sight.text.lexicon.lists
    large = token.low in lists["relations.superlatives.largest"]
    if not large and token.low not in lists["relations.superlatives.smallest"]:
        return
    place = 1
    if token.i:
        before = sight.text.low[token.i - 1]
        place = int(sight.text.lexicon.maps["lemmas.ordinals"].get(before, "1"))
    thing, last = _ranked(sight, token)
    if thing is not None and thing.role not in SETTING:
        yield _draft(thing.root, token, last, place if large else -place)


def _ranked(sight: Sight, token: Token) -> tuple[Thing | None, Token]:
    """What is said to be the largest."""
    at = token
    if token.dep in ("amod", "nmod", "compound") and token.head.i > token.i:
        at = token.head
        own = sight.things.by_token.get(at.i)
        if own is not None and not _general(sight, own):
            return own, at
    copula = next((each for each in at.up() if each.verb), None)
    if copula is not None and copula.lemma == "be":
        for side in ("nsubj", "attr", "acomp"):
            for each in copula.children(side):
                if each is at or any(b is at for b in each.joined()) or at in each.below:
                    continue
                found = [t for t in sight.mentions.resolve(each) if not _general(sight, t)]
                if found:
                    return found[0], each
    own = sight.things.by_token.get(at.i)
    if own is not None:
        return own.root, at
    found = sight.frames.governors(token)
    return (found[0], token) if len(found) == 1 else (None, token)


def _general(sight: Sight, thing: Thing) -> bool:
    return thing.name in ("animal", "vehicle", "creature", "fruit", "building") and bool(
        thing.head.lemma
    )
