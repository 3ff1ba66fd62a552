"""Whether an answer's own words say what a statement says, or deny it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from lvlmbench.stages.replies.data import meanings
from lvlmbench.stages.score.asked import SMALL, content, describing, kinds, noun_behind, opposites
from lvlmbench.stages.score.meanings import any_of
from lvlmbench.stages.score.stems import stem

#: Stands for what a statement is about.
_SUBJECT = re.compile(r"\b(?:it|it's|its|he|she|they)\b", re.I)
_DENIES = re.compile(
    r"\b(?:no|not|nothing|never|without|instead of|rather than|nobody|none|neither|nor|lacks?"
    r"|lacking|cannot|absent|absence of|missing)\b(?! (?:only|just|doubt|wonder|longer))|n't\b",
    re.I,
)
_UNREAL = re.compile(
    r"\?\s*$|^\s*(?:if|unless|although|though|even though|despite)\b|\b(?:would|claims?|says"
    r"|statement|whether|might|may|could|perhaps|maybe|possibly|at least|at most)\b",
    re.I,
)
_ENDS = re.compile(
    r"\b(?:in|on|at|with|near|under|behind|beside|next|anywhere|from|by|among|here"
    r"|(?:he|she|it|they) (?:is|are|has|have|was|were))\b"
)


def denies(statement: str) -> bool:
    """Return whether a statement says that something is not."""
    return _DENIES.search(statement) is not None


def agrees(text: str, statement: str) -> bool | None:
    """Return whether a text says what a statement does, True, or denies it, False; None where it
    says neither, or both.

    A clause denies a statement if it says "no" or "not" of its words alone, or has in the place of
    one of them another of its kind (a color, a number, a side). It affirms a statement of which it
    has all words.
    """
    statement = canonical(statement)
    words = [said for said, _, _ in content(statement)]
    if not words:
        return None
    positive = not denies(statement)
    wanted, said = compared(statement), compared(text)
    if wanted and wanted.keys() <= said.keys():
        return all(said[things] == wanted[things] for things in wanted) == positive
    text = canonical(text)
    votes = {vote for vote in _votes(text, words, statement) if vote is not None}
    return (votes.pop() == positive) if len(votes) == 1 else None


def _votes(text: str, words: Sequence[str], statement: str) -> Iterator[bool | None]:
    """Whether each clause says what the words of a statement, its denial aside, say."""
    asked = frozenset(words)
    for start, end in _parts(text):
        part = text[start:end]
        said = [each for each, _, _ in content(part)]
        if _UNREAL.search(part):
            continue
        denial = _DENIES.search(part)
        if denial:
            scope = part[denial.end() :]
            stop = _ENDS.search(scope)
            near = {each for each, _, _ in content(scope[: stop.start()] if stop else scope)}
            if not near:
                near = {each for each, _, _ in content(part[: denial.start()])}
            yield False if near and near <= asked else None
        elif _covers(part, words, said) and not _of_another(part, words):
            yield _in_order(words, said)
        else:
            yield _replaced(part, words, statement)


def _covers(part: str, words: Sequence[str], said: Sequence[str]) -> bool:
    """Whether a clause has all words of a statement: the first may be a pronoun, and of two things
    that are compared one may be left out."""
    if _SUBJECT.search(part):
        return {*(words[1 + words[0].isdecimal() :] or words)} <= {*said}
    compares = _relation(words) in said and len({*words} & {*said}) == 2
    return compares or {*words} <= {*said}


_CUT = re.compile(r"(?<=[.!?;:])\s+|\n+|,\s+")


def _parts(text: str) -> list[tuple[int, int]]:
    """Spans between commas and stops."""
    cuts = [match.end() for match in _CUT.finditer(text)]
    return list(zip([0, *cuts], [*cuts, len(text)], strict=True))


def _of_another(part: str, words: Sequence[str]) -> bool:
    """Whether a word of a statement describes or owns another thing there: "next to the red
    house", "the dog's owner"."""
    described = (
        noun_behind(part, stop, len(part))
        for each, start, stop in content(part)
        if each in words
        and (part[stop - 2 : stop] == "'s" or part[start:stop].casefold() in describing())
    )
    return any(noun is not None and noun not in words for noun in described)


def _relation(words: Sequence[str]) -> str | None:
    return next((word for word in words if word in _relations()), None)


@cache
def _relations() -> dict[str, frozenset[str]]:
    """Opposites of one word, by their stems."""
    return {
        stem(word.split()[-1]): frozenset(stem(each.split()[-1]) for each in others)
        for word, others in opposites().items()
    }


