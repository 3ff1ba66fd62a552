"""Which of the values that an answer names stands where an answer does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from lvlmbench.stages.judge.kinds.lexical.deciding.listing import listed, rows
from lvlmbench.stages.judge.kinds.lexical.deciding.units import counted, other_unit
from lvlmbench.stages.judge.kinds.lexical.deciding.values import Mention, Sought
from lvlmbench.stages.judge.kinds.lexical.deciding.wanted import focus, stems
from lvlmbench.stages.score.cleaning import CLOSE, OPEN
from lvlmbench.stages.score.refusal import UNDECIDED
from lvlmbench.stages.score.wording import ANNOUNCE, CHOOSE, LINK, RETRACTION


class Verdict(Enum):
    """What an answer gives: the value, another, or nobody can tell by rules."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCLEAR = "unclear"


RIGHT, WRONG, UNCLEAR = Verdict.RIGHT, Verdict.WRONG, Verdict.UNCLEAR

#: What may stand before a value that leads a sentence.
_BEFORE = re.compile(
    r"[\W_]*+(?:(?:yes|sure|of course|well|ok(?:ay)?|(?:final )?answer(?: is)?|it(?:'s| is| has"
    r"| was| says| reads| shows| looks(?: like)?)|th(?:at|is|ese|ose)(?:'s| is| are| would be| was)"
    r"|they(?:'re| are)|there(?:'s| is| are| were| would be)|i (?:see|count|think|believe|read"
    r"|would say)|i'd say|exactly|just|only|the|an?|all|in|its|called|by|word|color|colou?red"
    r"|(?:probably|likely|clearly)|to|of|is|at|picture at|one|panel)\b[\W_]*+)*+",
    re.I,
)
#: Behind it: it stands alone.
_ALONE = re.compile(
    r"[\"')\]]*(?:\s*(?:(?:cm|mm|km|m|kg|g|l|px|percent|degrees?)(?![A-Za-z])|°|%)²?)?"
    r"(?: (?:apart|more|left|together|altogether|in (?:all|total)|years?|times)(?=\W|$))?"
    r"\s*(?:$|[.:;(\u27e7]|,(?! (?:and|or)\b)| - | (?:with|because|since|as|at|for|in)\b)",
    re.I,
)
_CONCLUDES = re.compile(
    r"(?:^|[.,;:(]\s*|\band )(?:so|therefore|thus|hence|overall|altogether|finally|in total|in all"
    r"|in conclusion|in summary|(?:this|that|which) (?:means|makes(?! up\b)|leaves|gives)|leaving"
    r"|making|adding (?:them|up))\b|\b(?:together (?:they|that|it)|makes?(?! up\b)|giv(?:es|ing)"
    r"|equals|leaves|yields|comes? to|but (?:it|that|this|they)(?:'s| is| are)"
    r"|adds? up to|for a total of|a total of|the (?:total|sum|difference|average"
    r"|mean|result) (?:is|would be|of))\b|[:;] so\b"
    r"|^(?:the )?(?:sum|total|difference|average|mean|result)\b"
    r"|,\s+(?=\w+ of (?:which|them|these|those|whom)\b)",
    re.I,
)
#: The same, where nothing was said for itself before.
_GOES_ON = re.compile(
    rf"{_CONCLUDES.pattern}|[:;] (?:they|it|that|this|there)\b"
    r"|^(?-i:there|they|it|this|that)\b|\blater\b|\bafter (?:that|it|\d+)\b"
    r"|[.,;:(] ?(?:this|that)(?: is|'s)\b",
    re.I,
)
#: The same of numbers: "60, 50 and 40, which is 150 together". Of a name it tells more of it.
_COUNTS_ON = re.compile(rf"{_GOES_ON.pattern}|[.,;:(] ?which(?: is|'s)\b", re.I)
_ANNOUNCED = re.compile(
    rf"(?<![A-Za-z])(?:{ANNOUNCE}{LINK}|{CHOOSE})(?:the |an? |about )?[\"'(]?$", re.I
)
#: Before a value: it may be another as well.
_MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|(?-i:may)|could|either|not sure|unsure|if)\b[^.;\n]{0,60}$",
    re.I,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|some|close to|over"
    r"|under|above|below|(?:more|less|fewer) than|at (?:least|most))|[~<>\u2248])\s*$",
    re.I,
)
#: Before a value: what is told is compared with it, or stands beside it.
_BESIDE = re.compile(
    r"(?:\b(?:than|unlike|like|against|beats?|exceeds?|(?:ahead|left|right|top|front|instead) of"
    r"|next to|beside|near|behind|above|below|under|over|with|borders?|bordering|facing|opposite"
    r"|follow(?:s|ing|ed by)|before|after)|,? (?:which|who|whose|where|that)\b[^,.;\n]{0,40})"
    r"\s+(?:the |an? |its |marker )?(?:\w+ )?[\"']?$",
    re.I,
)
#: Behind a color: the thing that has it.
_NAMED = re.compile(
    r" (?!(?:and|or|in|with|but|while|colou?r|than|is|are|on|too|as|because|one)\b)[a-z]+"
)
_RELATIVE = re.compile(r"^\W*(?:[\w'-]+ ){0,3}[\w'-]+, (?:which|who|whose|where)\b[^,.;\n]*$", re.I)
_FEWER = re.compile(r"\b(?:fewer|less)\s+(?:\w+\s+){0,2}$", re.I)
_CLAUSE = re.compile(r"[,;:(\n]|\b(?:and|while|but|whereas|then)\b", re.I)
_ENDS = re.compile(r"[\"')]*(?:\s*[\w°%²]+){0,2}[\"')]*\W*$")
_IS = re.compile(r"(?:\b(?:is|are|was|were|be|shows?|has|have|says?|reads?|looks?|=)|=)\s*"
                 r"(?:exactly |just |only |an? |the )?[\"'(]?$", re.I)  # fmt: skip
