"""What an answer says of the thing that a question asks about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lvlmbench.scene.answers import COLOR_WORDS
from lvlmbench.stages.replies.data import meanings
from lvlmbench.stages.score.cleaning import around, sentences
from lvlmbench.stages.score.stems import stem


class Place(NamedTuple):
    """A value at a place of a text, by its number among the values that are asked for."""

    start: int
    end: int
    value: int


_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_CLAUSE_END = re.compile(
    r"(?<=[.,;:!?(])\s*(?=\D)|\n+"
    r"|(?=\b(?:but|while|whereas|although|though|unlike|however|and)\b)",
    re.I,
)
#: Words of questions and answers that say nothing of a thing.
SMALL = frozenset(
    re.findall(
        r"[\w']+",
        "a an the is are was were be been being has have had do does did can could will would "
        "may might must shall should of in on at to for from by with as than that this these "
        "those there here it its it's he she his her him they their them i you we my your our "
        "what which who whom whose when where why how many much often kind type sort color "
        "colors colour hue shade number amount count picture image photo photograph scene shown "
        "show shows see seen visible depicted depicts depict look looks appear appears relative "
        "compared relation respect option options following correct answer statement true false "
        "or and not no any anything nothing anyone ones some find spot notice observe detect "
        "wear wears wearing worn switched turned but while whereas although though however "
        "itself themselves because since each both most mostly other s t indeed clearly just "
        "only really actually exactly so very all",
    )
)
#: Pronouns, which refer to something named earlier.
_PRONOUN = re.compile(r"\b(?:it|its|it's|he|she|his|her|they|their|one|ones|that)\b", re.I)
#: What follows a word that stands by itself, so that it describes no noun behind it.
_FREE = frozenset(
    re.findall(
        r"[\w']+",
        "and or but is are was were in on at of to for while though although because since "
        "which that it the a an as with so not than rather instead overall here there color "
        "colour one ones i he she they too by from if who this these now then also standing "
        "sitting lying behind next beside above below under near around over left right "
        "otherwise tint tone tight wide",
    )
)
_OPTIONS = re.compile(r"\n\s*(?:options|choices)\s*:|\n\s*\(?A[).]\s", re.I)
_INSTRUCTION = re.compile(
    r"\b(?:true or false|(?:answer|reply|respond) (?:with|by|in|only)|end your|one word|choose one"
    r"|give (?:no|only)|select (?:one|the)|pick one|the letter)\b",
    re.I,
)

#: A question whether a statement holds.
_OF_STATEMENT = re.compile(r"\b(?:statement|claim|true|correct|right\?)", re.I)


@lru_cache(maxsize=4096)
def without_options(prompt: str) -> str:
    """Return the question of a prompt, without the options and what follows."""
    return _OPTIONS.split(f"{prompt}\n", maxsplit=1)[0]


@lru_cache(maxsize=4096)
def statement_of(question: str, asks: bool = False) -> str:
    """Return the statement that a question asks to judge; empty where it has none.

    Parameters
    ----------
    asks
        Whether yes and no may answer the question itself, which then is the statement.
    """
    parts = [question[start:end].strip() for start, end in sentences(question)]
    own = [p for p in parts if p.endswith("?") and not _OF_STATEMENT.search(p)] if asks else []
    if own:
        return own[-1].rstrip("? ")
    told = [p for p in parts if not p.endswith("?") and not _INSTRUCTION.search(p)]
    return " ".join(told).strip(" \"'")


@lru_cache(maxsize=4096)
def asked_words(question: str) -> frozenset[str]:
    """Return the stems of the words of a question that say what it asks about."""
    parts = (question[start:end] for start, end in sentences(question))
    return frozenset(
        said for part in parts if not _INSTRUCTION.search(part) for said, _, _ in content(part)
    )


@lru_cache(maxsize=256)
def content(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the stems of a text's words that say something, with their places."""
    return tuple(
        (stem(word), match.start(), match.end())
        for match in _WORD.finditer(text)
        if (
            (word := match.group().casefold().removesuffix("'s")) not in SMALL
            or (word == "on" and not text[match.end() :].lstrip()[:1].isalnum())
        )
        and not word.endswith("n't")
    )


