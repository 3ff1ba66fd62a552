"""Tables, clocks, number lines and shapes."""

from __future__ import annotations

from math import prod

from support.oracle.charting import Chart, asks, at, number, values_of
from support.oracle.phrases import Found, Unread
from support.oracle.truth import Truth


@asks(
    "What number does the table show for {name2} in the {name3} column?",
    "What is the number in the {name2} row and the {name3} column?",
    "Read the table. What is the value for {name2} in the {name3} column?",
    says=("The table shows {option} for {name2} in the {name3} column.",),
)
def _cell(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, {"name8": found["name3"]})
    at(list(values), found["name2"])
    return values[found["name2"]] == number(option)


@asks(
    "In which row of the table is the number {said2}?",
    "Which row of the table contains the number {said2}?",
    "Which {name} does the number {said2} belong to?",
    says=("The number {said2} is in the {option} row.",),
)
def _row_of(chart: Chart, found: Found, option: str) -> Truth:
    n, row = len(chart["series"]), at(chart["categories"], option)
    return number(found["said2"]) in chart["values"][row * n : row * n + n]


def _total(chart: Chart, name: str, column: bool) -> int:
    if column:
        return sum(values_of(chart, {"name8": name}).values())
    n, row = len(chart["series"]), at(chart["categories"], name)
    return sum(chart["values"][row * n : row * n + n])


def _register_sum(what: str) -> None:
    @asks(
        f"What do all the numbers in the {{name2}} {what} add up to?",
        f"What is the sum of all the numbers in the {{name2}} {what}?",
        f"Add up the numbers in the {{name2}} {what}. What is the total?",
        says=(f"The numbers in the {{name2}} {what} add up to {{option}}.",),
    )
    def _sum(chart: Chart, found: Found, option: str) -> Truth:
        return _total(chart, found["name2"], what == "column") == number(option)


for _what in ("row", "column"):
    _register_sum(_what)


def _minutes(text: str) -> int:
    """Minutes since twelve of a time that is written as 3:05."""
    hour, _, minute = text.partition(":")
    if not (hour.isdigit() and minute.isdigit() and len(minute) == 2):
        raise Unread(text)
    return int(hour) % 12 * 60 + int(minute)


@asks(
    "What time does the clock show?",
    "What time is it according to the clock?",
    "Read the clock. What time is it?",
    says=("The clock shows {option}.", "According to the clock, it is {option}."),
)
def _time(chart: Chart, found: Found, option: str) -> Truth:
    return _later(chart, {"said2": "0"}, option)


@asks(
    "What time will it be {said2} minutes after the time shown on the clock?",
    "The clock shows the current time. What time will it be in {said2} minutes?",
    "Add {said2} minutes to the time on the clock. What time do you get?",
    says=("In {said2} minutes, the clock will show {option}.",),
)
def _later(chart: Chart, found: Found, option: str) -> Truth:
    hour, minute = chart["values"]
    then = (hour % 12 * 60 + minute + number(found["said2"])) % 720
    return None if minute % 5 else then == _minutes(option)


@asks(
    "What number does marker {name2} point to?",
    "What number is marker {name2} at?",
    "What number on the line does marker {name2} mark?",
    says=("Marker {name2} points to {option}.",),
)
def _marked(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["values"][at(chart["categories"], found["name2"])] == number(option))


@asks(
    "Which marker points to {said2}?",
    "Which letter marks the number {said2}?",
    "Which marker on the number line is at {said2}?",
    says=("The marker at {said2} is {option}.",),
)
def _marker(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["values"][at(chart["categories"], option)] == number(found["said2"]))


def _length(chart: Chart, text: str) -> int:
    """A number, which a statement gives in a unit; -1 where it is another than the chart's."""
    figure, _, unit = text.removesuffix("²").partition(" ")
    return number(figure) if unit in ("", chart["unit"]) else -1


@asks(
    "How long is side {name2}?",
    "What is the length of side {name2}?",
    "What length does the drawing give for side {name2}?",
    says=("Side {name2} is {option} long.",),
)
def _side(chart: Chart, found: Found, option: str) -> Truth:
    found_at = at(chart["categories"], found["name2"])
    return bool(chart["values"][found_at] == _length(chart, option))


def _register_perimeter(shape: str) -> None:
    @asks(
        f"What is the perimeter of the {shape}?",
        f"How long is the perimeter of the {shape}?",
        f"Add up all the sides of the {shape}. What is their total length?",
        says=(f"The perimeter of the {shape} is {{option}}.",),
    )
    def _perimeter(chart: Chart, found: Found, option: str) -> Truth:
        if chart["shape"] != shape:
            raise Unread(f"the drawing shows no {shape}")
        sides = chart["values"] * (2 if shape == "rectangle" else 1)
        return sum(sides) == _length(chart, option)


for _shape in ("triangle", "rectangle"):
    _register_perimeter(_shape)


@asks(
    "What is the area of the rectangle?",
    "Work out the area of the rectangle.",
    "Multiply the length by the width. What is the area of the rectangle?",
    says=("The area of the rectangle is {option}.",),
)
def _area(chart: Chart, found: Found, option: str) -> Truth:
    return prod(chart["values"]) == _length(chart, option)


def _register_side(word: str) -> None:
    @asks(
        f"Which side of the triangle is the {word}?",
        f"Which is the {word} side of the triangle?",
        f"Of the three sides, which is the {word}?",
        says=(f"The {word} side is {{option}}.",),
    )
    def _extreme(chart: Chart, found: Found, option: str) -> Truth:
        own = chart["values"][at(chart["categories"], option)]
        end = max(chart["values"]) if word == "longest" else min(chart["values"])
        return own == end if chart["values"].count(end) == 1 else None


for _word in ("longest", "shortest"):
    _register_side(_word)


@asks(
    "What is the diameter of the circle?",
    "How wide is the circle, measured through its center?",
    "How long is the diameter of the circle?",
    says=("The diameter of the circle is {option}.",),
)
def _diameter(chart: Chart, found: Found, option: str) -> Truth:
    return bool(2 * chart["values"][0] == _length(chart, option))


@asks(
    "What is the radius of the circle?",
    "How long is the radius of the circle?",
    "What length does the drawing give for the radius?",
    says=("The radius of the circle is {option}.",),
)
def _radius(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["values"][0] == _length(chart, option))


@asks(
    "How large is the angle at {name2}?",
    "How many degrees is the angle marked with a question mark?",
    "Two of the angles are given. How many degrees is the third one?",
    says=("The angle at {name2} measures {option} degrees.",),
)
def _angle(chart: Chart, found: Found, option: str) -> Truth:
    place = at(chart["categories"], found["name2"]) if "name2" in found else 2
    rest = [value for other, value in enumerate(chart["values"]) if other != place]
    return 180 - sum(rest) == number(option)


@asks(
    "At which corner is the largest angle of the triangle?",
    "Which corner has the largest angle?",
    "Where is the largest angle: at A, B, or C?",
    says=("The largest angle is at {option}.",),
)
def _largest_angle(chart: Chart, found: Found, option: str) -> Truth:
    own = chart["values"][at(chart["categories"], option)]
    rest = sorted(chart["values"])
    return None if rest[2] - rest[1] < 5 else own == rest[2]
