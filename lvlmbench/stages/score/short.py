"""From what a model said to its short answer: a number, a color, or a word.

Nothing is guessed. An answer that is marked as such counts, of several the last; else the only
number or color that is said at all. Where two are, the reply cannot be read, and is not taken for a
wrong one. Cleaning, announcements, retractions and refusals are those of
:mod:`lvlmbench.stages.score.choice`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from lvlmbench.scene.answers import COLOR_WORDS, Sort, sort_of
from lvlmbench.stages.score.asked import (
    Place,
    about,
    asked_words,
    content,
    counts_another,
    of_another,
)
from lvlmbench.stages.score.candidates import Said, colors, numbers
from lvlmbench.stages.score.cleaning import CLOSE, OPEN, clean, sentences
from lvlmbench.stages.score.refusal import DECLINES, UNDECIDED
from lvlmbench.stages.score.wording import (
    ANNOUNCE,
    CHOOSE,
    CORRECTION,
    GUESSES,
    HEDGES,
    LINK,
    RETRACTION,
)
from lvlmbench.stages.score.words import plain, word_said


@dataclass(frozen=True)
class Short:
    """A short answer as it was read.

    Attributes
    ----------
    said
        The answer in one form; None where there is none.
    method
        ``stated``: marked as the answer. ``only``: there is no other. ``refusal``: it declines to
        answer. ``none``: no answer could be read.
    """

    said: str | None
    method: Literal["stated", "only", "refusal", "none"]


UNREAD = Short(None, "none")

Find = Callable[[str], list[Said]]

_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")
_LEAD = r"(?:(?:exactly|just|only|about|approximately|an?|the|in|all|probably)[ \t]+)*[\"'(\[]?"
_TOTAL = (
    r"\b(?:total|count|number|sum|result|colou?r)(?: number| count| colou?r)?"
    r"(?: (?:of|for) (?P<what>[^.:;=\n]{1,60}?))?"
)
#: What announces an answer, up to the answer.
_ANNOUNCED = re.compile(
    rf"(?<![A-Za-z])(?:(?P<final>final[ \t]+)?{ANNOUNCE}{LINK}|{CHOOSE}"
    rf"|{_TOTAL}\s*(?:(?:is|was|:|=|equals|comes to|would be)[ \t]*)+"
    rf"|(?:=|(?:a total of|totals?|equals|that makes|making)\b)[ \t]*){_LEAD}$",
    re.I,
)
#: What concludes, at the start of a closing sentence or of a part of it.
_CONCLUDES = re.compile(
    r"(?:^|[.,;:]\s*)(?:so|therefore|thus|hence|overall|altogether|finally|in total|in conclusion"
    r"|in summary|this means|that means|that's|that is|which makes|adding"
    r"|of (?:these|those|them|which)|donc|insgesamt|quindi|au total|en total|in totale"
    r"|por (?:lo )?tanto|итого|всего)\b|一共|总共|所以|因此|合計",
    re.I,
)
#: Between two values: they are alternatives.
_EITHER = re.compile(
    r"[\s,(\"']*(?:\b(?:or|to|and|through|and/or|maybe|perhaps|possibly|even)\b|[-/,;&~]|\.{2,})"
    r"(?:[\s(\"'-]|\b(?:or|maybe|perhaps|possibly|even|the)\b)*",
    re.I,
)
#: Between an announced value and another: things of several kinds are told.
_KINDS = re.compile(
    r"(?: [a-z]+){1,3}(?:\s*[,;]|\s+(?:and|or|plus)\b)\s*(?:(?:and|or|so)\s+)?", re.I
)
#: What may stand beside an answer that is given alone.
_ALONE = re.compile(
    rf"^[\W_]*(?:(?:answer|final answer|it is|it's|there are|exactly|the|an?|in|all|color)\b\W*)*"
    rf"(?P<answer>[^\s{OPEN}{CLOSE}].*?)[\W_]*$",
    re.I | re.S,
)
#: Words behind a number that is given alone: what it counts.
_UNIT = 2
#: Around a color: a sentence ends with what something is.
_IS = re.compile(rf"\b(?:is|are|it's|appears? to be|looks?|seems?)\s+{_LEAD}$", re.I)
_ENDS = re.compile(r"[\"')]*(?: in colou?r)?[\"')]*(?:[.!]|$|\n)")
_AFTERTHOUGHT = 120
#: A reply of one line that is a bound; in longer ones its sign marks a quotation.
_QUOTED_BOUND = re.compile(r"\s*>\s*=?[^\S\n]*[-\w. ]{1,40}\s*")
#: What follows a first sentence starts to doubt it.
_DOUBTS = re.compile(
    r"\b(?:let me|re-?count\w*|look(?:ing)? (?:again|closer)|(?:double|re)-?check\w*)\b"
    r"|\bno\W*$",
    re.I,
)
#: Characters at the end of a reply that was cut off in which it may take back what it said.
_LAST = 60


def read_short(answer: str, accepted: Sequence[str], question: str = "") -> Short:
    """Read the short answer that a reply gives.

    In this order, the first that decides: what is boxed; what follows "wait", "actually" and the
    like; the last answer that is announced ("the answer is 3", "the total is 3", a last line that
    is nothing but the answer); one that stands alone at the start, or that the last sentence
    concludes with; a refusal; the only number or color that is said to be so, or is said at all.
    Two alternatives ("3 or 4"), a bound ("at least 3") and two that are as good are no answer.

    Parameters
    ----------
    answer
        What the model said, of any length. Thoughts and invented turns are not read.
    accepted
        Accepted forms of the answer: of them only the kind is taken, number, color or other words.
    question
        What was asked: numbers and colors that it names are not the answer where others are said.
    """
    text = clean(answer)
    if not text:
        return UNREAD
    sort = sort_of(accepted)
    if sort == "text":
        return _word(text, accepted)
    if sort == "number" and _QUOTED_BOUND.fullmatch(answer):
        return UNREAD
    return read_value(text, sort, question)


def read_value(text: str, sort: Sort, question: str) -> Short:
    """Read the number or the color that a cleaned text gives; see :func:`read_short`."""
    find: Find = colors if sort == "color" else lambda some: _counts(some, question)
    boxes = _BOX.findall(text)
    if boxes:
        return _single(find(boxes[-1]), "stated") or UNREAD
    return _after(text, find, question) or _read(text, find, question)


def _counts(text: str, question: str) -> list[Said]:
    """Numbers of a text, if one at least may count what the question does."""
    found = numbers(text, question)
    mine = (not counts_another(text, said.start, said.end, question) for said in found)
    return found if any(mine) else []


def is_right(said: str | None, accepted: Sequence[str]) -> bool:
    """Return whether what was read is one of the accepted forms."""
    if said is None:
        return False
    sort = sort_of(accepted)
    if sort == "number":
        forms = {one.value for form in accepted for one in numbers(form, "")}
    elif sort == "color":
        forms = {COLOR_WORDS.get(form.casefold()) for form in accepted}
    else:
        forms = {plain(form) for form in accepted}
    return said in forms


def survives_cut(answer: str, accepted: Sequence[str], question: str = "") -> bool:
    """Return whether the short answer of a reply that was cut off is safe to read: it opens with
    it, and what follows says no other and takes nothing back."""
    text = clean(answer)
    spans = sentences(text)
    if len(spans) < 2:
        return False
    rest = text[spans[0][1] :]
    if RETRACTION.search(rest) or _DOUBTS.search(rest) or CORRECTION.search(rest[-_LAST:]):
        return False
    opening = read_short(text[slice(*spans[0])], accepted, question)
    return opening.said is not None and opening.said == read_short(answer, accepted, question).said


def _word(text: str, accepted: Sequence[str]) -> Short:
    said = word_said(text, [plain(form) for form in accepted])
    if said is not None:
        return Short(said, "stated")
    return Short(None, "refusal") if DECLINES.search(text) else UNREAD


def _single(found: Sequence[Said], method: Literal["stated", "only"]) -> Short | None:
    """The one value of all that were found."""
    values = {said.value for said in found}
    (value,) = values if len(values) == 1 else (None,)
    return None if value is None else Short(value, method)


def _after(text: str, find: Find, question: str) -> Short | None:
    """What the words after the last "wait", "if I had to guess" and the like say, if they are
    few."""
    ends = [match.end() for said in (RETRACTION, GUESSES) for match in said.finditer(text)]
    rest = text[max(ends) :].strip() if ends else ""
    if not rest or "?" in rest or len(rest) > _AFTERTHOUGHT or HEDGES.search(rest):
        return None
    found = find(rest)
    stated = _announced(rest, found, "")
    if not found:
        return None
    return _single(stated[-1:] or found, "stated") or _read(rest, find, question)


def _read(text: str, find: Find, question: str) -> Short:
    asked = [span for span in sentences(text) if text[slice(*span)].rstrip("\"') ").endswith("?")]
    found = [s for s in find(text) if not any(start <= s.start < end for start, end in asked)]
    found = [said for said in found if not _of_part(text, said, question)] or found
    stated = _announced(text, found, question)
    if stated and stated[-1].value is None:
        return UNREAD
    if stated:
        several = _with_alternatives(text, found, stated[-1])
        behind = found[found.index(several[-1]) + 1 :][:1]
        if (
            find is not colors
            and behind
            and _KINDS.fullmatch(text[several[-1].end : behind[0].start])
        ):
            several += behind
        return _single(several, "stated") or UNREAD
    given = [
        each for each in (_alone_at_start(text, found), _concluded(text, found, question)) if each
    ]
    if given:
        return _single([said for each in given for said in each], "stated") or UNREAD
    if DECLINES.search(text):
        return Short(None, "refusal")
    if UNDECIDED.search(text) and {said.value for said in found} != {"0"}:
        return UNREAD
    named = {said.value for said in find(question)}
    fresh = [said for said in found if said.value not in named] or found
    if find is colors:
        own = [
            said
            for said in fresh
            if not question or not of_another(text, Place(said.start, said.end, 0), question)
        ]
        one = _single(own, "only") or _one_is(text, own) if own or not question else UNREAD
        return one or _single(_asked(text, fresh, question), "only") or UNREAD
    if _in_places(text, fresh):
        return _single(_total(fresh), "only") or UNREAD
    fresh = _asked(text, fresh, question) or _total(fresh) or fresh
    return _single(fresh, "only") or UNREAD


_PART = re.compile(r"\bof (?:which|whom) $", re.I)
_PART_BEHIND = re.compile(r" (?:of (?:which|whom|them|these|those)|are|is)\b", re.I)


def _of_part(text: str, said: Said, question: str) -> bool:
    """Whether a value counts a part that is not asked for: "four, two of which are red"."""
    before = _PART.search(text, max(0, said.start - 12), said.start)
    if not question or not (before or _PART_BEHIND.match(text, said.end)):
        return False
    rest = re.split(r"[,.;:\n]", text[said.end :], maxsplit=1)[0]
    words = {word for word, _, _ in content(rest)}
    return bool(words) and not words & asked_words(question)


_PLACED = re.compile(r"(?: \w+){0,2} (?:on|in|at|to|near|under|beside|by|above|below)\b", re.I)


def _in_places(text: str, found: Sequence[Said]) -> bool:
    """Whether a number is said more than once, of several places: "two on the left and two on the
    right"."""
    placed = [said.value for said in found if _PLACED.match(text, said.end)]
    return len({*placed}) < len(placed)