@lru_cache(maxsize=256)
def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return spans between commas, stops and words that join or contrast."""
    cuts = sorted({match.end() for match in _CLAUSE_END.finditer(text)} - {0, len(text)})
    return tuple(zip([0, *cuts], [*cuts, len(text)], strict=True))


@lru_cache(maxsize=4096)
def _heads(question: str) -> frozenset[str]:
    """Stems of what a question asks about first: before "to the left of the kite"."""
    asked = asked_words(question)
    for part in _PREPOSITION.split(question):
        named = frozenset(said for said, _, _ in content(part) if said in asked)
        if named:
            return named
    return asked


_PREPOSITION = re.compile(
    r"\b(?:to|of|in|on|at|with|under|over|above|below|behind|beside|near|next|between|that|who"
    r"|which is|wear|wears|wearing|hold|holds|holding)\b",
    re.I,
)


def about(text: str, found: Sequence[Place], question: str, *, counts: bool = False) -> int | None:
    """Return the value that is said of what the question asks about; None where that is not plain.

    A clause says as much of it as it has words of the question, or pronouns for them. A value
    before a noun that the question does not name ("the blue sky") is said of that. Of counts all
    others must be of another thing.
    """
    asked = asked_words(question) if question else frozenset()
    if not asked:
        return None
    heads = _heads(question)
    best: dict[int, float] = {}
    known: set[str] = set()
    line: set[str] = set()
    for start, end in clauses(text):
        inside = [place for place in found if start <= place.start < end]
        named = {s for s, at, _ in content(text[start:end]) if s in asked}
        pronoun = _PRONOUN.search(text, start, end)
        line = named if start == 0 or text[:start].rstrip()[-1:] in ".!?;" else line | named
        score = float(len(named) + len(named & heads))
        score += 0.9 * len(known - named) if pronoun else 0.3 * len(line - named)
        known |= named
        for place in inside:
            behind = _noun_before(text, start, place)
            if counts or text[place.start : place.end].casefold() in describing():
                behind = behind or noun_behind(text, place.end, end)
            of_another = behind is not None and behind not in heads
            said = -1.0 if of_another else score + 0.5 * (behind is not None)
            best[place.value] = max(best.get(place.value, -1.0), said)
    said_to_be = {p.value for p in found if _IS.search(text, max(0, p.start - 30), p.start)}
    ranked = sorted(best.values(), reverse=True)
    if counts and ranked[1:2] != [-1.0]:
        return None
    (first, *more) = (value for value, said in best.items() if said == ranked[0])
    alone = ranked[0] < 0.9 and ranked[1:2] < [0.0] and (counts or first in said_to_be)
    plain = len(ranked) > 1 and not more and ranked[0] - ranked[1] > _MARGIN
    return first if plain and (ranked[0] >= 0.9 or alone) else None


@cache
def describing() -> frozenset[str]:
    """Return words that describe the noun behind them."""
    colors = meanings()["synonyms"]
    named = {word for color in COLOR_WORDS if color in colors for word in colors[color]}
    return frozenset({*COLOR_WORDS, *named, *meanings()["describing"]})


#: Characters before a value that tell of it.
_NEAR = 200
#: By how much more a value must be said of what is asked about than another.
_MARGIN = 0.15


def of_another(text: str, place: Place, question: str) -> bool:
    """Return whether a word describes something else than what the question asks about: "old
    shoes" of a person, or "the jeep's wheels are black" of a jeep."""
    if text[place.start : place.end].casefold() not in describing():
        return False
    joined = _JOINED.match(text, place.end)
    if joined and joined["word"].casefold() in describing():
        return of_another(text, Place(*joined.span("word"), place.value), question)
    start, end = around(clauses(text), place.end)
    asked = asked_words(question) | _persons()
    behind = noun_behind(text, place.end, end)
    if behind is not None:
        return behind not in asked
    start = max(start, place.start - _NEAR)
    subject = content(text[start : place.start])
    if len(subject) < 2 or not _IS.search(text, max(0, place.start - 30), place.start):
        return False
    owned = text[start:].find("'s", subject[0][2] - 2, subject[0][2] + 3) >= 0
    head = subject[1][0] if owned else subject[0][0]
    return head not in asked and bool({said for said, _, _ in subject} & _heads(question))


_COUNTED = re.compile(
    r"\b(?:how many|number of)(?: of (?:the|these|those))? (?P<what>.+?)"
    r"(?=\s+(?:is|are|was|were|do|does|did|can|could|have|has|had|in|on|at|there|you)\b|[?.,\n]|$)",
    re.I,
)
#: Things of any kind, of which a reply counts those of one.
_GENERAL = frozenset(re.findall(r"\w+", "animal vehicl object thing item fruit shap tim number"))
_PLURAL = re.compile(r"\w+[^su]s$|people$|(?:wo)?men$|children$", re.I)
#: Words behind a number in which the noun stands that it counts.
_PHRASE = 5


