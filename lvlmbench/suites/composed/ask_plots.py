"""Questions about bars and lines."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.grammar import capitalized
from lvlmbench.suites.composed.ask import Ask, Rng, but, of_two, one, pairs, ring, two
from lvlmbench.suites.composed.chart_facts import equal, higher, ranked

_ORDER = {0: "highest", -1: "lowest", 1: "second-highest"}


def plot(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a bar or line chart."""
    at = one(rng, len(chart.series)) if chart.series else 0
    series = chart.series[at] if chart.series else None
    n = max(len(chart.series), 1)
    values = chart.values[at::n]
    yield from _ranks(chart, values, series)
    yield from _value_of(chart, rng, values, series)
    yield from _two_values(chart, rng, values, series)
    yield from _counts(chart, rng, values, series)
    yield from _same(chart, rng, values, series)
    if chart.kind == "line":
        yield from _trend(chart, rng, values, series)
    if chart.series:
        yield from _series(chart, rng)
    elif chart.kind == "bar" and len(chart.colors) > 1:
        yield from colors(chart, rng)


def _of(series: str | None) -> str:
    return f" for {series}" if series else ""


def _for(series: str | None, *said: str) -> tuple[str, ...]:
    """Sentences about one of several series: "For Anna, what is ...?"."""
    return tuple(f"For {series}, {each}" if series else capitalized(each) for each in said)


def _about(*parts: str | None) -> tuple[str, ...]:
    return tuple(part for part in parts if part)


