"""Bars, lines and pies."""

from __future__ import annotations

from support.oracle.charting import Chart, above, asks, at, least, number, ranks, values_of
from support.oracle.phrases import Found, Unread
from support.oracle.truth import Truth


def _register_rank(word: str) -> None:
    @asks(
        f"Which {{name}} has the {word} value{{of}}?",
        f"In the chart, which {{name}} has the {word} value{{of}}?",
        f"Look at the chart{{of}}. Which {{name}} is the {word}?",
        says=(
            f"The {{name}} with the {word} value{{of}} is {{option}}.",
            f"The chart shows the {word} value{{of}} at {{option}}.",
        ),
    )
    def _rank(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, found), option, word)


for _word in ("highest", "lowest", "second highest"):
    _register_rank(_word)


@asks(
    "What value does the chart show for {name2}{series}?",
    "What is the value of {name2}{of} in the chart?",
    "Read the chart: what is the value of {name2}{of}?",
    says=(
        "The value of {name2}{of} is {option}.",
        "The chart shows {option} for {name2}{series}.",
    ),
)
def _value(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, found)
    at(list(values), found["name2"])
    by = abs(values[found["name2"]] - number(option))
    return True if by == 0 else False if by >= least(chart) else None


def _two(chart: Chart, found: Found) -> tuple[int, int]:
    values = values_of(chart, found)
    for name in ("name2", "name3"):
        at(list(values), found[name])
    return values[found["name2"]], values[found["name3"]]


@asks(
    "What is the difference between {name2} and {name3}{of}?",
    "By how much do the values of {name2} and {name3} differ{of}?",
    "How far apart are the values of {name2} and {name3}{of}?",
    "How far apart are markers {name2} and {name3} on the number line?",
    "What is the distance between markers {name2} and {name3}?",
    "By how much do the numbers at {name2} and {name3} differ?",
    says=(
        "The values of {name2} and {name3} differ by {option}{of}.",
        "Markers {name2} and {name3} are {option} apart.",
    ),
)
def _difference(chart: Chart, found: Found, option: str) -> Truth:
    one, other = _two(chart, found)
    return abs(one - other) == number(option)


@asks(
    "What do {name2} and {name3} add up to{of}?",
    "What is the sum of the values of {name2} and {name3}{of}?",
    "Add the values of {name2} and {name3}{of}. What is the total?",
    says=("The values of {name2} and {name3} add up to {option}{of}.",),
)
def _sum(chart: Chart, found: Found, option: str) -> Truth:
    return sum(_two(chart, found)) == number(option)


@asks(
    "How many values{of} are higher than that of {name2}?",
    "In the chart, how many values{of} are higher than that of {name2}?",
    "Count the values{of} that are higher than that of {name2}. How many are there?",
    says=("The number of values{of} that are higher than that of {name2} is {option}.",),
)
def _higher(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, found)
    at(list(values), found["name2"])
    own = values.pop(found["name2"])
    seen = [above(chart, value, own) for value in values.values()]
    return None if None in seen else seen.count(True) == number(option)


@asks(
    "Which {name} has the same value as {name2}{of}?",
    "One {name} has exactly the value of {name2}{of}. Which one?",
    "Which {name} is level with {name2}{of}?",
    says=("{name2} and {option} have the same value{of}.",),
)
def _same(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, found)
    one, other = values[found["name2"]], values[option]
    return one == other if one == other or abs(one - other) >= least(chart) else None


@asks(
    "Is the value of {name2} higher or lower than the value of {name3}{of}?",
    "Compared with {name3}, is {name2} higher or lower{of}?",
    "Is {name2} higher or lower than {name3}{of}?",
    says=("The value of {name2} is {option} than the value of {name3}{of}.",),
)
def _trend(chart: Chart, found: Found, option: str) -> Truth:
    one, other = _two(chart, found)
    if option not in ("higher", "lower"):
        raise Unread(option)
    return above(chart, *((one, other) if option == "higher" else (other, one)))


@asks(
    "Which has the highest value at {name2}: {said}?",
    "At {name2}, what is highest: {said}?",
    "Look at {name2}. Which of {said} is highest?",
    says=("At {name2}, the highest value is that of {option}.",),
)
def _highest_series(chart: Chart, found: Found, option: str) -> Truth:
    n, place = len(chart["series"]), at(chart["categories"], found["name2"])
    values = dict(zip(chart["series"], chart["values"][place * n : place * n + n], strict=True))
    return ranks(chart, values, option, "highest")


@asks(
    "How often is {name2} higher than {name3} in the same {name}?",
    "How many times does the chart show a higher value for {name2} than for {name3}?",
    "Count how many times {name2} is higher than {name3}. What is the number?",
    says=("The chart shows a higher value for {name2} than for {name3} {option} times.",),
)
def _crossing(chart: Chart, found: Found, option: str) -> Truth:
    one, other = (
        list(values_of(chart, {"name8": found[name]}).values()) for name in ("name2", "name3")
    )
    seen = [above(chart, a, b) for a, b in zip(one, other, strict=True)]
    return None if None in seen else seen.count(True) == number(option)


@asks(
    "What color is the [bar|slice] of {name2}?",
    "In which color is marker {name2} drawn?",
    "In which color is {name2} drawn?",
    "What is the color of the [bar|slice] for {name2}?",
    "What color is marker {name2}?",
    "What color is the marker with the letter {name2}?",
    says=("The [bar|slice] of {name2} is {option}.", "Marker {name2} is {option}."),
)
def _color(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["colors"][at(chart["categories"], found["name2"])] == option)


@asks(
    "Which {name} has the {color} [bar|slice]?",
    "Which {name} is drawn in {color}?",
    "The {color} [bar|slice] stands for which {name}?",
    says=("The {color} [bar|slice] stands for {option}.",),
)
def _whose_color(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["colors"][at(chart["categories"], option)] == found["color"])


def _register_share(word: str) -> None:
    @asks(
        f"Which {{name}} has the {word} share?",
        f"Which {{name}} has the {word} slice of the pie?",
        f"Which slice of the pie is the {word}?",
        says=(f"The {word} slice is that of {{option}}.",),
    )
    def _share(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, {}), option, word)

    @asks(
        f"Which row has the {word} number in the column {{name2}}?",
        f"In the column {{name2}}, which row holds the {word} number?",
        f"Which {{name}} has the {word} number in the column {{name2}}?",
        says=(f"The {word} number in the column {{name2}} is that of {{option}}.",),
    )
    def _in_column(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, {"name8": found["name2"]}), option, word)


for _word in ("largest", "smallest"):
    _register_share(_word)


def _about(chart: Chart, one: int, other: int) -> Truth:
    return True if one == other else False if abs(one - other) >= least(chart) else None


@asks(
    "Which {name} makes up about {said2} % of the pie?",
    "Which {name} has a share of about {said2} %?",
    "About {said2} % belongs to which {name}?",
    says=("About {said2} % of the pie belongs to {option}.",),
)
def _which_share(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, {})
    at(list(values), option)
    return _about(chart, values[option], number(found["said2"]))


@asks(
    "About what share of the pie, in percent, does {name2} have?",
    "About how many percent belong to {name2}?",
    "How large is the share of {name2}, in percent, roughly?",
    says=("The share of {name2} is about {option} %.",),
)
def _share_of(chart: Chart, found: Found, option: str) -> Truth:
    return _about(chart, values_of(chart, {})[found["name2"]], number(option))