def counts_another(text: str, start: int, end: int, question: str) -> bool:
    """Return whether a number counts something else than the question does: legs instead of cats,
    per cent, or nothing ("Room 3")."""
    counted = _COUNTED.search(question)
    if not counted:
        return False
    asked = {said for said, _, _ in content(counted["what"])}
    if not text[start:end].isascii() or text[start:end].casefold() in _foreign():
        return False  # so is what it counts
    if text[end : end + 2].lstrip().startswith("%"):
        return True
    if not asked or asked & _GENERAL:
        return False
    named: list[str] = []
    while len(named) < _PHRASE and noun_behind(text, end, len(text)):
        match = _WORD.match(text, end + 1)
        named.append(match.group().casefold() if match else "")
        end += 1 + len(named[-1])
    alike = _persons() if asked & _persons() else frozenset[str]()
    alike |= asked.union(*(_same().get(stem(said), ()) for said in asked))
    if not alike.isdisjoint(stem(stem(word)) for word in named):
        return False
    one = text[start:end].casefold().startswith(("1 ", "one ", "a "))
    return bool(named) and (one or any(map(_PLURAL.match, named)))


@cache
def _same() -> dict[str, frozenset[str]]:
    """Stems of words with those of the others that mean the same."""
    found: dict[str, frozenset[str]] = {}
    for key, words in meanings()["synonyms"].items():
        group = frozenset(stem(stem(word)) for word in (key, *words))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


@cache
def _foreign() -> frozenset[str]:
    """Words of other languages for numbers."""
    words = {word for several in meanings()["numbers"].values() for word in several}
    return frozenset(word for word in words if " " not in word) - {"single", "lone", "solitary"}


_JOINED = re.compile(r"(?:,? and |,? or |, | ?/ ?)(?P<word>\w+)", re.I)


@cache
def _persons() -> frozenset[str]:
    """Stems of words for people."""
    lists = meanings()["synonyms"]
    words = {word for key in ("female", "male", "child", "elderly") for word in lists[key]}
    return frozenset(map(stem, words | {"person", "people", "individual", "adult", "couple"}))


#: Before a value: something is said to be it.
_IS = re.compile(
    r"\b(?:(?:is|are|looks?|seems?|appears?)(?: \w+)?|(?<=it)'s|mostly|mainly|largely)\s+"
    r"(?:an?\s+|the\s+)?$",
    re.I,
)
_LABELLED = re.compile(r"(?:^|[,;.\n]\s*)(\w+): $")


def _noun_before(text: str, start: int, place: Place) -> str | None:
    """The stem of the noun that a colon parts from a value: "Cats: 4"."""
    match = _LABELLED.search(text, start - 40 if start > 40 else 0, place.start)
    return stem(match.group(1).casefold()) if match else None


def noun_behind(text: str, at: int, end: int) -> str | None:
    """Return the stem of the noun that a value describes, if one follows it at once."""
    match = _WORD.match(text, at + 1, end) if text[at : at + 1] == " " else None
    word = match.group().casefold() if match else ""
    return stem(word) if word and word not in _FREE and not word.endswith(("ly", "ing")) else None


_REFERENCE = re.compile(
    r"\b(?:relative to|compared (?:with|to)|in relation to|with respect to|than|as)\s+"
    r"(?:the |a |an |there are )?(?P<what>[\w-]+(?: [\w-]+)?)",
    re.I,
)


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return words with those that they turn into where two things change places."""
    found: dict[str, set[str]] = {}
    for one, other in meanings()["opposites"]:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def kinds() -> dict[str, frozenset[str]]:
    """Return words with all others of which a thing has one at most, opposites among them."""
    found: dict[str, set[str]] = {word: {*others} for word, others in opposites().items()}
    for words in meanings()["kinds"]:
        for word in words:
            found.setdefault(word, set()).update(each for each in words if each != word)
    return {word: frozenset(others) for word, others in found.items()}


def turned(text: str, place: Place, question: str) -> bool:
    """Return whether a relation is said of the two things of a question the other way round:
    "the tree is below the kite", where the question is how the kite stands to the tree."""
    reference = _REFERENCE.search(question)
    if not reference:
        return False
    other = {said for said, _, _ in content(reference["what"])[:2]}
    subject = {s for s, _, _ in content(question)} - other
    start, end = around(sentences(text), place.end)
    before = {said for said, _, _ in content(text[start : place.start])}
    behind = [said for said, _, _ in content(text[place.end : end])]
    if before & other and not before & subject and subject & {*behind}:
        return True
    # "There are fewer pears than apples": the first of two that follow is the subject.
    named = [said for said in behind if said in other or said in subject]
    return (
        not before & (subject | other)
        and bool(named)
        and named[0] in other
        and bool(subject & {*named})
    )