def _in_order(words: Sequence[str], said: Sequence[str]) -> bool | None:
    """True, or False where a relation is said of the things in the other order."""
    relation = _relation(words)
    if relation is None:
        return True
    things = [word for word in words if word != relation]
    order = [word for word in dict.fromkeys(said) if word in things]
    if len(things) == 2 and len(order) == 1 and relation in said[1:]:
        if order[0] not in said[: said.index(relation)] and said[: said.index(relation)]:
            return None
        # "The tree is taller", where the tower is said to be taller than the tree.
        return order[0] == things[said.index(order[0]) > said.index(relation)]
    if len(things) < 2 or len(order) < 2:
        return True
    return True if order == things[-len(order) :] else False if order[::-1] == things else None


def _replaced(part: str, words: Sequence[str], statement: str) -> bool | None:
    """False where a clause has another word of its kind in the place of a statement's word; True
    where that is an opposite and the things change places, too."""
    places = content(part)
    said = [each for each, _, _ in places]
    shared = {*words} & {*said}
    if not shared and not _SUBJECT.match(part.lstrip()):
        return None
    rivals = _rivals(statement)
    if (
        said
        and said[0] not in words
        and said[0] not in rivals
        and not _SUBJECT.match(part.lstrip())
    ):
        return None  # said of another thing: "the wall behind the flag is blue"
    relations = _relations()
    relation = _relation(words)
    if relation is not None and relation not in said:
        other, stop = next((e for e in places if e[0] in relations[relation]), ("", 0, 0))[::2]
        if other and noun_behind(part, stop, len(part)) in words:
            return None  # "the right door"
        if other:
            order = _in_order(words, [relation if each == other else each for each in said])
            return None if order is None else not order
    for each, _, stop in places:
        if each in rivals and each not in words:
            behind = noun_behind(part, stop, len(part))
            if behind is None or behind in words:
                return False
    return None


@lru_cache(maxsize=4096)
def _rivals(statement: str) -> frozenset[str]:
    """Stems of what cannot hold together with a word of a statement, the first aside: that is what
    the statement is about."""
    first, *words = [said for said, _, _ in content(statement)] or [""]
    found: set[str] = set()
    for word, others in kinds().items():
        if stem(word) in words:
            found |= {stem(other) for other in others if " " not in other}
    numbers = {word for word in (first, *words) if word.isdecimal()}
    if numbers:
        found |= {str(n) for n in range(100)} - numbers
    return frozenset(found)


_MANY = r"(?P<sign>more|fewer|less|as many|the same number of|an equal number of)"
_COMPARED = re.compile(
    rf"\b{_MANY} (?P<one>\w+)(?: \w+)? (?:than|as|and)(?: there are)? (?:the )?(?P<other>\w+)"
    r"|\b(?P<few>\w+) (?:are |is )?(?P<outnumbered>outnumbered) by (?:the )?(?P<many>\w+)"
    r"|\b(?P<most>\w+) (?P<outnumber>outnumber) (?:the )?(?P<least>\w+)"
    r"|\b(?:equal|same) numbers? of (?P<a>\w+) and (?P<b>\w+)",
    re.I,
)
_SIGN = {"more": 1, "fewer": -1, "less": -1}


@lru_cache(maxsize=4096)
def compared(text: str) -> dict[tuple[str, str], int]:
    """Return which of two things a text says there are more of: 1, -1, or 0 for as many, by their
    stems in alphabetical order. Where it counts things, the counts are compared."""
    found: dict[tuple[str, str], int] = {}
    for match in _COMPARED.finditer(text):
        one, other, sign = match["one"], match["other"], _SIGN.get((match["sign"] or "").lower(), 0)
        if match["outnumbered"]:
            one, other, sign = match["few"], match["many"], -1
        elif match["outnumber"]:
            one, other, sign = match["most"], match["least"], 1
        pair = stem((one or match["a"]).lower()), stem((other or match["b"]).lower())
        found[min(pair), max(pair)] = sign if pair[0] < pair[1] else -sign
    if found:
        return found
    said = [word for word, _, _ in content(text)]
    counts = {noun: int(n) for n, noun in pairwise(said) if n.isdecimal() and not noun.isdecimal()}
    if len(counts) != 2:
        return {}
    (one, first), (other, second) = sorted(counts.items())
    return {(one, other): (first > second) - (first < second)}


@cache
def _words_of_kinds() -> tuple[dict[str, str], re.Pattern[str]]:
    """Other words for those of which a thing has one, each with the word that it means."""
    meant: dict[str, set[str]] = {}
    for key, words in meanings()["synonyms"].items():
        for word in words if key in kinds() else ():
            meant.setdefault(word, set()).add(key)
    plain = {w: min(keys) for w, keys in meant.items() if len(keys) == 1 and w not in kinds()}
    plain = {word: key for word, key in plain.items() if word not in SMALL}
    return plain, re.compile(any_of(plain), re.I)


def canonical(text: str) -> str:
    """Return a text with other words for those of which a thing has one replaced by these."""
    words, pattern = _words_of_kinds()
    return pattern.sub(lambda match: words[match.group().casefold()], text)
