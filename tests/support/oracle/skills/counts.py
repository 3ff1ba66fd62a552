"""Charts with many parts: what one counts."""

from __future__ import annotations

from support.oracle.charting import Chart, above, asks, at, least, number, values_of
from support.oracle.phrases import Found, Unread
from support.oracle.truth import Truth


def _register_bars(word: str) -> None:
    @asks(
        f"How many of the bars are {word} than the bar for {{name2}}?",
        f"In the chart, how many bars are {word} than the one for {{name2}}?",
        f"Count the bars that are {word} than the bar for {{name2}}. How many are there?",
        says=(f"Exactly {{option}} of the bars are {word} than the bar for {{name2}}.",),
    )
    def _bars(chart: Chart, found: Found, option: str) -> Truth:
        values = values_of(chart, found)
        at(list(values), found["name2"])
        own = values.pop(found["name2"])
        seen = [
            above(chart, *((value, own) if word == "taller" else (own, value)))
            for value in values.values()
        ]
        return None if None in seen else seen.count(True) == number(option)


for _word in ("taller", "shorter"):
    _register_bars(_word)


@asks(
    "How many times do the two lines cross?",
    "How often do the two lines in the chart cross each other?",
    "Count the points where the two lines cross. How many are there?",
    says=("The two lines cross exactly {option} times.",),
)
def _crossings(chart: Chart, found: Found, option: str) -> Truth:
    """Each turn of which line is on top is one: between two points, which are clearly apart."""
    if chart["kind"] != "line" or len(chart["series"]) != 2:
        raise Unread("which two lines?")
    one, other = chart["values"][0::2], chart["values"][1::2]
    count, on_top = 0, one[0] > other[0]
    for a, b in zip(one, other, strict=True):
        if abs(a - b) < 1.5 * least(chart):
            return None
        count += (a > b) != on_top
        on_top = a > b
    return count == number(option)


def _register_rows(word: str) -> None:
    @asks(
        f"In how many rows is the value for {{name2}} {word} than the value for {{name3}}?",
        f"In how many rows of the table is the number for {{name2}} {word} than the one for "
        "{name3}?",
        f"Count the rows in which the number for {{name2}} is {word} than the number for "
        "{name3}. How many are there?",
        says=(
            f"In {{option}} of the {{said2}} rows, the number for {{name2}} is {word} than the "
            "number for {name3}.",
        ),
    )
    def _rows(chart: Chart, found: Found, option: str) -> Truth:
        if found.get("said2", str(len(chart["categories"]))) != str(len(chart["categories"])):
            raise Unread("so many rows there are not")
        one, other = (values_of(chart, {"name8": found[name]}) for name in ("name2", "name3"))
        if word == "smaller":
            one, other = other, one
        return sum(one[row] > other[row] for row in one) == number(option)


for _word in ("larger", "smaller"):
    _register_rows(_word)


@asks(
    "How many of the values in the table are above {said2}?",
    "How many numbers in the table are greater than {said2}?",
    "Count the values in the table that are above {said2}. How many are there?",
    says=("In the table, the number of values above {said2} is {option}.",),
)
def _above(chart: Chart, found: Found, option: str) -> Truth:
    bound = number(found["said2"])
    if chart["kind"] != "table":
        raise Unread("there is no table")
    return len([value for value in chart["values"] if value > bound]) == number(option)


@asks(
    "How many {said2} are there on the card?",
    "How many {said2} does the card show?",
    "Count the {said2} on the card. How many are there?",
    says=("There are exactly {option} {said2} on the card.",),
)
def _shapes(chart: Chart, found: Found, option: str) -> Truth:
    if chart["kind"] != "shapes":
        raise Unread("there are no small shapes")
    color, _, plural = found["said2"].rpartition(" ")
    kind = plural.removesuffix("es" if plural == "crosses" else "s")
    if kind == plural:
        raise Unread(plural)
    row, n = at(chart["categories"], kind), max(len(chart["series"]), 1)
    column = at(chart["series"], color) if chart["series"] else 0
    if bool(color) != bool(chart["series"]):
        raise Unread(f"of which color are {plural}?")
    return bool(chart["values"][row * n + column] == number(option))