_BECAUSE = re.compile(r"\b(?:because|since)\b", re.I)
_BRACKETS = re.compile(r"\([^()\n]*\)")
_WHILE = re.compile(r"\b(?:while|whereas|but)\b", re.I)
#: Values above which nobody reads on; characters before a value that tell of it.
_MANY, _NEAR = 200, 200
_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")


def decided(text: str, sought: Sought) -> Verdict:
    """Return what a text, of which each line is a sentence, gives as its answer."""
    boxes = _BOX.findall(text)
    if boxes and (boxed := sought.mentions(boxes[-1])):
        return _of(boxed)
    every = counted(text, sought.mentions(text), sought.question, sought.sort)
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
    lines = _lines(text, held)
    if (found := rows(text, lines, sought)) is not None:
        return Verdict(found)
    verdict = _over(text, lines, sought)
    if verdict is RIGHT and _doubtful(text, standing, held, sought):
        return UNCLEAR
    return verdict


def _of(found: Sequence[Mention]) -> Verdict:
    """What values say that stand together."""
    kinds = {each.right for each in found}
    if kinds == {True}:
        return RIGHT
    return WRONG if kinds == {False} else UNCLEAR


def _without(text: str, standing: Sequence[Mention], held: Sequence[Mention]) -> Verdict:
    """Where the value is not said: wrong, but for a bound that it may be in."""
    bound = [each for each in held if each.right is None]
    return UNCLEAR if bound and not any(each.right is False for each in held) else WRONG


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


def _lines(text: str, held: Sequence[Mention]) -> list[tuple[int, int, list[Mention]]]:
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
    found = [each for each in sought.mentions(rest) if not each.denied]
    if not found or not _leads(rest, found[0]) or not _alone(rest, found[0]):
        return UNCLEAR
    return _of(found)