def _total(found: Sequence[Said]) -> list[Said]:
    """The number of which the others are the parts ("4 apples: one on the left and three ..."):
    the sum of all others, first or last, or one with a colon behind it that opens the reply."""
    values = [int(v) if (v := said.value) is not None and v.isdecimal() else -1 for said in found]
    if len(found) < 3 or min(values) < 0:
        return []
    ends = [at for at in (0, -1) if 2 * values[at] == sum(values)]
    return [found[ends[0]]] if ends else []


def _asked(text: str, found: Sequence[Said], question: str) -> list[Said]:
    """The values that are said of what the question asks about."""
    values = list(dict.fromkeys(said.value for said in found))
    if len(values) < 2 or None in values:
        return []
    places = [Place(said.start, said.end, values.index(said.value)) for said in found]
    counts = sort_of([values[0] or ""]) == "number"
    index = about(text, places, question, counts=counts)
    if index is None:
        return []
    said = [each for each in found if each.value == values[index]]
    return [other for each in said for other in _with_alternatives(text, found, each)]


def _one_is(text: str, found: Sequence[Said]) -> Short | None:
    """The only color that something is, where its sentence ends with it."""
    so = [each for each in found if _IS.search(text[max(0, each.start - 40) : each.start])]
    whole = [other for each in so for other in _with_alternatives(text, found, each)]
    return _single(whole, "only") if so and _ENDS.match(text, so[-1].end) else None


