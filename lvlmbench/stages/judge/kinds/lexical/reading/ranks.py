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
    r"|(?:descending|decreasing) (?:order of |by )?(?:size|height)|(?:descending|decreasing) order"
    r"|(?:sizes?|heights?) ?,? descending|from the (?:biggest|largest|tallest) down"
    r"|(?:largest|biggest|tallest|longest) (?:one )?first"
)
_UP = re.compile(
    r"(?:from (?:the )?)?(?:smallest|small|shortest|tiniest) to (?:the )?"
    r"(?:largest|biggest|large|tallest|big)"
    r"|(?:ascending|increasing) (?:order of |by )?(?:size|height)|(?:ascending|increasing) order"
    r"|(?:sizes?|heights?) ?,? ascending|from the (?:smallest|shortest|tiniest) up"
    r"|(?:smallest|shortest|tiniest) (?:one )?first"
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
                yield from _list(sight, sentence, sign, match[0])
                break
    for token in sight.text.tokens:
        if token.sentence not in listed:
            yield from _single(sight, token)
            yield from _nth(sight, token)


def _list(sight: Sight, sentence: list[Token], sign: int, said: str) -> Iterator[Draft]:
    """The things that are listed in order: in the sentence, in the lines below it, or the next."""
    last = said.split()[-1]
    at = next((n for n, each in enumerate(sentence) if each.low == last), 0)
    things = _in(sight, sentence[at:])
    if len(things) < 2:
        things = things if len(things) == 1 and sentence[-1].low != ":" else []
        things = lines(sight, sentence[-1]) or things
    if len(things) < 2:
        after = sentence[0].sentence + 1
        if after < len(sight.text.sentences):
            things = _in(sight, sight.text.sentences[after]) or things
    for place, thing in enumerate(things, 1):
        yield _draft(thing, thing.first, thing.last, sign * place)


def lines(sight: Sight, end: Token) -> list[Thing]:
    """Return the thing that each line below begins with, as long as they are no sentences."""
    flat, out = sight.text.flat, list[Thing]()
    named, ended = False, False
    for token in sight.text.tokens[end.i + 1 :]:
        if flat.places[token.start] in flat.lines:
            named, ended = False, False
        if ended or token.tag == "MD" or (not named and token.low == ":"):
            break
        thing = sight.things.by_token.get(token.i)
        if thing is not None and not named:
            named = True
            if thing.root not in out and thing.role not in SETTING:
                out.append(thing.root)
        ended = (
            token.low == "."
            and token.i + 1 < len(sight.text.tokens)
            and (flat.places[sight.text.tokens[token.i + 1].start] not in flat.lines)
        )
    return out


def _nth(sight: Sight, token: Token) -> Iterator[Draft]:
    """ "A piano comes second", "with the marrow in second place", "1st: bus"."""
    place = sight.text.lexicon.maps["lemmas.ordinals"].get(token.low)
    if place is None:
        return
    after = next(iter(sight.after(token, 1)), None)
    found: list[Thing] = []
    if token.head.lemma == "come":
        found = sight.frames.subjects(token.head)
        if not found or token.i < token.head.i:  # "second comes a hedgehog"
            ahead = (sight.things.by_token.get(e.i) for e in sight.after(token.head, 5))
            found = [thing for thing in ahead if thing is not None][:1] or found
    elif token.head.lemma == "be" and token.i < token.head.i:  # "third is the leek"
        ahead = (sight.things.by_token.get(e.i) for e in sight.after(token.head, 5))
        found = [thing for thing in ahead if thing is not None][:1]
    elif after is not None and after.low == ":" and not token.low.isalpha():
        found = [t for e in sight.after(after, 4) if (t := sight.things.by_token.get(e.i))][:1]
    elif token.dep in ("acomp", "attr") and token.head.lemma == "be" and _ordered(sight):
        found = sight.frames.subjects(token.head)
    elif after is not None and after.low == "place" and sight.text.low[token.i - 1] == "in":
        found = [t for t in sight.things.all if t.last.i == token.i - 2]
    for thing in found:
        if thing.role not in SETTING:
            yield _draft(thing.root, token, token, int(place))


def _ordered(sight: Sight) -> bool:
    """Whether a text speaks of what is largest or smallest."""
    lists = sight.text.lexicon.lists
    sizes = lists["relations.superlatives.largest"] | lists["relations.superlatives.smallest"]
    return not sizes.isdisjoint(sight.text.low)


def _in(sight: Sight, sentence: list[Token]) -> list[Thing]:
    found = (sight.things.by_token.get(token.i) for token in sentence)
    out: list[Thing] = []
    for thing in found:
        if thing is not None and thing.role not in SETTING and thing.root not in out:
            out.append(thing.root)
    return out


def _draft(thing: Thing, first: Token, last: Token, place: int, denied: bool = False) -> Draft:
    return Draft(
        "rank", thing, first, last, "rank", None, str(place),
        negated=denied or thing.negated, hedged=thing.hedged,
    )  # fmt: skip


def _denied(sight: Sight, token: Token) -> bool:
    """Whether the verb of a superlative is denied: "is not the largest"."""
    top = token.head if token.dep in ("amod", "nmod") else token
    be = top.head
    return top.dep in ("attr", "acomp") and be.lemma == "be" and sight.certainty.verb(be)[0]


def _followed(sight: Sight, token: Token) -> list[Thing]:
    """What comes next: "the largest is a tote, followed by the satchel and then the clutch"."""
    for each in sight.after(token, 12):
        if each.low == "followed" and (by := next(iter(sight.after(each, 1)), None)) is not None:
            found = [sight.things.by_token.get(e.i) for e in sight.after(by, 14)]
            return list(dict.fromkeys(t.root for t in found if t is not None))
    return []


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
        yield _draft(thing.root, token, last, place if large else -place, _denied(sight, token))
        sign = 1 if large else -1
        for more, other in enumerate(_followed(sight, token), 1):
            yield _draft(other, other.first, other.last, sign * (place + more))


def _ranked(sight: Sight, token: Token) -> tuple[Thing | None, Token]:
    """What is said to be the largest."""
    at = token
    after = next(iter(sight.after(token, 1)), None)
    before = sight.text.tokens[token.i - 1] if token.i else token
    if before.low == "(" and token.i > 1:
        return sight.things.by_token.get(token.i - 2), token
    if after is not None and after.low == ":":
        for each in sight.after(after, 4):
            if (own := sight.things.by_token.get(each.i)) is not None:
                return own, each
    if token.dep in ("amod", "nmod", "compound") and token.head.i > token.i:
        at = token.head
        own = sight.things.by_token.get(at.i)
        above = _described(sight, at)
        if above is not None:
            return above, at
        if own is not None and not _general(sight, own):
            return own, at
    copula = next((each for each in at.up() if each.verb), None)
    clause = _clause(sight, token)
    if copula is None or copula not in clause:
        inside = [t for e in clause if (t := sight.things.by_token.get(e.i)) is not None]
        inside = [t for t in inside if t.role not in SETTING and not _general(sight, t)]
        before_it = [t for t in inside if t.last.i < token.i]
        if inside and any(each.lemma == "be" for each in clause if each.i > token.i):
            return inside[-1], token
        if before_it:
            return before_it[-1], token
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


def _clause(sight: Sight, token: Token) -> list[Token]:
    """The words around a word, up to the next comma on either side."""
    out: list[Token] = []
    for each in sight.text.sentence(token):
        if each.low in (",", ";", ":", "(", ")"):
            if each.i > token.i:
                break
            out = []
        else:
            out.append(each)
    return out


def _described(sight: Sight, noun: Token) -> Thing | None:
    """What "the smallest vehicle" is said of: "a motorbike, the smallest vehicle"."""
    if noun.dep == "appos":
        return sight.things.by_token.get(noun.head.i)
    if noun.dep == "attr" and noun.head.lemma == "be":
        for each in noun.head.children("nsubj"):
            return next(iter(sight.mentions.resolve(each)), None)
    return None


def _general(sight: Sight, thing: Thing) -> bool:
    return thing.name in ("animal", "vehicle", "creature", "fruit", "building") and bool(
        thing.head.lemma
    )
