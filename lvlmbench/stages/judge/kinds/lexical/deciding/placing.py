"""Which of the values that an answer names stands where an answer does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TypeAlias

from lvlmbench.stages.judge.kinds.lexical.deciding.listing import grouped, rows
from lvlmbench.stages.judge.kinds.lexical.deciding.units import counted, other_unit
from lvlmbench.stages.judge.kinds.lexical.deciding.values import Mention, Sought
from lvlmbench.stages.judge.kinds.lexical.deciding.wanted import nearness, stems
from lvlmbench.stages.score.cleaning import CLOSE, OPEN
from lvlmbench.stages.score.refusal import UNDECIDED
from lvlmbench.stages.score.wording import ANNOUNCE, CHOOSE, LINK, RETRACTION


class Verdict(Enum):
    """What an answer gives: the value, another, or nobody can tell by rules."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCLEAR = "unclear"


#: A sentence: where it begins and ends, and the values in it.
_Line: TypeAlias = tuple[int, int, list[Mention]]
RIGHT, WRONG, UNCLEAR = Verdict.RIGHT, Verdict.WRONG, Verdict.UNCLEAR

#: What may stand before a value that leads a sentence.
_BEFORE = re.compile(
    r"[\W_]*+(?:(?:yes|sure|of course|well|ok(?:ay)?|(?:final )?answer(?: is)?|it(?:'s| is| has"
    r"| was| says| reads| shows| looks(?: like)?)|th(?:at|is|ese|ose)(?:'s| is| are| would be| was)"
    r"|they(?:'re| are)|there(?:'s| is| are| were| would be)"
    r"|i (?:can )?(?:see|count|find|found|spot|think|believe|read|would say)"
    r"|(?:you|we)(?:'re| are| can)? (?:see|looking at)|i'd say|exactly|just|only|the|an?|all|in|its"
    r"|called|by|word|color|colou?red"
    r"|(?:probably|likely|clearly)|to|of|on|is|at|picture at|one|panel)\b[\W_]*+)*+",
    re.I,
)
#: Behind it: it stands alone.
_ALONE = re.compile(
    r"[\"')\]]*(?:\s*(?:(?:cm|mm|km|m|kg|g|l|px|percent|degrees?)(?![A-Za-z])|°[CF]?|%)²?)?"
    r"(?: (?:apart|more|left|together|altogether|in (?:all|total)|years?|hours?|minutes?|times"
    r"|units?|dollars?|euros?|(?:percentage )?points?)(?=\W|$))?"
    r"\s*(?:$|[.:;\u27e7]|\([^()]*\)\s*(?:$|[.:;,])|,(?! (?:and|or)\b)| - "
    r"| (?:with|because|since|as|at|for|in)\b)",
    re.I,
)
_CONCLUDES = re.compile(
    r"(?:^|[.,;:(]\s*|\band )(?:so|therefore|thus|hence|overall|altogether|finally|in total"
    r"|(?:all )?in all|in conclusion|in summary|leaving"
    r"|(?:this|that|which) (?:means|makes(?! up\b)|leaves|gives)"
    r"|making|adding (?:them|up))\b|\b(?:together (?:they|that|it)|makes?(?! up\b)|giv(?:es|ing)"
    r"|equals|leaves|yields|comes? to|results? in|but (?:it|that|this|they)(?:'s| is| are)"
    r"|adds? up to|brings (?:the total|it|this|that) to|therefore|thus|hence"
    r"|for a total of|a total of|the (?:total|sum|difference"
    r"|average|mean|result) (?:is|would be|of))\b|[:;] so\b"
    r"|^(?:the )?(?:sum|total|difference|average|mean|result)\b"
    r"|,\s+(?=\w+ of (?:which|them|these|those|whom)\b)",
    re.I,
)
#: The same of what is worked out: "60, 50 and 40, which is 150 together".
_WORKS = re.compile(
    rf"{_CONCLUDES.pattern}|[:;] (?:they|it|that|this|there)\b|\bso (?!many|much|that\b)"
    r"|^(?-i:there) (?!is|are)|\blater\b|\bafter (?:that|it|\d+)\b"
    r"|\b(?:this|that|which)(?: is|'s)\b|\bi\.?e\b|\b(?:together|combined)\b"
    r"|\b(?:we|you|i) (?:get|have|end up with)\b|(?:\b(?:plus|minus) |\d ?[-+*])(?:\S+ ){1,3}is\b",
    re.I,
)
_ANNOUNCED = re.compile(
    rf"(?<![A-Za-z])(?:{ANNOUNCE}{LINK}|{CHOOSE})(?:the |an? |about )?[\"'(]?$", re.I
)
#: Before a value: it may be another as well.
_MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|(?-i:may)|could|either|not sure|unsure)\b"
    r"(?:(?! but\b)[^.;\n]){0,60}$",
    re.I,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|some|close to|over"
    r"|under|above|below|(?:more|less|fewer) than|at (?:least|most))|[~<>\u2248])\s*$",
    re.I,
)
#: Before a value: what is told is compared with it, or stands beside it.
_BESIDE = re.compile(
    r"\b(?:than|unlike|(?<!looks )(?<!seems )like|against|beats?|exceeds?|resembl(?:es|ing)|such as"
    r"|similar to|(?:ahead|left|right|top|front|instead) of|next to|beside|near|behind|above|below"
    r"|under|over|with|(?:may|might|could) \w+|borders?|bordering"
    r"|facing|opposite|follow(?:s|ing|ed by)|before|after|until|(?:up|down|r[io]se|fell) from)"
    r"\s+(?:the |an? |its |marker )?(?:\w+ )?[\"']?$",
    re.I,
)
#: Before a value: it is in a relative clause.
_OF_CLAUSE = re.compile(
    r"(?:,? (?:which|who|whose|where)|\bthan|\bthat (?:\w+s|are|have|were))\b[^,.;\n]{0,40}"
    r"\s+(?:the |an? |its )?(?:\w+ )?[\"']?$",
    re.I,
)
#: Before a value: something is said to be it. Behind one: it is only thought of.
_SAYS_IT = re.compile(
    r"\b(?:it|this|that|these|those|he|she|they)(?:'s|'re| is| are| was| must be)"
    r" (?:an? |the |clearly |probably |most likely )*(?:\w+ )?[\"']?$",
    re.I,
)
_WOULD = re.compile(r"[\"')]*\s+(?:would|could|might)\b", re.I)
#: Behind a color: the thing that has it.
_NAMED = re.compile(
    r" (?!(?:and|or|in|with|but|while|colou?r|than|is|are|on|too|as|because|one)\b)[a-z]+"
)
_RELATIVE = re.compile(r"^\W*(?:[\w'-]+ ){0,3}[\w'-]+, (?:which|who|whose|where)\b[^,.;\n]*$", re.I)
_FEWER = re.compile(r"\b(?:fewer|less)\s+(?:\w+\s+){0,2}$", re.I)
_IS = re.compile(r"(?:\b(?:is|are|was|were|be|shows?|has|have|says?|reads?|looks?|=)|=)\s*"
                 r"(?:exactly |just |only |an? |the )?[\"'(]?$", re.I)  # fmt: skip