def _announced(text: str, found: Sequence[Said], question: str) -> list[Said]:
    """Values that are announced as the answer, in order; those called final alone, if any are.

    Of counts of different things only those of a thing that the question names are; where it names
    none the last may be any.
    """
    plainly: list[Said] = []
    final: list[Said] = []
    counted: dict[Said, str] = {}
    for at, said in enumerate(found):
        after = found[at - 1].end if at else 0
        match = _ANNOUNCED.search(text[max(after, said.start - 120) : said.start])
        if match:
            plainly.append(said)
            if match["what"]:
                counted[said] = " ".join(match["what"].casefold().split())
            if match["final"]:
                final.append(said)
    at = text.rfind("\n") + 1
    if at:
        closing, first = _alone(text, at, len(text), found), _alone_at_start(text, found)
        if len(closing) == 1:
            doubtful = not plainly and first and first[0].value != closing[0].value
            plainly.append(closing[0]._replace(value=None) if doubtful else closing[0])
    if final or not plainly or plainly[-1] not in counted or len({*counted.values()}) < 2:
        return final or plainly
    asked = [said for said in counted if counted[said] in question.casefold()]
    return (
        asked if len({counted[said] for said in asked}) == 1 else [plainly[-1]._replace(value=None)]
    )


def _with_alternatives(text: str, found: Sequence[Said], one: Said) -> list[Said]:
    """A value with those that are said to be as good: 3 or 4."""
    at = found.index(one)
    group = [one]
    for other in found[at + 1 :]:
        if not _EITHER.fullmatch(text[group[-1].end : other.start]):
            break
        group.append(other)
    for other in reversed(found[:at]):
        if not _EITHER.fullmatch(text[other.end : group[0].start]):
            break
        group.insert(0, other)
    return group