def _ranks(chart: Chart, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    for place, word in _ORDER.items():
        found = ranked(chart, values, place)
        if found is None or (place == 1 and len(values) < 4):
            continue
        answer, of = chart.categories[found], _of(series)
        yield Ask(
            word.replace("-", "_"),
            _about(series),
            (
                f"Which {chart.noun} has the {word} value{of}?",
                f"In the chart, which {chart.noun} has the {word} value{of}?",
                f"Look at the values{of} in the chart. Which {chart.noun} has the {word} one?",
            ),
            (
                f"The {chart.noun} with the {word} value{of} is {{}}.",
                f"In the chart, {{}} has the {word} value{of}.",
            ),
            answer,
            but(answer, chart.categories),
        )


def _value_of(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    axis = chart.axis
    assert axis is not None
    value = _any(rng, values)
    at = values.index(value)
    name = chart.categories[at]
    grid = range(axis.low + axis.step, axis.high + 1, axis.step)
    yield Ask(
        "value_of",
        _about(series, name),
        _for(
            series,
            f"what value does the chart show for {name}?",
            f"what is the value for {name} in the chart?",
            f"what is the value for {name}, according to the chart?",
        ),
        _for(series, f"the value for {name} is {{}}.", f"the chart shows {{}} for {name}."),
        str(value),
        but(str(value), map(str, grid)),
        pairs(value, but_value(value, values), grid) or ring(value, grid),
    )


def _any(rng: Rng, values: tuple[int, ...]) -> int:
    """A value; one that is there twice is no likelier than the others."""
    once = tuple(dict.fromkeys(values))
    return once[one(rng, len(once))]


def but_value(value: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the other values, each once."""
    return tuple(v for v in dict.fromkeys(values) if v != value)


def _two_values(
    chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None
) -> Iterator[Ask]:
    """Ask for a difference and a sum; what other two categories give is wrong."""
    found = of_two(rng, values, lambda x, y: abs(x - y))
    if found is not None:
        first, second = (chart.categories[i] for i in found[0])
        yield Ask(
            "difference",
            _about(series, first, second),
            _for(
                series,
                f"what is the difference between the values for {first} and {second}?",
                f"by how much do the values for {first} and {second} differ?",
                f"how far apart are the values for {first} and {second}?",
            ),
            _for(series, f"the values for {first} and {second} differ by {{}}."),
            str(found[1]),
            found[2],
        )
    found = of_two(rng, values, lambda x, y: x + y)
    if found is not None:
        first, second = (chart.categories[i] for i in found[0])
        yield Ask(
            "sum",
            _about(series, first, second),
            _for(
                series,
                f"what do the values for {first} and {second} add up to?",
                f"what is the sum of the values for {first} and {second}?",
                f"what is the total of the values for {first} and {second}?",
            ),
            _for(series, f"the values for {first} and {second} add up to {{}}."),
            str(found[1]),
            found[2],
        )


def _counts(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    """Ask how many are higher than one; none are alike, so that each count is as likely."""
    n = len(values)
    at = one(rng, n)
    name = chart.categories[at]
    seen = [higher(chart, v, values[at]) for i, v in enumerate(values) if i != at]
    if len(set(values)) == n and None not in seen:
        yield _count(
            "higher_than",
            _about(series, name),
            _for(
                series,
                f"how many values are higher than the one for {name}?",
                f"how many values in the chart are higher than the value for {name}?",
                f"how many of the values are higher than that for {name}?",
            ),
            _for(series, f"the number of values higher than the one for {name} is {{}}.")[0],
            sum(map(bool, seen)),
            range(n),
        )


def _count(
    kind: str,
    about: tuple[str, ...],
    phrasings: tuple[str, ...],
    statement: str,
    answer: int,
    numbers: range,
) -> Ask:
    pool = but(str(answer), map(str, numbers))
    return Ask(kind, about, phrasings, (statement,), str(answer), pool, ring(answer, numbers))


def _same(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    for a in rng.permutation(len(values)).tolist():
        alike = [
            b for b in range(len(values)) if b != a and equal(chart, values[a], values[b]) is True
        ]
        if len(alike) != 1:
            continue
        name, answer = chart.categories[a], chart.categories[alike[0]]
        yield Ask(
            "same",
            _about(series, name),
            _for(
                series,
                f"which {chart.noun} has the same value as {name}?",
                f"which other {chart.noun} has exactly the same value as {name}?",
                f"one other {chart.noun} has the same value as {name}. Which one?",
            ),
            _for(series, f"{name} and {{}} have the same value."),
            answer,
            tuple(c for c in but(answer, chart.categories) if c != name),
        )
        return


def _trend(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    a, b = sorted(two(rng, len(values)))
    if values[a] == values[b]:
        return
    first, last = chart.categories[a], chart.categories[b]
    answer, other = ("higher", "lower") if values[b] > values[a] else ("lower", "higher")
    yield Ask(
        "trend",
        _about(series, first, last),
        _for(
            series,
            f"is the value for {last} higher or lower than the value for {first}?",
            f"compared with the value for {first}, is the one for {last} higher or lower?",
            f"does the chart show a higher or a lower value for {last} than for {first}?",
        ),
        _for(series, f"the value for {last} is {{}} than the value for {first}."),
        answer,
        (other,),
    )


def _series(chart: Chart, rng: Rng) -> Iterator[Ask]:
    category = chart.categories[one(rng, len(chart.categories))]
    values = tuple(chart.value(category, s) for s in chart.series)
    found = ranked(chart, values, 0)
    word = "higher" if len(chart.series) == 2 else "highest"
    if found is not None:
        answer = chart.series[found]
        yield Ask(
            "highest_series",
            (category,),
            (
                f"Which has the {word} value for {category}: {_list(chart.series)}?",
                f"For {category}, which is {word}: {_list(chart.series)}?",
                f"Look at the values for {category}. Which is the {word} one: "
                f"{_list(chart.series)}?",
            ),
            (f"For {category}, the {word} value is that of {{}}.",),
            answer,
            but(answer, chart.series),
        )
    a, b = chart.series[:2] if rng.random() < 0.5 else (chart.series[1], chart.series[0])
    above = sum(chart.value(c, a) > chart.value(c, b) for c in chart.categories)
    yield _count(
        "crossing",
        (a, b),
        (
            f"How many times is the value for {a} higher than the value for {b}?",
            f"How many times does the chart show a higher value for {a} than for {b}?",
            f"Compare {a} with {b} throughout the chart. How many times is {a} higher?",
        ),
        f"The number of times that the chart shows a higher value for {a} than for {b} is {{}}.",
        above,
        range(len(chart.categories) + 1),
    )


def _list(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])}{',' * (len(names) > 2)} or {names[-1]}"


def colors(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about the colors of bars or slices."""
    what = "slice" if chart.kind == "pie" else "bar"
    at = one(rng, len(chart.categories))
    answer, color = chart.categories[at], chart.colors[at]
    yield Ask(
        "color_of",
        (answer,),
        (
            f"What color is the {what} for {answer}?",
            f"What color stands for {answer} in the chart?",
            f"What is the color of the {what} for {answer}?",
        ),
        (f"The {what} for {answer} is {{}}.",),
        color,
        but(color, chart.colors),
    )
    yield Ask(
        "which_color",
        (color,),
        (
            f"Which {chart.noun} has the {color} {what}?",
            f"Which {chart.noun} is shown in {color}?",
            f"Which {chart.noun} does the {color} {what} stand for?",
        ),
        (f"The {color} {what} stands for {{}}.",),
        answer,
        but(answer, chart.categories),
    )
