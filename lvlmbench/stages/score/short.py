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

from lvlmbench.scene.answers import COLOR_WORDS, sort_of
from lvlmbench.stages.score.candidates import Said, colors, numbers
from lvlmbench.stages.score.cleaning import CLOSE, OPEN, clean, sentences
from lvlmbench.stages.score.refusal import DECLINES, UNDECIDED
from lvlmbench.stages.score.wording import ANNOUNCE, CHOOSE, HEDGES, LINK, RETRACTION
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
    r"(?: (?:of|for) [^.:;=\n]{1,60}?)?"
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
    r"|of (?:these|those|them|which))\b",
    re.I,
)
#: Between two values: they are alternatives.
_EITHER = re.compile(
    r"[\s,(\"']*(?:\b(?:or|to|and|through|and/or|maybe|perhaps|possibly|even)\b|[-/,&~])"
    r"(?:[\s(\"'-]|\b(?:or|maybe|perhaps|possibly|even|the)\b)*",
    re.I,
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
        What the model said, of any length. Thoughts between think tags are not read.
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
    find: Find = colors if sort == "color" else lambda some: numbers(some, question)
    boxes = _BOX.findall(text)
    if boxes:
        return _single(find(boxes[-1]), "stated") or UNREAD
    return _after_retraction(text, find) or _read(text, find, question)


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
    it, and what follows says no other."""
    text = clean(answer)
    spans = sentences(text)
    if len(spans) < 2:
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


def _after_retraction(text: str, find: Find) -> Short | None:
    """What the words after the last "wait", "actually" and the like say, if they are few."""
    ends = [match.end() for match in RETRACTION.finditer(text)]
    rest = text[ends[-1] :].strip() if ends else ""
    if not rest or "?" in rest or len(rest) > _AFTERTHOUGHT or HEDGES.search(rest):
        return None
    stated = _announced(rest, find(rest))
    return _single(stated[-1:] or find(rest), "stated")


def _read(text: str, find: Find, question: str) -> Short:
    asked = [span for span in sentences(text) if text[slice(*span)].rstrip("\"') ").endswith("?")]
    found = [s for s in find(text) if not any(start <= s.start < end for start, end in asked)]
    stated = _announced(text, found)
    if stated:
        return _single(_with_alternatives(text, found, stated[-1]), "stated") or UNREAD
    given = [each for each in (_alone_at_start(text, found), _concluded(text, found)) if each]
    if given:
        return _single([said for each in given for said in each], "stated") or UNREAD
    if DECLINES.search(text):
        return Short(None, "refusal")
    if UNDECIDED.search(text):
        return UNREAD
    named = {said.value for said in find(question)}
    fresh = [said for said in found if said.value not in named] or found
    return _single(fresh, "only") or (find is colors and _one_is(text, fresh)) or UNREAD


def _one_is(text: str, found: Sequence[Said]) -> Short | None:
    """The only color that something is, where its sentence ends with it."""
    so = [each for each in found if _IS.search(text[max(0, each.start - 40) : each.start])]
    whole = [other for each in so for other in _with_alternatives(text, found, each)]
    return _single(whole, "only") if so and _ENDS.match(text, so[-1].end) else None


def _announced(text: str, found: Sequence[Said]) -> list[Said]:
    """Values that are announced as the answer, in order; those called final alone, if any are."""
    plainly, final = [], []
    for at, said in enumerate(found):
        after = found[at - 1].end if at else 0
        match = _ANNOUNCED.search(text[max(after, said.start - 120) : said.start])
        if match:
            plainly.append(said)
            if match["final"]:
                final.append(said)
    at = text.rfind("\n") + 1
    if at:
        closing = _alone(text, at, len(text), found)
        plainly += [closing[0]] if len(closing) == 1 else []
    return final or plainly


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
    spans = sentences(text)
    return _alone(text, *spans[0], found) if spans else []


def _concluded(text: str, found: Sequence[Said]) -> list[Said]:
    """The values with which the last sentence concludes."""
    spans = sentences(text)
    if not spans:
        return []
    start, end = spans[-1]
    ends = [match.end() for match in _CONCLUDES.finditer(text[start:end])]
    return [said for said in found if said.start >= start + ends[-1]] if ends else []