def _alone(text: str, start: int, end: int, found: Sequence[Said]) -> list[Said]:
    """Values of a line or sentence that says nothing but its answer, and what it counts."""
    inside = [said for said in found if start <= said.start < end]
    match = _ALONE.match(text[start:end]) if inside else None
    if match is None or start + match.start("answer") < inside[0].start - 1:
        return []
    if _with_alternatives(text, inside, inside[0]) != inside:
        return []
    rest = text[inside[-1].end : end]
    return inside if len(rest.split()) <= _UNIT and "," not in rest.strip(",") else []


def _alone_at_start(text: str, found: Sequence[Said]) -> list[Said]:
    """The values of a first sentence that is nothing but the answer."""
    alone = [_alone(text, *span, found) for span in sentences(text)[:2]]
    return [said for each in alone for said in each] if alone and alone[0] else []


def _concluded(text: str, found: Sequence[Said], question: str) -> list[Said]:
    """The values with which the last sentence concludes, if it is what the question asks about."""
    spans = sentences(text)
    if not spans:
        return []
    start, end = spans[-1]
    ends = [match.end() for match in _CONCLUDES.finditer(text[start:end])]
    last = [said for said in found if said.start >= start + ends[-1]] if ends else []
    last = [said for said in last if not _of_part(text, said, question)]
    return _total(last) or last