_BECAUSE = re.compile(
    r"^\W*(?:because|since)\b[^,]*$|(?<!^)\b(?:because|since)\b"
    r"(?:(?!, (?:it|that|this|the|they|there|he|she|you|we|i|so)\b)[^;])*$",
    re.I,
)
#: Before a value: what one starts from.
_GIVEN = re.compile(
    r"\W*(?:(?:at|from) |(?:if|since|as|because|with|after|given|considering|starting|beginning"
    r"|although|though|while|when)\b[^,]*)",
    re.I,
)
#: Behind a value: the reason for it.
_REASON = re.compile(r",? (?:because|since|as)\b", re.I)
_WORKED = ("number", "time")  # kinds of values that are worked out from others
#: Where a sentence parts, the clearest first.
_CUTS = (
    re.compile(r"[;(]|\b(?:while|whereas|but|though|although)\b", re.I),
    re.compile(r"\b(?:and|then)\b", re.I),
    re.compile(r"[,:]"),
)
_BRACKETS = re.compile(r"\([^()\n]*\)")
#: Values above which nobody reads on; characters before a value that tell of it.
_MANY, _NEAR = 200, 200
_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")


def decided(text: str, sought: Sought) -> Verdict:
    """Return what a text, of which each line is a sentence, gives as its answer."""
    boxes = _BOX.findall(text)
    if boxes and (boxed := sought.mentions(boxes[-1])):
        return _of(boxed)
    about = " ".join((sought.question, *sought.forms))
    every = counted(text, sought.mentions(text), about, sought.sort)
    if len(every) > _MANY:
        return UNCLEAR if any(each.right for each in every) else WRONG
    every = [each for each in every if not _asked(text, each)]
    standing = [_turned(text, each, sought) for each in every]
    held = [each for each in standing if not each.denied]
    if not any(each.right for each in held):
        return _without(text, standing, held)
    back = [match.end() for match in RETRACTION.finditer(text)]
    if back:
        return _retracted(text[back[-1] :], sought)
    verdict = _over(text, _lines(text, held), sought)
    if verdict is RIGHT:
        return UNCLEAR if _doubtful(text, standing, held, sought) else RIGHT
    said = text[: held[-1].start].rpartition("\n")[2]
    return UNCLEAR if held[-1].right and _CONCLUDES.search(said) else verdict


