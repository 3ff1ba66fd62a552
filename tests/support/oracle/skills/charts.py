"""Bars, lines and pies."""

from __future__ import annotations

from support.oracle.charting import Chart, above, asks, at, least, number, ranks, values_of
from support.oracle.phrases import Found, Unread
from support.oracle.truth import Truth


def _register_rank(word: str) -> None:
    @asks(
        f"Which {{name}} has the {word} value{{of}}?",
        f"In the chart, which {{name}} has the {word} value{{of}}?",
        f"Look at the values{{of}} in the chart. Which {{name}} has the {word} one?",
        says=(
            f"The {{name}} with the {word} value{{of}} is {{option}}.",
            f"In the chart, {{option}} has the {word} value{{of}}.",
        ),
    )
    def _rank(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, found), option, word)


for _word in ("highest", "lowest", "second-highest"):
    _register_rank(_word)


@asks(
    "{for}what value does the chart show for {name2}?",
    "{for}what is the value for {name2} in the chart?",
    "{for}what is the value for {name2}, according to the chart?",
    says=("{for}the value for {name2} is {option}.", "{for}the chart shows {option} for {name2}."),
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
    "{for}what is the difference between the values for {name2} and {name3}?",
    "{for}by how much do the values for {name2} and {name3} differ?",
    "{for}how far apart are the values for {name2} and {name3}?",
    "How far apart are markers {name2} and {name3} on the number line?",
    "What is the distance between markers {name2} and {name3}?",
    "What is the difference between the numbers at {name2} and {name3}?",
    says=(
        "{for}the values for {name2} and {name3} differ by {option}.",
        "Markers {name2} and {name3} are {option} apart.",
    ),
)
def _difference(chart: Chart, found: Found, option: str) -> Truth:
    one, other = _two(chart, found)
    return abs(one - other) == number(option)


@asks(
    "{for}what do the values for {name2} and {name3} add up to?",
    "{for}what is the sum of the values for {name2} and {name3}?",
    "{for}what is the total of the values for {name2} and {name3}?",
    says=("{for}the values for {name2} and {name3} add up to {option}.",),
)
def _sum(chart: Chart, found: Found, option: str) -> Truth:
    return sum(_two(chart, found)) == number(option)


@asks(
    "{for}how many values are higher than the one for {name2}?",
    "{for}how many values in the chart are higher than the value for {name2}?",
    "{for}how many of the values are higher than that for {name2}?",
    says=("{for}the number of values higher than the one for {name2} is {option}.",),
)
def _higher(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, found)
    at(list(values), found["name2"])
    own = values.pop(found["name2"])
    seen = [above(chart, value, own) for value in values.values()]
    return None if None in seen else seen.count(True) == number(option)


@asks(
    "{for}which {name} has the same value as {name2}?",
    "{for}which other {name} has exactly the same value as {name2}?",
    "{for}one other {name} has the same value as {name2}. Which one?",
    says=("{for}{name2} and {option} have the same value.",),
)
def _same(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, found)
    one, other = values[found["name2"]], values[option]
    return one == other if one == other or abs(one - other) >= least(chart) else None


@asks(
    "{for}is the value for {name2} higher or lower than the value for {name3}?",
    "{for}compared with the value for {name3}, is the one for {name2} higher or lower?",
    "{for}does the chart show a higher or a lower value for {name2} than for {name3}?",
    says=("{for}the value for {name2} is {option} than the value for {name3}.",),
)
def _trend(chart: Chart, found: Found, option: str) -> Truth:
    one, other = _two(chart, found)
    if option not in ("higher", "lower"):
        raise Unread(option)
    return above(chart, *((one, other) if option == "higher" else (other, one)))


