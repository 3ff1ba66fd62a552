"""What questions about charts share: patterns with a series or without, and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from support.oracle.phrases import Found, Unread, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth, every

CHARTS = skill("charts")

#: Share of a pie, in percent, by which slices without numbers clearly differ.
_SLICES = 8

Chart = Mapping[str, Any]
#: What a question about a chart means: whether an option is right.
Reads = Callable[[Chart, Found, str], Truth]


def asks(*questions: str, says: tuple[str, ...] = ()) -> Callable[[Reads], Reads]:
    """Register questions, and statements in which ``{option}`` stands for what is claimed.

    ``{of}`` stands for " for" and a series, ``{for}`` for the same before all; or for nothing.
    """

    def register(reads: Reads) -> Reads:
        for pattern in _both(questions):

            @CHARTS.reads(pattern)
            def _answer(picture: Picture, found: Found, option: str) -> Truth:
                return _read(reads, picture, found, option)

        for pattern in _both(says):

            @CHARTS.reads(pattern.replace("{option}", "{said9}"))
            def _stated(picture: Picture, found: Found, option: str) -> Truth:
                return _read(reads, picture, found, found["said9"])

        return reads

    return register


def _read(reads: Reads, picture: Picture, found: Found, option: str) -> Truth:
    assert picture.chart is not None
    if found.get("name", picture.chart["noun"]) != picture.chart["noun"]:
        raise Unread(f"the chart is not about a {found['name']}")
    try:
        return reads(picture.chart, found, option)
    except KeyError as error:
        raise Unread(f"nothing in the chart is called {error}") from error


def _both(patterns: tuple[str, ...]) -> list[str]:
    found = []
    for pattern in patterns:
        if "{of}" in pattern:
            found.append(pattern.replace("{of}", " for {name8}"))
        if pattern.startswith("{for}"):  # "For Anna, what is ...?" or "What is ...?"
            rest = pattern.removeprefix("{for}")
            found.append(f"For {{name8}}, {rest}")
            pattern = rest[0].upper() + rest[1:]
        found.append(pattern.replace("{of}", ""))
    return found


def at(names: list[str], name: str) -> int:
    """Return the place of a name; one that is not there is unread."""
    if name not in names:
        raise Unread(name)
    return names.index(name)


def values_of(chart: Chart, found: Found) -> dict[str, int]:
    """Return each category's value, of the series that is named."""
    series = chart["series"] or [None]
    if len(series) > 1 and "name8" not in found:
        raise Unread("of which series?")
    place = at(series, found["name8"]) if "name8" in found else 0
    return dict(zip(chart["categories"], chart["values"][place :: len(series)], strict=True))


def least(chart: Chart) -> int:
    """Return the least difference that a person sees."""
    if "values" in chart["marks"] or chart["kind"] not in ("pie", "bar", "line"):
        return 1
    return _SLICES if chart["kind"] == "pie" else int(chart["axis"]["step"])


def above(chart: Chart, a: int, b: int) -> Truth:
    """Return whether a value is clearly above another."""
    if abs(a - b) >= least(chart):
        return a > b
    return None if a != b or chart["kind"] == "pie" else False


def ranks(chart: Chart, values: Mapping[str, int], name: str, word: str) -> Truth:
    """Return whether a name is the highest, the lowest or the second highest."""
    at(list(values), name)
    own = values[name]
    rest = [value for other, value in values.items() if other != name]
    if word in ("lowest", "smallest"):
        return every(above(chart, value, own) for value in rest)
    higher = [above(chart, value, own) for value in rest]
    lower = [above(chart, own, value) for value in rest]
    if word in ("highest", "largest"):
        return every(lower)
    if higher.count(True) == 1 and lower.count(True) == len(rest) - 1:
        return True
    return None if None in higher else False


def number(text: str) -> int:
    """Return a whole number that is written."""
    if not text.removeprefix("-").isdigit():
        raise Unread(text)
    return int(text)