def _over(text: str, lines: list[tuple[int, int, list[Mention]]], sought: Sought) -> Verdict:
    """What the sentence says that decides: what is announced, concluded, or said first."""
    announced = [
        each
        for start, _, inside in lines
        for each in inside
        if _ANNOUNCED.search(text[max(start, each.start - 80) : each.start])
    ]
    first = _sentence(text, lines[0], sought)
    opening = lines[0][2][0]
    strong = _leads(text[lines[0][0] :], opening, lines[0][0]) and _alone(text, opening)
    if announced:
        last = _of(announced[-1:])
        return UNCLEAR if strong and first is not last else last
    if len(lines) == 1:
        return first
    start, end, _ = lines[-1]
    last = _sentence(text, lines[-1], sought)
    if (_CONCLUDES if strong else _goes_on(sought)).search(text[start:end]) or "=" in text[
        start:end
    ]:
        return UNCLEAR if strong and first is not last else last
    if not strong and {first, last} == {RIGHT, WRONG} and len(lines) == 2:
        asked = focus(sought.question)
        if asked & stems(text[start:end]) and asked.isdisjoint(stems(text[slice(*lines[0][:2])])):
            return last
    if first is UNCLEAR:
        return UNCLEAR
    if first is WRONG:
        return WRONG if strong or _framed(text, lines[0]) else UNCLEAR
    same = [each for each in lines[1:] if _repeats(text, lines[0], each)]
    contradicted = any(_sentence(text, each, sought) is WRONG for each in same)
    if contradicted or (not strong and _closer(text, lines, sought)):
        return UNCLEAR
    return first


def _closer(text: str, lines: list[tuple[int, int, list[Mention]]], sought: Sought) -> bool:
    """Whether a later sentence has other values, and words of what is asked for that the first
    has not."""
    own = focus(sought.question) & stems(text[slice(*lines[0][:2])])
    return any(
        (focus(sought.question) & stems(text[each[0] : each[1]])) - own
        and _sentence(text, each, sought) is WRONG
        for each in lines[1:]
    )


def _framed(text: str, line: tuple[int, int, list[Mention]]) -> bool:
    start, end, inside = line
    rest = text[inside[0].end : end]
    return _leads(text[start:], inside[0], start) and not re.search(r"\w \w+ \w", rest)


def _repeats(
    text: str, one: tuple[int, int, list[Mention]], other: tuple[int, int, list[Mention]]
) -> bool:
    """Whether a sentence says the same as another of another value, or nothing but a value."""
    start, _, inside = other
    if _leads(text[start:], inside[0], start):
        return True
    begins = [text[each[0] : each[2][0].start].casefold().split() for each in (one, other)]
    return bool(begins[0]) and begins[0] == begins[1]


def _sentence(text: str, line: tuple[int, int, list[Mention]], sought: Sought) -> Verdict:
    """What one sentence says."""
    start, end, inside = line
    why = _BECAUSE.search(text, inside[0].end, end)
    if why:
        end, inside = why.start(), [each for each in inside if each.start < why.start()]
    said = text[start:end]
    spans = [(start + m.start(), start + m.end()) for m in _BRACKETS.finditer(said)]
    outer = [m for m in inside if not any(a < m.start < b for a, b in spans)]
    inside = outer or inside
    if said.rfind("=") > 0:
        behind = [each for each in inside if each.start > start + said.rfind("=")]
        if behind:
            return _of(behind[:1])
    if listed(text, inside, end):
        return WRONG
    kinds = {each.right for each in inside}
    if len(kinds) == 1:
        (right,) = kinds
        return _single(text, start, inside, sought) if right else _of(inside)
    leading = _leads(said, inside[0], start)
    first = _of(inside[:1])
    if leading and _alone(text, inside[0]):
        return UNCLEAR if _behind(_CONCLUDES, said, start, inside) not in (None, first) else first
    concluded = _behind(_goes_on(sought), said, start, inside)
    if concluded in (RIGHT, WRONG):
        return concluded
    by_words, surely = _by_focus(text, (start, end, inside), sought)
    if surely and by_words is not None:
        return by_words
    found = first if leading else _last(text, start, end, inside, sought)
    return found if by_words in (None, found) else UNCLEAR


