"""Which of several options that an answer names it means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.replies.data import meanings
from lvlmbench.stages.score.asked import Place, about, clauses, opposites
from lvlmbench.stages.score.cleaning import around, sentences
from lvlmbench.stages.score.meanings import plain
from lvlmbench.stages.score.wording import CONCLUSION, CORRECTION, HEDGES, YES

#: A quantity before what is named.
MEASURE = r"(?:pair|cup|glass|bowl|plate|piece|slice|bunch|bottle)s? of"
#: "It is a" and the like, before an option.
LEAD_IN = re.compile(
    r"^(?:(?:it|this|that|there|he|she|they|the (?:image|picture|photo|answer|statement)"
    r"|i (?:think|believe|see)|the (?:main )?\w+ (?:in|of) (?:the|this) (?:image|picture|photo))\s*"
    r"(?:'s|'re|is|are|shows|depicts|looks like|contains|that)?\s+(?:it's |it is )?)?"
    r"(?:(?:(?:done|made|drawn|painted|set|taken)\s+)?(?:in|on|at|inside)\s+)?"
    r"(?:(?:an?|the|some|probably|most likely)\s+)?"
    r"(?:(?:mr|mrs|ms|dr|prof|professor|president)\b\.?\s*"
    rf"|{MEASURE}\s+)?",
    re.I,
)
#: Between the entries of a list.
LISTED = re.compile(r"[\s,]*(?:(?:or|and|nor)\s+)?(?:(?:an?|the)\s+)?", re.I)
#: Before a label: something is said to be it.
ASSERTED = re.compile(
    r"\b(?:(?:it|this|that|he|she|they|(?:the|this) \w+(?: \w+){0,3}) (?:is|are|must be|can only be"
    r"|appears to be|seems to be|shows|depicts|features|says|reads)|(?:it|that|he|she)'s)"
    r"(?: (?:clearly|definitely|indeed|actually|most likely|probably|likely|in fact|of|very|quite"
    r"|rather)){0,2}"
    r"(?: (?:an?|the|some))?[ \"']*$|\b(?:mostly|mainly|primarily|predominantly|largely) $",
    re.I,
)


def one_of(text: str, found: Sequence[Place], question: str) -> int | None:
    """Return which of several options an answer means that names them; None where that is open."""
    found, affirmed = _without_asked(text, found)
    if affirmed is not None or len({label.value for label in found}) < 2:
        return affirmed if affirmed is not None else found[0].value if found else None
    for read in (_compared, _most):
        if (index := read(text, found, question)) is not None:
            return index
    asides = [_ASIDE.match(text, each.end) for each in found]
    asked = [m is None or m[1] in plain(question).split() for m in asides]
    conceded = [f for f, own in zip(found, asked, strict=True) if own and not _conceded(text, f)]
    found = conceded or found
    if len({label.value for label in found}) == 1:
        return found[0].value
    for spans in (sentences(text), clauses(text)):
        start, stop = around(spans, found[-1].end)
        here = {label.value for label in found if start <= label.start < stop}
        if len(here) == 1 and CONCLUSION.search(text, start, stop):
            return found[-1].value
    index = about(text, found, question)
    if index is not None:
        return index
    if _opens(text, found):
        return found[0].value
    asserted = [f for f in found if ASSERTED.search(text[max(0, f.start - 60) : f.start])]
    if len({f.value for f in asserted}) == 1:
        start, stop = around(clauses(text), asserted[-1].end)
        if {f.value for f in found if start <= f.start < stop} == {asserted[-1].value}:
            return asserted[-1].value
    return None


_NOT_AS = re.compile(r"(?:n't|\bnot) (?:as|so) (\w{3,}) as\b", re.I)
_THAN = re.compile(r"\b(\w+) than\b", re.I)


def _compared(text: str, found: Sequence[Place], question: str) -> int | None:
    """The one of two things that is more of what a question asks ("Which is larger?"): "the square
    is bigger than the circle"."""
    if len(found) != 2:
        return None
    less = _NOT_AS.search(text, found[0].end, found[1].start)
    if less and any(re.match(rf"{less[1][:3]}\w*er$", each) for each in plain(question).split()):
        return found[1].value
    than = _THAN.search(text, found[0].end, found[1].start)
    if not than or "." in text[found[0].end : found[1].start]:
        return None
    said, asked = than.group(1).lower(), set(plain(question).split())
    others = opposites().get(said, frozenset())
    if others & asked:
        return found[1].value
    same = said in asked or any(others & opposites().get(each, frozenset()) for each in asked)
    return found[0].value if same else None


