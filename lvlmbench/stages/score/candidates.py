"""What numbers and colors a reply says, and where."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cache
from typing import NamedTuple

from lvlmbench.scene.answers import COLOR_WORDS, NUMBER_WORDS
from lvlmbench.stages.replies.data import meanings
from lvlmbench.stages.score.meanings import any_of
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


_SIGNS = {sign: n for n, sign in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2}
_EAST = "\u3040-\u9fff\uac00-\ud7af"


@cache
def _numbers() -> tuple[dict[str, str], re.Pattern[str]]:
    """Words for numbers with their digits, and an expression for all numbers."""
    lists = meanings()
    words = {w.casefold(): str(n) for n, several in lists["numbers"].items() for w in several}
    words |= _WORDS
    measures = "".join(lists["measures"])
    pattern = re.compile(
        rf"(?<![^\W{_EAST}])(?<![.,/-])(?P<digits>-?(?:\d{{1,3}}(?:,\d{{3}})+|\d+))"
        rf"(?:\.(?P<rest>\d+))?(?=(?:cm|mm|km|m|px)?(?:[^\w]|[{_EAST}]|$))(?!,\d)(?!\.\d)"
        rf"|(?P<word>{any_of([*words, *_TIMES])})"
        r"|\b(?P<half>half)(?= an? (?!hundred|thousand|million|dozen)\w)"
        rf"|(?<!第)(?P<signs>[{''.join(_SIGNS)}]{{1,3}})(?=[{measures}]|\W*$)"
        r"|(?:^\W*|(?<=\bare )|(?<=\bis )|(?<=\bsee )|(?<=\bha[sd] )|(?<=\bhave )|(?<=contains )"
        r"|(?<=show )|(?<=shows )|(?<=with ))(?P<no>no)"
        r"(?= (?!other|more|fewer|less|longer|one|doubt|way)\w)"
        r"|(?:\bnot|n't)(?: \w+)? (?P<any>any|a single one|a single|one single)(?= \w)",
        re.I,
    )
    return words, pattern


def _of_signs(signs: str) -> str:
    """A number up to ninety-nine in Chinese signs, in digits."""
    tens, ten, ones = signs.rpartition("十")
    value = (_SIGNS.get(tens, 0) or 1) * 10 if ten else 0
    return str(value + _SIGNS.get(ones, 0))


#: Before digits: they are a name or a year. Behind "the" and digits: no noun that they count.
_NAME = re.compile(
    r"(?:\b(?i:room|page|floor|gate|platform|bus|line|level|route|track|lane|numbers?|nos?\.|nr\.)"
    r"|(?<=[a-z] )[A-Z][a-z]+)\s$|#$|(?P<the>\b[Tt]he )$"
    r"|(?P<year>\b(?:[Ii]n|of|from|since|dated) )$"
)
_NO_NOUN = re.compile(r"\s*(?:$|[.,;:)\n]|(?:and|or)\b)")
_COUNTS = re.compile(r"\b(?:how many|number of)\b", re.I)
#: Counting aloud, up to the number that is reached.
_COUNTING = re.compile(
    rf"(?<![\w,] )(?<!\w)(?:1|one), (?:2|two), (?:(?:\d+|{_one_of(_WORDS)}), (?:and )?)*+"
    rf"(?=\d|{_one_of(_WORDS)})",
    re.I,
)
#: Behind a number: what is added to it.
_AND_PART = re.compile(r" and (?:an? (?P<part>half|quarter)|(?P<three>three quarters))\b", re.I)
_PARTS = {"half": 0.5, "quarter": 0.25, "three quarters": 0.75}
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
    r"\s+(?:by one|more|other|can|could|who|must|should"
    r"|thing (?:i|to|(?:is|was) (?:clear|sure|for sure|certain|obvious)))\b",
    re.I,
)
#: Behind a pair: it is one thing.
_PAIRED = re.compile(
    r"(?: of)? (?:\w+ )?(?:scissors|(?:sun|eye)?glasses|spectacles|pants|jeans|trousers|shorts"
    r"|shoes|boots|sneakers|sandals|gloves|mittens|socks|pliers|binoculars|headphones|goggles)\b",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:at (?:the )?(?:very )?(?:least|most)|(?:more|less|fewer) than|over|under"
    r"|(?<!(?:add|dds|sum|ums|ing) )up to|or more|minimum|maximum)\s+$"
    r"|^\W*(?:greater|larger|smaller|higher|lower) than\s+$"
    r"|(?:(?<![-=])[<>]=?|[\u2264\u2265\u2266\u2267])\s*$|(?:^|\s)-$",
    re.I,
)
_BOUND_AFTER = re.compile(
    r"\s*(?:\+(?!\s*\d)|or (?:more|fewer|less|so)\b|[-~]\s*\d|\.{2,}\s*\d|[<>\u2264\u2265])"
    r"|[\s,(]*(?:\w+[\s,(]+){0,2}?(?:at (?:the )?(?:most|least)|or (?:more|fewer|less)"
    r"|minimum|maximum)\b"
    r"|[ -](?:hundred|thousand|[mb]illion|dozen)s?\b|\s+and an? third\b"
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
    gone += [m.span() for m in _COUNTING.finditer(text)]
    counts = _COUNTS.search(question) is not None
    wholes = {_WORDS.get(m["whole"].casefold(), m["whole"]) for m in _ASKED_OF.finditer(question)}
    return [
        said
        for said in _all_numbers(text, question, times, wholes)
        if not any(start <= said.start < end for start, end in gone)
        and not (counts and _is_name(text, said))
    ]


def _is_name(text: str, said: Said) -> bool:
    """Whether digits name something ("number 10", "Room 3", "in 1998"), or half of a thing is said:
    neither is a count."""
    digits = text[said.start : said.end]
    if digits.casefold() == "half":
        return True
    before = _NAME.search(text, max(0, said.start - 30), said.start) if digits.isdecimal() else None
    if before and before["the"]:
        return _NO_NOUN.match(text, said.end) is not None
    return before is not None and (
        not before["year"] or re.fullmatch(r"(?:1[5-9]|20)\d\d", digits) is not None
    )


def _all_numbers(text: str, asked: str, times: bool, wholes: Container[str]) -> Iterator[Said]:
    words, pattern = _numbers()
    for match in pattern.finditer(text):
        start, end = match.span("any" if match["any"] else 0)
        before = text[max(0, start - 40) : start]
        word = (match["word"] or "").casefold()
        if match["digits"]:
            rest = (match["rest"] or "").rstrip("0")
            value: str | None = str(int(match["digits"].replace(",", ""))) + (rest and f".{rest}")
        elif match["half"]:
            value = "0.5"
        elif match["signs"]:
            value = _of_signs(match["signs"])
        elif word in _TIMES:
            if not times:
                continue
            value = _TIMES[word]
        else:
            value = words[word] if word else "0"
        if word == "one" and (_PRONOUN.search(before) or _PRONOUN_AFTER.match(text, end)):
            continue
        if value == "0" and text.startswith(" else", end):
            continue
        if "pair" in word and _PAIRED.match(text, end):
            continue
        shown = _SHOWS.search(before) and _SHOWN.match(text, end)
        if (_WHOLE.search(before) and not shown) or (
            not match["any"] and ruled_out(text, start, end)
        ):
            continue
        more = _AND_PART.match(text, end)
        if more and value and value.isdecimal():
            end, fraction = more.end(), _PARTS[(more["part"] or more["three"]).casefold()]
            value = str(int(value) + fraction) if asked else None
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


@cache
def _colors() -> tuple[dict[str, str], re.Pattern[str]]:
    """Words for colors with the color that they mean, and an expression for all colors."""
    words = {
        word: COLOR_WORDS[color]
        for color, several in meanings()["synonyms"].items()
        if color in COLOR_WORDS
        for word in several
    } | COLOR_WORDS
    named = _one_of(COLOR_WORDS)
    pattern = re.compile(
        rf"\b(?:{_SHADE}){{0,3}}(?P<color>{named})(?P<also>[-/](?:{named})\b)?"
        rf"(?:ish|-colored)?\b|(?P<word>{any_of(words.keys() - COLOR_WORDS.keys())})",
        re.I,
    )
    return words, pattern


def colors(text: str) -> list[Said]:
    """Return colors that a cleaned text says: those that are not ruled out."""
    words, pattern = _colors()
    return [
        Said(*match.span(), _one_color(words, match["color"] or match["word"], match["also"]))
        for match in pattern.finditer(text)
        if not ruled_out(text, *match.span())
    ]


def _one_color(words: dict[str, str], *said: str | None) -> str | None:
    """The color that words name; None where they name two."""
    found = {words[word.strip("-/").casefold()] for word in said if word}
    return found.pop() if len(found) == 1 else None