def _of(found: Sequence[Mention]) -> Verdict:
    """What values say that stand together."""
    kinds = {each.right for each in found}
    if kinds == {True}:
        return RIGHT
    return WRONG if kinds == {False} else UNCLEAR


def _without(text: str, standing: Sequence[Mention], held: Sequence[Mention]) -> Verdict:
    """Where the value is not said: wrong, but for a bound that it may be in."""
    bound = [each for each in held if each.right is None]
    return UNCLEAR if bound and bound[-1] is held[-1] else WRONG


def _asked(text: str, each: Mention) -> bool:
    end = text.find("\n", each.end)
    line = text[text.rfind("\n", 0, each.start) + 1 : len(text) if end < 0 else end]
    return line.rstrip("\"') ").endswith("?")


def _turned(text: str, each: Mention, sought: Sought) -> Mention:
    """A value that is said to be less, where more is asked for, is denied."""
    more = re.search(r"\bmore\b", sought.question, re.I) and sought.sort == "text"
    if more and _FEWER.search(text[max(0, each.start - 40) : each.start]):
        return Mention(each.start, each.end, each.value, each.right, True)
    return each


def _lines(text: str, held: Sequence[Mention]) -> list[_Line]:
    """Sentences that name values."""
    found, start = [], 0
    for line in text.split("\n"):
        inside = [each for each in held if start <= each.start < start + len(line)]
        if inside:
            found.append((start, start + len(line), inside))
        start += len(line) + 1
    return found


def _retracted(rest: str, sought: Sought) -> Verdict:
    """What is said behind "wait" and the like: where it leads with a value, that one."""
    lines = _lines(rest, [each for each in sought.mentions(rest) if not each.denied])
    parts = _all_parts(rest, lines, sought) if lines else []
    if any(part.concludes for part in parts) or (
        parts and _stands(rest, parts[0].line, parts[0].found[0])
    ):
        return _over(rest, lines, sought)
    return UNCLEAR