@asks(
    "Which has the [higher|highest] value for {name2}: {said}?",
    "For {name2}, which is [higher|highest]: {said}?",
    "Look at the values for {name2}. Which is the [higher|highest] one: {said}?",
    says=("For {name2}, the [higher|highest] value is that of {option}.",),
)
def _highest_series(chart: Chart, found: Found, option: str) -> Truth:
    n, place = len(chart["series"]), at(chart["categories"], found["name2"])
    values = dict(zip(chart["series"], chart["values"][place * n : place * n + n], strict=True))
    return ranks(chart, values, option, "highest")


@asks(
    "How many times is the value for {name2} higher than the value for {name3}?",
    "How many times does the chart show a higher value for {name2} than for {name3}?",
    "Compare {name2} with {name3} throughout the chart. How many times is {name4} higher?",
    says=(
        "The number of times that the chart shows a higher value for {name2} than for {name3} is "
        "{option}.",
    ),
)
def _crossing(chart: Chart, found: Found, option: str) -> Truth:
    if found["name2"] != found.get("name4", found["name2"]):
        raise Unread("which is higher?")
    one, other = (
        list(values_of(chart, {"name8": found[name]}).values()) for name in ("name2", "name3")
    )
    seen = [above(chart, a, b) for a, b in zip(one, other, strict=True)]
    return None if None in seen else seen.count(True) == number(option)


@asks(
    "What color is the [bar|slice] for {name2}?",
    "Look at marker {name2}. What color is it?",
    "What color stands for {name2} in the chart?",
    "What is the color of the [bar|slice] for {name2}?",
    "What color is marker {name2}?",
    "What color is the marker labeled {name2}?",
    says=("The [bar|slice] for {name2} is {option}.", "Marker {name2} is {option}."),
)
def _color(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["colors"][at(chart["categories"], found["name2"])] == option)


@asks(
    "Which {name} has the {color} [bar|slice]?",
    "Which {name} is shown in {color}?",
    "Which {name} does the {color} [bar|slice] stand for?",
    says=("The {color} [bar|slice] stands for {option}.",),
)
def _whose_color(chart: Chart, found: Found, option: str) -> Truth:
    return bool(chart["colors"][at(chart["categories"], option)] == found["color"])


def _register_share(word: str) -> None:
    @asks(
        f"Which {{name}} has the {word} share?",
        f"Which {{name}} has the {word} slice of the pie?",
        f"Look at the slices of the pie. Which {{name}} has the {word} one?",
        says=(f"The {word} slice belongs to {{option}}.",),
    )
    def _share(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, {}), option, word)

    @asks(
        f"Which row has the {word} number in the {{name2}} column?",
        f"In the {{name2}} column, which row has the {word} number?",
        f"Which {{name}} has the {word} number in the {{name2}} column?",
        says=(f"The {word} number in the {{name2}} column is in the {{option}} row.",),
    )
    def _in_column(chart: Chart, found: Found, option: str) -> Truth:
        return ranks(chart, values_of(chart, {"name8": found["name2"]}), option, word)


for _word in ("largest", "smallest"):
    _register_share(_word)


def _about(chart: Chart, one: int, other: int) -> Truth:
    return True if one == other else False if abs(one - other) >= least(chart) else None


@asks(
    "Which {name} makes up about {said2}% of the pie?",
    "Which {name} has a share of about {said2}%?",
    "About {said2}% of the pie belongs to which {name}?",
    says=("About {said2}% of the pie belongs to {option}.",),
)
def _which_share(chart: Chart, found: Found, option: str) -> Truth:
    values = values_of(chart, {})
    at(list(values), option)
    return _about(chart, values[option], number(found["said2"]))


@asks(
    "About what percentage of the pie belongs to {name2}?",
    "Roughly how large is the share of {name2}, in percent?",
    "About what percentage of the pie does {name2} make up?",
    says=("About {option}% of the pie belongs to {name2}.",),
)
def _share_of(chart: Chart, found: Found, option: str) -> Truth:
    return _about(chart, values_of(chart, {})[found["name2"]], number(option))
