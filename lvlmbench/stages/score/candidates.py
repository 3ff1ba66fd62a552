"""What numbers and colors a reply says, and where."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from lvlmbench.scene.answers import COLOR_WORDS, NUMBER_WORDS
from lvlmbench.stages.score.wording import ruled_out


class Said(NamedTuple):
    """A value at a place of a text; None where it is only a bound, or two in one."""

    start: int
    end: int
    value: str | None


_WORDS = {
    **{word.replace("-", join): str(n) for n, word in enumerate(NUMBER_WORDS) for join in "- "},
    **{f"{word} hundred": f"{n}00" for n, word in enumerate(NUMBER_WORDS[:10]) if n},
    **{"a hundred": "100", "half a dozen": "6", "half dozen": "6"},
    **{"dozen": "12", "a dozen": "12", "none": "0"},
}
#: The same of words that count times, where times are asked for.
_TIMES = {"once": "1", "twice": "2", "thrice": "3", "never": "0"}


def _one_of(words: object) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))  # type: ignore[call-overload]


_NUMBER = re.compile(
    r"(?<![\w.,/-])(?P<digits>-?(?:\d{1,3}(?:,\d{3})+|\d+))(?:\.(?P<rest>\d+))?"
    r"(?=(?:cm|mm|km|m|px)?(?:[^\w]|$))(?!,\d)(?!\.\d)"
    rf"|\b(?P<word>{_one_of([*_WORDS, *_TIMES])})\b(?!-)"
    r"|(?<=\bare )(?P<no>no)(?= \w)|(?<=\bsee )no(?= \w)",
    re.I,
)
#: Before a number: it counts the whole of which the answer is a part, or is a name.
_WHOLE = re.compile(
    r"(?:(?:^|[^\w\s]\s*|\b(?:\d+|out|some|most|all|each|half|part|many|which|few|both"
    rf"|only|{_one_of(_WORDS)})(?: \w+)? )of(?: the| all| these| those)*"
    r"|\b(?:pictures?|panels?|images?|figures?|rows?|columns?|steps?|quadrants?|parts?|series"
    r"|photos?|tiles?|weeks?|day)[ #]*(?:\d+(?:, and|,| and) )*|\bno\.)\s*$",
    re.I,
)
#: Around a number behind a picture: it counts what the picture shows.
_SHOWS = re.compile(r"\b(?:in|on) (?:the|this) (?:picture|image|photo)\s+$", re.I)
_SHOWN = re.compile(
    r"\s+(?!(?:the|an?|it|there)\b)\w+(?:\s+\w+)?\s+(?:are|is|were|was|can|have|has|appear)\b", re.I
)
#: Before a number: its sign, where nothing is subtracted.
_MINUS = re.compile(
    rf"(?:(?P<from>\d\S*|\b(?:{_one_of(_WORDS)}))\s+(?:\w+\s+)?)?\b(?:minus|negative)\s+$", re.I
)
#: Before or after "one": it is a pronoun.
_PRONOUN = re.compile(
    r"\b(?:the|this|that|each|every|which|another|other|any|some|no|left|right|first|second|third"
    r"|last|next|odd|\w+er|by|at)\s+$",
    re.I,
)
_PRONOUN_AFTER = re.compile(
    r"\s+(?:by one|can|could|who|must|should"
    r"|thing (?:i|to|(?:is|was) (?:clear|sure|for sure|certain|obvious)))\b",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:at (?:the )?(?:least|most)|(?:more|less|fewer) than|over|under"
    r"|(?<!(?:add|dds|sum|ums|ing) )up to|or more|minimum|maximum)\s+$"
    r"|^\W*(?:greater|larger|smaller|higher|lower) than\s+$"
    r"|(?:(?<![-=])[<>]=?|[\u2264\u2265\u2266\u2267])\s*$|(?:^|\s)-$",
    re.I,
)
_BOUND_AFTER = re.compile(
    r"\s*(?:\+(?!\s*\d)|or (?:more|fewer|less|so)\b|[-~]\s*\d|\.{2,}\s*\d|[<>\u2264\u2265])"
    r"|[\s,(]*(?:\w+[\s,(]+){0,2}?(?:at (?:the )?(?:most|least)|or (?:more|fewer|less)"
    r"|minimum|maximum)\b"
    r"|[ -](?:hundred|thousand|[mb]illion|dozen)s?\b|\s+and an? (?:half|quarter|third)\b"
    rf"|(?: \w+)?\s*(?:[+*\u00d7]|\b(?:plus|minus|times)\b)\s*(?:\d|(?:{_one_of(_WORDS)})\b)",
    re.I,
)
_PART_OF = re.compile(r"/(?P<whole>\d+)")
_ASKED_OF = re.compile(rf"\bof the (?P<whole>\d+|{_one_of(_WORDS)})\b", re.I)
#: What is added up, before the sum.
_ADDENDS = re.compile(
    rf"(?<![\d+*\u00d7-]\s)(?<![+*\u00d7])(?<!\d-)(?<!plus\s)(?<!minus\s)(?<!times\s)"
    rf"(?:(?:\d+|{_one_of(_WORDS)})(?:[\u00b0%]| \w+)?\s*"
    r"(?:[-+*\u00d7]|\bplus\b|\bminus\b|\btimes\b)\s*)++"
    rf"(?:\d+|{_one_of(_WORDS)})(?:[\u00b0%]| \w+)?\s*(?:=|equals|makes|gives|is)\s*",
    re.I,
)
_LISTED = re.compile(r"^[ \t]*[-(]?\d+[.):](?=[ \t]+\S)", re.M)


def numbers(text: str, question: str) -> list[Said]:
    """Return numbers that a cleaned text says, in digits: those that may be an answer."""
    times = re.search(r"\b(?:times|often)\b", question) is not None
    listed = list(_LISTED.finditer(text))
    gone = [m.span() for m in _ADDENDS.finditer(text)]
    gone += [m.span() for m in listed] if len(listed) > 1 else []
    return [
        said
        for said in _all_numbers(text, times, _asked_of(question))
        if not any(start <= said.start < end for start, end in gone)
    ]


def _asked_of(question: str) -> set[str]:
    """The whole of which a question asks for a part, in digits."""
    return {_WORDS.get(m["whole"].casefold(), m["whole"]) for m in _ASKED_OF.finditer(question)}


def _all_numbers(text: str, times: bool, wholes: Container[str]) -> Iterator[Said]:
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        before = text[max(0, start - 40) : start]
        word = (match["word"] or "").casefold()
        if match["digits"]:
            rest = (match["rest"] or "").rstrip("0")
            value: str | None = str(int(match["digits"].replace(",", ""))) + (rest and f".{rest}")
        elif word in _TIMES:
            if not times:
                continue
            value = _TIMES[word]
        else:
            value = _WORDS[word] if word else "0"
        if word == "one" and (_PRONOUN.search(before) or _PRONOUN_AFTER.match(text, end)):
            continue
        shown = _SHOWS.search(before) and _SHOWN.match(text, end)
        if (_WHOLE.search(before) and not shown) or ruled_out(text, start, end):
            continue
        sign = _MINUS.search(before)
        if sign and not sign["from"] and value != "0":
            start, value, before = start - len(sign.group()), f"-{value}", before[: sign.start()]
        part = _PART_OF.match(text, end)
        of_another = part and part["whole"] not in wholes
        if of_another or _BOUND.search(before) or _BOUND_AFTER.match(text, end):
            value = None
        yield Said(start, end, value)


_SHADE = (
    r"(?:light|dark|bright|pale|deep|sky|navy|royal|forest|hot|lime|olive|baby|pastel|solid|vivid"
    r"|mostly|off|dull|medium|[a-z]+ish)[ -]"
)
_COLOR = re.compile(
    rf"\b(?:{_SHADE}){{0,3}}(?P<color>{_one_of(COLOR_WORDS)})(?P<also>[-/](?:{_one_of(COLOR_WORDS)})\b)?"
    r"(?:ish|-colored)?\b",
    re.I,
)


def colors(text: str) -> list[Said]:
    """Return colors that a cleaned text says: those that are not ruled out."""
    found = [match for match in _COLOR.finditer(text) if not ruled_out(text, *match.span())]
    return [Said(*match.span(), _one_color(match["color"], match["also"])) for match in found]


def _one_color(*words: str | None) -> str | None:
    """The color that words name; None where they name two."""
    found = {COLOR_WORDS[word.strip("-/").casefold()] for word in words if word}
    return found.pop() if len(found) == 1 else None
