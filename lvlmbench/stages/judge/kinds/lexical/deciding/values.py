"""Where a text names the value that is asked for, and others of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from lvlmbench.scene.answers import COLOR_WORDS
from lvlmbench.stages.score.candidates import Said, colors, numbers
from lvlmbench.stages.score.clock import clock_times, is_time
from lvlmbench.stages.score.wording import ruled_out

#: A number, a color, a time of a clock, the label of a chart that is a number, another word.
Sort: TypeAlias = Literal["number", "color", "time", "label", "text"]

#: Words of which one is said instead of another, and how else each is said.
_FAMILIES: tuple[tuple[tuple[str, ...], ...], ...] = (
    tuple(
        (long[:3], long, *also)
        for long, *also in (
            ("January",), ("February",), ("March",), ("April",), ("May",), ("June",), ("July",),
            ("August",), ("September", "Sept"), ("October",), ("November",), ("December",),
        )
    ),
    tuple(
        (long[:3], long, *also)
        for long, *also in (
            ("Monday",), ("Tuesday", "Tues"), ("Wednesday",), ("Thursday", "Thurs", "Thur"),
            ("Friday",), ("Saturday",), ("Sunday",),
        )
    ),
    (
        ("top left", "upper left"), ("top right", "upper right"), ("bottom left", "lower left"),
        ("bottom right", "lower right"),
    ),
    (("first",), ("second",), ("third",), ("fourth", "last")),
    (("north",), ("south",), ("east",), ("west",)),
    (("spring",), ("summer",), ("autumn", "fall"), ("winter",)),
)  # fmt: skip
_BOTH = re.compile(r"\W*(both)\b", re.I)
_ORDINALS = frozenset(("first", "second", "third", "fourth", "last"))
#: Words that are said of something else as well: only as they are written, or framed.
_FUNCTION = frozenset(re.findall(r"\w+", (
    "us it in am so no is or an as at be by do go he if me my of on to up we all are can has had "
    "was were been being may not out off over this that then there they them these those with "
    "have will would could should the and but for from her his him its our your you she who what "
    "which when where how why one two more most some any each every other such only own same too "
    "very just now here again once than into about after before between both during under until "
    "while mad cross blank second first third fourth last march"
)))  # fmt: skip
_ASKS_SHARE = re.compile(r"\bshare\b|\bper ?cent|%|\bpart of\b", re.I)
#: A number, with a unit or currency or without.
_MEASURE = re.compile(r"-?[$\u20ac\u00a3]?\d")
_DECIMAL = re.compile(r"0\.\d+")
_ABOVE = {"one": 1, "two": 2, "three": 3, "four": 4, "seven": 7, "nine": 9}
_BELOW = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_FIFTHS = re.compile(
    rf"\b(?P<above>an?|{'|'.join(_ABOVE)})[ -](?P<below>half|(?:{'|'.join(_BELOW)})s?)\b", re.I
)
#: Per cent by which a fraction may differ.
_ROUNDED = 0.5
_YEAR = re.compile(r"(?<![\w.,/-])(?:1[5-9]|20|21)\d\d(?![\w/]|[.,]\d)")
_DENIED = re.compile(
    r"(?:\b(?:not?|never|nor|neither|without)|n't)\s+(?:(?!but\b)\w+\s+){0,2}$", re.I
)
_THING = r"(?!(?:but|it|he|she|they|is|are|has|rather|instead|just|only|so)\b)[\w-]+"
#: Several that are denied together: "not sad, neutral, or angry".
_NONE_OF = re.compile(
    rf"\b(?:not|rather than|instead of|other than|unlike) (?:{_THING} )?{_THING}"
    rf"(?:, (?!n?or\b)(?:{_THING} )?{_THING})*,? n?or (?:an? |the )?"
    rf"{_THING}",
    re.I,
)
_GONE = re.compile(
    r"[\"')]*(?:\s+(?!and\b|but\b|which\b)\w+){0,2}?\s+(?:(?:does|do|did|is|are|was)(?:n't| not)\b"
    r"(?! (?:as|so|only|just)\b)|cannot|can't|(?:is|are) (?:missing|absent|gone|too)\b)",
    re.I,
)
_LONGER_BEFORE = re.compile(
    r"\b(?:South|North|Central|Latin|New|Eastern|Western|Southern|Northern|West|East)[ -]$"
)
_LONGER_AFTER = re.compile(
    r" (?:Sea|Ocean|Bay|Street|Avenue|Korea|Africa|America|Guinea|Pole|Airport|Station|Hotel"
    r"|City)\b"
)
_OF_PICTURE = re.compile(r"\W*(?:$|(?:picture|image|panel|photo|one|is|differs|has|shows)\b)", re.I)
_FRAMED = re.compile(
    r"(?:[\"'(:]|\b(?:says?|reads?|spells?|written|word|text|is|looks?|feels?|seems?|it's|that's|not)"
    r"\s*:?)\s*(?:the )?[\"']?$",
    re.I,
)
_SHADED = rf"(?:(?:{'|'.join(COLOR_WORDS)}) )?"
#: Before and behind a word: it is one of several; nothing goes on there.
_OF_LIST = re.compile(r"(?:\b(?:or|and)|[,/])\s*[\"']?$", re.I)
_CLOSED = re.compile(
    r"[\"')]*(?:\s*(?:[.,:;!?(/]|$)|\n| (?:or|and|not|rather|because|since|but|with|as|on|in|at"
    r"|picture|is)\b| - )",
    re.I,
)
_ASKS_WORD = re.compile(
    r"\b(?:what does .{1,60}\bsay|which (?:one|word)\b|read (?:out|on)|can be read"
    r"|is written on the)",
    re.I,
)
#: A word that is cut short, with its full stop.
ABBREVIATED = re.compile(r"\b(Mt|St|Mr|Mrs|Dr|approx|vs|ca)\.")
_QUOTED = re.compile(r"\"([^\"\n]{1,60})\"|(?<!\w)'([^'\n]{1,60})'(?!\w)")
_SAYS = re.compile(r"\b(?:says?|reads?|spells?)\s*:?\s+(?P<term>[A-Za-z][\w'-]*)", re.I)


@dataclass(frozen=True)
class Mention:
    """A place at which a text names a value of the kind that is asked for.

    Attributes
    ----------
    right
        Whether it is the value; None where it is a bound or two in one.
    denied
        Whether it is said not to be so.
    """

    start: int
    end: int
    value: str
    right: bool | None
    denied: bool = False


@dataclass(frozen=True)
class Sought:
    """A value that is asked for, and what may be said instead."""

    question: str
    forms: tuple[str, ...]
    rivals: tuple[str, ...] = ()

    @cached_property
    def sort(self) -> Sort:
        """Of which kind the value is."""
        bare = [form.strip() for form in self.forms]
        asks_time = re.search(r"\b(?:when|time)\b", self.question, re.I)
        if any(is_time(form) and ("." not in form or asks_time) for form in bare):
            return "time"
        if any(_MEASURE.match(form) and len(numbers(form, "")) == 1 for form in bare):
            asks = re.search(
                r"\bhow\b|\bwhat (?:number|is the (?!\w+ called))", self.question, re.I
            )
            is_year = len(bare) == 1 and _YEAR.fullmatch(bare[0]) is not None
            return "label" if is_year and not asks else "number"
        return "color" if all(form.casefold() in COLOR_WORDS for form in bare) else "text"

    @cached_property
    def right(self) -> frozenset[str]:
        """The value in the forms that mentions have."""
        if self.sort == "number":
            return frozenset(
                one.value for form in self.forms for one in numbers(form, "") if one.value
            )
        if self.sort == "color":
            return frozenset(COLOR_WORDS[form.casefold()] for form in self.forms)
        if self.sort == "time":
            return frozenset(values[-1] for form in self.forms for _, values in clock_times(form))
        return frozenset(form.casefold() for form in self.forms)

    def mentions(self, text: str) -> list[Mention]:
        """Return where a text names it or another, in order."""
        if self.sort == "number":
            found = self._shared(text, self._said(numbers(text, self.question)))
            if not found and (both := _BOTH.match(text)):
                return [Mention(*both.span(1), "2", "2" in self.right)]
            return [each for each in found if each.right or not self._told_before(text, each)]
        if self.sort == "color":
            found = self._said(colors(text))
            none = [m.span() for m in _NONE_OF.finditer(text)]
            gone = {m.start for m in found if _GONE.match(text, m.end) or _in(none, m.start)}
            return [Mention(m.start, m.end, m.value, m.right, m.start in gone) for m in found]
        if self.sort == "time":
            return sorted(_times(text, self.right), key=lambda each: each.start)
        return [*self._words(text)]

    def _shared(self, text: str, found: list[Mention]) -> list[Mention]:
        """Numbers, where one that is the share as a part of one is neither right nor wrong."""
        if not _ASKS_SHARE.search(self.question):
            return found
        parts = [
            Mention(*m.span(), "", None) for m in _FIFTHS.finditer(text) if self._is_part(_part(m))
        ]
        kept = [
            replace(each, right=None)
            if not each.right and _DECIMAL.fullmatch(each.value) and self._is_part(each.value)
            else each
            for each in found
            if not _in(((m.start, m.end) for m in parts), each.start)
        ]
        return sorted([*kept, *parts], key=lambda each: each.start)

    def _is_part(self, part: str) -> bool:
        return any(abs(float(part) * 100 - float(each)) < _ROUNDED for each in self.right)

    def _told_before(self, text: str, each: Mention) -> bool:
        """Whether a number is one of the question, or a year where none is asked for."""
        years = any(_YEAR.fullmatch(form) for form in self.forms)
        if not years and _YEAR.fullmatch(text[each.start : each.end]):
            return True
        if each.value not in self._given:
            return False
        behind = re.match(r"\W+\w+", text[each.end :])
        named = text[each.start : each.end] + (behind.group() if behind else "")
        said = each.value == "1" or each.value in self.rivals
        return not said or named.casefold() in self._asked

    @cached_property
    def _given(self) -> frozenset[str]:
        return frozenset(each.value for each in numbers(self.question, "") if each.value)

    def _said(self, found: Iterable[Said]) -> list[Mention]:
        return [
            Mention(
                s.start, s.end, s.value or "", None if s.value is None else s.value in self.right
            )
            for s in found
        ]

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str, bool]]:
        """How each value is found; the right one first."""
        mine = {*self.right}
        own, others = [*self.forms], [*self.rivals, *_either(self.question, self.forms)]
        for family in _FAMILIES:
            places = [{name.casefold() for name in member} for member in family]
            here = [at for at, names in enumerate(places) if names & mine]
            own += [name for at in here for name in family[at]]
            others += [name for at, m in enumerate(family) if here and at not in here for name in m]
        known = {name.casefold() for name in own}
        others = [name for name in others if name.strip() and name.casefold() not in known]
        asked = self.question.casefold()
        given = [n for n in others if _pattern(n).search(asked) and not self._in_question]
        return [
            *((_pattern(name), self.forms[0], True) for name in own),
            *((_pattern(name), name.casefold(), False) for name in others if name not in given),
        ]

    @cached_property
    def _in_question(self) -> bool:
        return any(_pattern(form).search(self.question) for form in self.forms)

    def _words(self, text: str) -> Iterator[Mention]:
        found = [
            Mention(*m.span(), value, right, _denies(text, *m.span()))
            for pattern, value, right in self._patterns
            for m in pattern.finditer(text)
            if self._meant(text, *m.span())
        ]
        found += self._written(text)
        if self.sort == "label":
            found += [Mention(*m.span(), m.group(), False) for m in _YEAR.finditer(text)]
        found.sort(key=lambda each: (each.start, -each.end, not each.right))
        last = 0
        for each in found:
            if each.start >= last:
                yield each
                last = each.end

    def _written(self, text: str) -> Iterator[Mention]:
        """Words that a text says are written somewhere, whatever they are."""
        if not _ASKS_WORD.search(self.question):
            return
        for match in (*_QUOTED.finditer(text), *_SAYS.finditer(text)):
            term = next(each for each in match.groups() if each is not None)
            at = match.start() + match.group().rindex(term)
            word = term.strip(" .,").casefold()
            if word not in self.right and word not in _FUNCTION and word not in self._asked:
                yield Mention(at, at + len(term), word, False, ruled_out(text, *match.span()))

    @cached_property
    def _asked(self) -> str:
        return self.question.casefold()

    def _meant(self, text: str, start: int, end: int) -> bool:
        """Whether a word that stands there may be the name of what is meant."""
        word, before = text[start:end], text[max(0, start - 40) : start].rpartition("\n")[2]
        low = word.casefold()
        framed = not before.strip(" \"'(") or _FRAMED.search(before) is not None
        closed = _CLOSED.match(text, end) is not None
        if low in _ORDINALS and {*self.right} & _ORDINALS:
            return _OF_PICTURE.match(text, end) is not None or (framed and closed)
        if word[:1].isupper() and (_LONGER_BEFORE.search(before) or _LONGER_AFTER.match(text, end)):
            return False
        if low.replace(".", "") in _FUNCTION:
            capital = word.isupper() and any(form.isupper() for form in self.forms)
            return capital or (closed and (framed or _OF_LIST.search(before) is not None))
        return True


def _times(text: str, right: frozenset[str]) -> Iterator[Mention]:
    """Times of a text, in digits or words."""
    for (start, end), values in clock_times(text):
        holds = not right.isdisjoint(values)
        yield Mention(start, end, values[-1], holds, _denies(text, start, end))


def _in(spans: Iterable[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in spans)


def _part(match: re.Match[str]) -> str:
    """A fraction in words as a decimal: "four fifths" is 0.8."""
    above, below = _ABOVE.get(match["above"].casefold(), 1), match["below"].casefold()
    return str(above / _BELOW[below.removesuffix("s") if below != "halves" else "half"])


def _pattern(name: str) -> re.Pattern[str]:
    """How a name is found: with its plural, with a hyphen, an acronym with its full stops."""
    plain = ABBREVIATED.sub(r"\1", name.strip())
    bare = re.sub(r"^(?:the|an?) ", "", plain, flags=re.I)
    if re.fullmatch(r"[A-Z]{2,3}", bare):
        dotted = r"\.?".join(bare)
        flags = re.NOFLAG if bare.casefold() in _FUNCTION else re.I
        return re.compile(rf"(?<!\w){dotted}(?!\w)", flags)
    body = r"[ -]".join(map(re.escape, re.split(r"[ -]", bare)))
    return re.compile(rf"(?<![\w-]){body}(?:e?s)?(?![\w]|-\w)", re.I)


def _either(question: str, forms: Sequence[str]) -> list[str]:
    """What a question asks whether it is that instead of the right value."""
    return [
        match["other"]
        for form in forms
        for pattern in (
            rf"\b{re.escape(form)},? (?:or|and) (?:more )?{_SHADED}(?P<other>[\w-]+(?: [\w-]+)?)"
            r"(?=[?:,]| (?:in|are|is)\b)",
            rf"\b(?:more )?{_SHADED}(?P<other>[\w-]+),? (?:or|and) (?:more )?{_SHADED}"
            rf"{re.escape(form)}\b",
        )
        for match in re.finditer(pattern, question, re.I)
    ]


def _denies(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 60) : start].rpartition("\n")[2]
    if _in((m.span() for m in _NONE_OF.finditer(text)), start):
        return True
    denied = _DENIED.search(before) or _GONE.match(text, end)
    return bool(denied) or ruled_out(text, start, end)
