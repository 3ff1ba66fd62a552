"""Times of a clock that a text says, in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lvlmbench.scene.answers import NUMBER_WORDS

_HOUR = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TIME = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2})(?!\d|[:.]\d))?"
    r"(?(minute)(?: ?(?P<half>[ap])\.?m\b)?| ?(?P<day>[ap])\.?m\b)",
    re.I,
)
_SPOKEN = re.compile(
    r"\b(?:(?P<part>quarter|half|(?:twenty[- ])?five|ten|fifteen|twenty)(?: minutes)?"
    rf" (?P<way>to|past|after|before|till|of) (?P<next>{_HOUR})|(?P<hour>{_HOUR})"
    r" (?:o'clock|(?P<minute>(?:oh|twenty|thirty|forty|fifty)[- ](?:one|two|three|four|five|six"
    r"|seven|eight|nine)|ten|fifteen|twenty|thirty|forty|fifty)))\b",
    re.I,
)


def is_time(text: str) -> bool:
    """Return whether a text is a time and nothing else."""
    return _TIME.fullmatch(text.strip()) is not None


def clock_times(text: str) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    """Yield where a text says a time, and the time: as it is written, and of 24 hours."""
    for match in (*_TIME.finditer(text), *_SPOKEN.finditer(text)):
        yield match.span(), _clock(match) if match.re is _TIME else (_told_clock(match),)


def _clock(match: re.Match[str]) -> tuple[str, str]:
    """A time as it is written, and of 24 hours where "am" or "pm" stands behind it."""
    hour, half = int(match["hour"]), (match["half"] or match["day"] or "").casefold()
    minute = match["minute"] or "00"
    return f"{hour}:{minute}", f"{hour % 12 + 12 * (half == 'p') if half else hour}:{minute}"


def _told_clock(match: re.Match[str]) -> str:
    """A time in words: "a quarter to eight" is 7:45."""
    part, minute = ((match[name] or "").casefold() for name in ("part", "minute"))
    hour = _count((match["next"] or match["hour"]).casefold())
    told = {"quarter": 15, "half": 30}.get(part) or _count(part or minute.removeprefix("oh"))
    before = (match["way"] or "").casefold() in ("to", "before", "till", "of")
    minutes = hour * 60 + (-told if before else told)
    return f"{minutes // 60 or 12}:{minutes % 60:02}"


def _count(word: str) -> int:
    """A number below 60 in words or digits; nothing is 0."""
    tens, _, ones = word.strip(" -").replace(" ", "-").partition("-")
    return sum(NUMBER_WORDS.index(n) if n in NUMBER_WORDS else int(n or 0) for n in (tens, ones))
