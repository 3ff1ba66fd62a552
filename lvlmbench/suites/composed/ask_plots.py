"""Questions about bars and lines."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, of_two, one, pairs, ring, two
from lvlmbench.suites.composed.chart_facts import equal, higher, ranked

_ORDER = {0: "highest", -1: "lowest", 1: "second highest"}


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


def _about(*parts: str | None) -> tuple[str, ...]:
    return tuple(part for part in parts if part)


def _ranks(chart: Chart, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    for place, word in _ORDER.items():
        found = ranked(chart, values, place)
        if found is None or (place == 1 and len(values) < 4):
            continue
        answer, of = chart.categories[found], _of(series)
        yield Ask(
            word.replace(" ", "_"),
            _about(series),
            (
                f"Which {chart.noun} has the {word} value{of}?",
                f"In the chart, which {chart.noun} has the {word} value{of}?",
                f"Look at the chart{of}. Which {chart.noun} is the {word}?",
            ),
            (
                f"The {chart.noun} with the {word} value{of} is {{}}.",
                f"The chart shows the {word} value{of} at {{}}.",
            ),
            answer,
            but(answer, chart.categories),
        )


def _value_of(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    axis = chart.axis
    assert axis is not None
    value = _any(rng, values)
    at = values.index(value)
    name, of = chart.categories[at], _of(series)
    grid = range(axis.low + axis.step, axis.high + 1, axis.step)
    yield Ask(
        "value_of",
        _about(series, name),
        (
            f"What value does the chart show for {_both(name, series)}?",
            f"What is the value of {name}{of} in the chart?",
            f"Read the chart: what is the value of {name}{of}?",
        ),
        (f"The value of {name}{of} is {{}}.", f"The chart shows {{}} for {_both(name, series)}."),
        str(value),
        but(str(value), map(str, grid)),
        pairs(value, but_value(value, values), grid) or ring(value, grid),
    )


def _any(rng: Rng, values: tuple[int, ...]) -> int:
    """A value; one that is there twice is no likelier than the others."""
    once = tuple(dict.fromkeys(values))
    return once[one(rng, len(once))]


def _both(name: str, series: str | None) -> str:
    return f"{name} ({series})" if series else name


def but_value(value: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the other values, each once."""
    return tuple(v for v in dict.fromkeys(values) if v != value)


def _two_values(
    chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None
) -> Iterator[Ask]:
    """Ask for a difference and a sum; what other two categories give is wrong."""
    of = _of(series)
    found = of_two(rng, values, lambda x, y: abs(x - y))
    if found is not None:
        first, second = (chart.categories[i] for i in found[0])
        yield Ask(
            "difference",
            _about(series, first, second),
            (
                f"What is the difference between {first} and {second}{of}?",
                f"By how much do the values of {first} and {second} differ{of}?",
                f"How far apart are the values of {first} and {second}{of}?",
            ),
            (f"The values of {first} and {second} differ by {{}}{of}.",),
            str(found[1]),
            found[2],
        )
    found = of_two(rng, values, lambda x, y: x + y)
    if found is not None:
        first, second = (chart.categories[i] for i in found[0])
        yield Ask(
            "sum",
            _about(series, first, second),
            (
                f"What do {first} and {second} add up to{of}?",
                f"What is the sum of the values of {first} and {second}{of}?",
                f"Add the values of {first} and {second}{of}. What is the total?",
            ),
            (f"The values of {first} and {second} add up to {{}}{of}.",),
            str(found[1]),
            found[2],
        )


def _counts(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    """Ask how many are higher than one; none are alike, so that each count is as likely."""
    n, of = len(values), _of(series)
    at = one(rng, n)
    name = chart.categories[at]
    seen = [higher(chart, v, values[at]) for i, v in enumerate(values) if i != at]
    if len(set(values)) == n and None not in seen:
        yield _count(
            "higher_than",
            _about(series, name),
            (
                f"How many values{of} are higher than that of {name}?",
                f"In the chart, how many values{of} are higher than that of {name}?",
                f"Count the values{of} that are higher than that of {name}. How many are there?",
            ),
            f"The number of values{of} that are higher than that of {name} is {{}}.",
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
        name, answer, of = chart.categories[a], chart.categories[alike[0]], _of(series)
        yield Ask(
            "same",
            _about(series, name),
            (
                f"Which {chart.noun} has the same value as {name}{of}?",
                f"One {chart.noun} has exactly the value of {name}{of}. Which one?",
                f"Which {chart.noun} is level with {name}{of}?",
            ),
            (f"{name} and {{}} have the same value{of}.",),
            answer,
            tuple(c for c in but(answer, chart.categories) if c != name),
        )
        return


def _trend(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    a, b = sorted(two(rng, len(values)))
    if values[a] == values[b]:
        return
    first, last, of = chart.categories[a], chart.categories[b], _of(series)
    answer, other = ("higher", "lower") if values[b] > values[a] else ("lower", "higher")
    yield Ask(
        "trend",
        _about(series, first, last),
        (
            f"Is the value of {last} higher or lower than the value of {first}{of}?",
            f"Compared with {first}, is {last} higher or lower{of}?",
            f"Is {last} higher or lower than {first}{of}?",
        ),
        (f"The value of {last} is {{}} than the value of {first}{of}.",),
        answer,
        (other,),
    )


def _series(chart: Chart, rng: Rng) -> Iterator[Ask]:
    category = chart.categories[one(rng, len(chart.categories))]
    values = tuple(chart.value(category, s) for s in chart.series)
    found = ranked(chart, values, 0)
    if found is not None:
        answer = chart.series[found]
        yield Ask(
            "highest_series",
            (category,),
            (
                f"Which has the highest value at {category}: {_list(chart.series)}?",
                f"At {category}, what is highest: {_list(chart.series)}?",
                f"Look at {category}. Which of {_list(chart.series, 'and')} is highest?",
            ),
            (f"At {category}, the highest value is that of {{}}.",),
            answer,
            but(answer, chart.series),
        )
    a, b = chart.series[:2] if rng.random() < 0.5 else (chart.series[1], chart.series[0])
    above = sum(chart.value(c, a) > chart.value(c, b) for c in chart.categories)
    yield _count(
        "crossing",
        (a, b),
        (
            f"How often is {a} higher than {b} in the same {chart.noun}?",
            f"How many times does the chart show a higher value for {a} than for {b}?",
            f"Count how many times {a} is higher than {b}. What is the number?",
        ),
        f"The chart shows a higher value for {a} than for {b} {{}} times.",
        above,
        range(len(chart.categories) + 1),
    )


def _list(names: tuple[str, ...], word: str = "or") -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def colors(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about the colors of bars or slices."""
    what = "slice" if chart.kind == "pie" else "bar"
    at = one(rng, len(chart.categories))
    answer, color = chart.categories[at], chart.colors[at]
    yield Ask(
        "color_of",
        (answer,),
        (
            f"What color is the {what} of {answer}?",
            f"In which color is {answer} drawn?",
            f"What is the color of the {what} for {answer}?",
        ),
        (f"The {what} of {answer} is {{}}.",),
        color,
        but(color, chart.colors),
    )
    yield Ask(
        "which_color",
        (color,),
        (
            f"Which {chart.noun} has the {color} {what}?",
            f"Which {chart.noun} is drawn in {color}?",
            f"The {color} {what} stands for which {chart.noun}?",
        ),
        (f"The {color} {what} stands for {{}}.",),
        answer,
        but(answer, chart.categories),
    )