def _last(text: str, start: int, end: int, inside: Sequence[Mention], sought: Sought) -> Verdict:
    """What a sentence says that leads with no value, and is no list."""
    given = [each for each in inside if not _aside(text, start, each, sought.sort == "color")]
    if len({each.right for each in given}) == 1:
        return _of(given)
    ending = inside[-1]
    quoted = text[ending.start - 1 : ending.start] in ('"', "'")
    if (sought.sort in ("text", "color") and not quoted) or _WHILE.search(
        text[inside[0].end : ending.start]
    ):
        return UNCLEAR
    if _IS.search(text[start : ending.start]) and _ENDS.match(text[ending.end : end]):
        return _of([ending])
    return UNCLEAR


def _goes_on(sought: Sought) -> re.Pattern[str]:
    """Words behind which what is meant stands, where nothing was said for itself before."""
    return _COUNTS_ON if sought.sort == "number" else _GOES_ON


def _behind(
    marks: re.Pattern[str], said: str, start: int, inside: Sequence[Mention]
) -> Verdict | None:
    """What stands behind the last words that conclude; None where nothing does, or all."""
    ends = [match.end() for match in marks.finditer(said)]
    behind = [each for each in inside if ends and each.start >= start + ends[-1]]
    return _of(behind) if behind and behind[0] is not inside[0] else None


def _single(text: str, start: int, inside: Sequence[Mention], sought: Sought) -> Verdict:
    """The one value of a sentence, where it is not said of something else."""
    before = text[start : inside[0].start]
    if sought.sort == "text" and _RELATIVE.search(before):
        return WRONG
    led = re.match(r"\W*(?:an?|the) (?P<what>\w+)[^,.;:]*$", before, re.I)
    other = led and stems(led["what"]).isdisjoint(stems(sought.question))
    if sought.sort == "text" and other and _BESIDE.search(before) and not _IS.search(before):
        return UNCLEAR
    return RIGHT


def _by_focus(
    text: str, line: tuple[int, int, list[Mention]], sought: Sought
) -> tuple[Verdict | None, bool]:
    """What the part of a sentence says that has most words of what is asked for.

    And whether it alone has any.
    """
    start, end, inside = line
    cuts = [start, *(start + m.start() for m in _CLAUSE.finditer(text[start:end])), end]
    asked = focus(sought.question)
    found = []
    for at, to in pairwise(cuts):
        own = [each for each in inside if at <= each.start < to]
        if own:
            found.append((len(asked & stems(text[at:to])), own))
    most = max((n for n, _ in found), default=0)
    best = [own for n, own in found if n == most]
    if len(found) < 2 or len(best) != 1 or not most:
        return None, False
    verdict = _of(best[0])
    alone = sum(n > 0 for n, _ in found) == 1
    return (None if verdict is UNCLEAR else verdict), alone


def _leads(text: str, each: Mention, start: int = 0) -> bool:
    """Whether a sentence begins with a value."""
    return _BEFORE.fullmatch(text[: each.start - start]) is not None


def _alone(text: str, each: Mention) -> bool:
    """Whether what follows a value belongs to no name or count."""
    return _ALONE.match(text[each.end :].partition("\n")[0]) is not None


def _aside(text: str, start: int, each: Mention, is_color: bool) -> bool:
    """Whether a value is said of something beside what is meant: "than red", "the red mug"."""
    before = text[max(start, each.start - _NEAR) : each.start]
    named = is_color and _NAMED.match(text, each.end) is not None and not _IS.search(before)
    return named or _BESIDE.search(before) is not None


def _doubtful(
    text: str, standing: Sequence[Mention], held: Sequence[Mention], sought: Sought
) -> bool:
    """Whether the value is denied as well, only perhaps so, only about so, or of another unit."""
    own = [each for each in held if each.right]
    if any(each.denied and each.right for each in standing) or UNDECIDED.search(text):
        return True
    for each in own:
        before = text[max(0, each.start - _NEAR) : each.start].rpartition("\n")[2]
        if _MAYBE.search(before):
            return True
        if sought.sort == "number" and (
            _ABOUT.search(before) or other_unit(text[each.end :], sought.question)
        ):
            return True
    return False