def _over(text: str, lines: list[_Line], sought: Sought) -> Verdict:
    """What the part of a text says that decides: what is announced, concluded, or said for itself,
    else what stands with the words that are asked for."""
    parts = _all_parts(text, lines, sought)
    announced = [p for p in parts if _ANNOUNCED.search(text[max(p.line, p.at - 80) : p.at])]
    strong = not parts[0].aside and _stands(text, parts[0].line, parts[0].found[0])
    first = parts[0].verdict
    concluded = [part for part in parts if part.concludes and not part.aside]
    if concluded:
        later = parts[parts.index(concluded[-1]) :]
        concluded = [max((p for p in later if not p.aside), key=lambda part: part.near)]
    for last in (announced, concluded):
        if last:
            return UNCLEAR if strong and first is not last[-1].verdict else last[-1].verdict
    if (found := rows(text, lines, sought)) is not None:
        return Verdict(found)
    least = min(part.aside for part in parts)
    told = [part for part in parts if part.aside == least]
    again = any(part.verdict is not first and _alike(text, parts[0], part) for part in told)
    if strong and not again:
        return first
    return _compared(text, told, sought, leads=told[0] is parts[0] and not again)


def _compared(text: str, told: Sequence[_Part], sought: Sought, leads: bool) -> Verdict:
    """What several parts say of which none decides by itself: that with most words of what is
    asked for; else what was said last of what is worked out, and first of names."""
    if len({part.verdict for part in told}) == 1:
        return told[0].verdict
    most = max(part.near for part in told)
    best = [part for part in told if part.near == most]
    best = [part for part in best if len({each.right for each in part.found}) == 1] or best
    one, last = told[0], best[-1]
    before = text[one.line : one.at]
    leading = leads and (
        _leads(text[one.line :], one.found[0], one.line) or _SAYS_IT.search(before)
    )
    if len({part.verdict for part in best}) == 1:
        early = sought.sort in _WORKED and last is not told[-1] and not leading
        return UNCLEAR if early else last.verdict
    if sought.sort in _WORKED or text[last.at - 1] in ('"', "'"):
        return last.verdict if _alone(text, last.found[-1]) and not leading else UNCLEAR
    return one.verdict if leading and sought.sort == "text" else UNCLEAR


@dataclass(frozen=True)
class _Part:
    """A stretch of a sentence that tells one value, or several side by side.

    Attributes
    ----------
    line
        Where its sentence begins.
    near
        How many words of what is asked for it has, less their opposites.
    aside
        How surely its value is told of something else, from 0 to 2.
    concludes
        Whether its value is what was worked out.
    """

    line: int
    found: list[Mention]
    verdict: Verdict
    near: int
    aside: int
    concludes: bool

    @property
    def at(self) -> int:
        """Where its first value stands."""
        return self.found[0].start


def _all_parts(text: str, lines: Sequence[_Line], sought: Sought) -> list[_Part]:
    """The parts of all sentences; a calculation goes on until a value has been stated."""
    goes_on = sought.sort in _WORKED and not _stands(text, lines[0][0], lines[0][2][0])
    marks = _WORKS if goes_on else _CONCLUDES
    return [part for line in lines for part in _parts(text, line, sought, marks)]


def _parts(text: str, line: _Line, sought: Sought, marks: re.Pattern[str]) -> Iterator[_Part]:
    """The parts of a sentence."""
    start, end, inside = line
    groups = grouped(text, inside)
    cuts = [start, *(_cut(text, a[-1].end, b[0].start) for a, b in pairwise(groups)), end]
    last = start
    for at, group in enumerate(groups):
        verdict = _of(group)
        if len({each.right for each in group}) > 1 and not _MAYBE.search(
            text[start : group[0].start]
        ):
            verdict = WRONG
        if verdict is RIGHT:
            verdict = _single(text, start, group, sought)
        before = max((cut for cut in cuts[: at + 1] if cut is not None), default=start)
        behind = min((cut for cut in cuts[at + 1 : -1] if cut is not None), default=end)
        tail = [m.start() for cut in _CUTS[:2] for m in cut.finditer(text, group[-1].end, behind)]
        ends = [start + m.end() for m in marks.finditer(text[start : group[0].start])]
        concludes = (bool(ends) and ends[-1] >= last) or "=" in text[last : group[0].start]
        last_one = at + 1 == len(groups) or _REASON.match(text, group[-1].end)
        given = not last_one and _GIVEN.fullmatch(text[start : group[0].start])
        yield _Part(
            start,
            group,
            verdict,
            nearness(text[before : min(tail, default=behind)], sought.question),
            2 if given else _aside(text, line, group[0], sought.sort, concludes),
            concludes,
        )
        last = group[-1].end