_SUPERLATIVE = re.compile(r"(?<!not )\bthe (most|least|\w{2,}est)\b")


def _most(text: str, found: Sequence[Place], question: str) -> int | None:
    """The one that a clause says is most of what is asked: "Oslo is the lowest"."""
    same = meanings()["synonyms"]
    asked = {word for one in _SUPERLATIVE.findall(question) for word in (one, *same.get(one, ()))}
    parts = [around(clauses(text), each.end) for each in found] if asked else []
    said = [[each in asked for each in _SUPERLATIVE.findall(text[slice(*p)])] for p in parts]
    most = {each.value for each, one in zip(found, said, strict=False) if any(one)}
    return most.pop() if len(most) == 1 else None


_YES = re.compile(rf"\W*(?:{YES})(?!\w)", re.I)


def _without_asked(text: str, found: Sequence[Place]) -> tuple[list[Place], int | None]:
    """Labels without those that are only asked about ("A fox?"), and the only one that is answered
    with yes."""
    told: list[Place] = []
    affirmed: set[int] = set()
    for label in found:
        _, end = around(sentences(text), label.end)
        if text[end - 1] != "?":
            told.append(label)
        elif _YES.match(text, end):
            affirmed.add(label.value)
    if len(affirmed) == 1:
        return told, affirmed.pop()
    return told or list(found), None


_CONCEDES = re.compile(
    r"(?:\b(?:though|although|even though|despite|albeit|even if)\b|^while\b)[^.;!?\n]*$"
    r"|\b(?:resembl\w+|similar to|reminiscent of|too (?:\w+) (?:for|to be))\s+(?:an?\s+|the\s+)?$",
    re.I,
)
#: Behind a label: it is told by the way.
_ASIDE = re.compile(r" (?:(?:on|in) the |(?:next to|beside|behind) )(side|background|it)\b(?! of)")
#: Characters before a label that tell of it.
_NEAR = 200
_MAIN = re.compile(r",\s+(?!(?:and|or)\b)")


def conceded_first(text: str, label: Place) -> bool:
    """Return whether a label stands in a clause that opens a sentence and concedes something."""
    start, _ = around(sentences(text), label.end)
    near = text[max(start, label.start - _NEAR) : label.start]
    return _conceded(text, label) and _CONCEDES.match(near) is not None


def _conceded(text: str, label: Place) -> bool:
    """Whether a label stands in a clause that only concedes something."""
    start, _ = around(sentences(text), label.end)
    near = text[max(start, label.start - _NEAR) : label.start]
    found = _CONCEDES.search(near)
    if found is None:
        return False
    # "While the roof is red, the house is white": the main clause follows the comma.
    opens = not near[: found.start()].strip()
    return not (opens and _MAIN.search(near, found.start()))


_OPENED = re.compile(
    r"(?: the \w+)?[\"'*]*\s*(?:[.:;!(\n]|$|-+\s|[^\w\s,.;:!?()\"'-]|,\s*(?!(?:or|and)\b))"
)


def _opens(text: str, found: Sequence[Place]) -> bool:
    """Whether the first label is an answer of its own, which what follows explains."""
    first = found[0]
    lead = text[: first.start].strip(" \"'*\n")
    if lead and LEAD_IN.fullmatch(f"{lead} ") is None:
        return False
    other = next(each for each in found if each.value != first.value)
    between = text[first.end : other.start]
    if LISTED.fullmatch(between) or not _OPENED.match(text, first.end):
        return False
    return not CORRECTION.search(between) and not HEDGES.search(between)