def _cut(text: str, start: int, end: int) -> int | None:
    """Where the words between two values part; None where they do not."""
    for mark in _CUTS:
        found = [match.start() for match in mark.finditer(text, start, end)]
        if found:
            return found[-1]
    return None


def _single(text: str, start: int, inside: Sequence[Mention], sought: Sought) -> Verdict:
    """The one value of a sentence, where it is not said of something else."""
    before = text[start : inside[0].start]
    if sought.sort == "text" and _RELATIVE.search(before):
        return WRONG
    led = re.match(r"\W*(?:an?|the) (?P<what>\w+)[^,.;:]*$", before, re.I)
    other = led and stems(led["what"]).isdisjoint(stems(sought.question))
    beside = _BESIDE.search(before) or _OF_CLAUSE.search(before)
    if sought.sort == "text" and other and beside and not _IS.search(before):
        return UNCLEAR
    return RIGHT


def _stands(text: str, line: int, each: Mention) -> bool:
    """Whether a sentence begins with a value, which stands alone."""
    return _leads(text[line:], each, line) and _alone(text, each)


def _alike(text: str, one: _Part, other: _Part) -> bool:
    """Whether a later value stands for itself as well, or is an entry of the same list."""
    if other.line > one.line:
        return _stands(text, other.line, other.found[0])
    return all(text[part.found[-1].end :].startswith(":") for part in (one, other))


def _leads(text: str, each: Mention, start: int = 0) -> bool:
    """Whether a sentence begins with a value."""
    return _BEFORE.fullmatch(text[: each.start - start]) is not None


def _alone(text: str, each: Mention) -> bool:
    """Whether what follows a value belongs to no name or count."""
    return _ALONE.match(text[each.end :].partition("\n")[0]) is not None


def _aside(text: str, line: _Line, each: Mention, sort: str, concludes: bool) -> int:
    """How surely a value is said of something beside what is meant: "than red", "the red mug"."""
    start, end, _ = line
    before = text[max(start, each.start - _NEAR) : each.start]
    brackets = (m.span() for m in _BRACKETS.finditer(text[start:end]))
    inside = any(a < each.start - start < b for a, b in brackets)
    if inside or _BECAUSE.search(before) or _BESIDE.search(before):
        return 2
    thought = sort == "text" and _WOULD.match(text, each.end)
    if thought or (not concludes and _OF_CLAUSE.search(before)):
        return 2
    return int(sort == "color" and bool(_NAMED.match(text, each.end)) and not _IS.search(before))


def _doubtful(
    text: str, standing: Sequence[Mention], held: Sequence[Mention], sought: Sought
) -> bool:
    """Whether the value is denied as well, only perhaps so, only about so, or of another unit."""
    own = [each for each in held if each.right]
    if any(each.denied and each.right for each in standing) or UNDECIDED.search(text):
        return True
    before = [text[max(0, e.start - _NEAR) : e.start].rpartition("\n")[2] for e in own]
    if any(map(_MAYBE.search, before)) or sought.sort != "number":
        return any(map(_MAYBE.search, before))
    units = (other_unit(text[each.end :], sought.question) for each in own)
    return all(map(_ABOUT.search, before)) or any(units)
