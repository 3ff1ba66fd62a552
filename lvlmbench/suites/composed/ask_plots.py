"""Questions about bars, lines, slices and tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, one, pairs, ring, rows, two
from lvlmbench.suites.composed.chart_facts import above, equal, higher, margin, ranked

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
        yield from _colors(chart, rng)


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


def _value_of(
    chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None
) -> Iterator[Ask]:
    axis = chart.axis
    assert axis is not None
    at = one(rng, len(values))
    name, value, of = chart.categories[at], values[at], _of(series)
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


def _both(name: str, series: str | None) -> str:
    return f"{name} ({series})" if series else name


def but_value(value: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the other values, each once."""
    return tuple(v for v in dict.fromkeys(values) if v != value)


def _two_values(
    chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None
) -> Iterator[Ask]:
    """Ask for a difference and a sum; what other two categories give is wrong."""
    a, b = two(rng, len(values))
    first, second, of = chart.categories[a], chart.categories[b], _of(series)
    couples = list(combinations(values, 2))
    gap, total = abs(values[a] - values[b]), values[a] + values[b]
    gaps = but(str(gap), (str(abs(x - y)) for x, y in couples if x != y))
    sums = but(str(total), (str(x + y) for x, y in couples))
    if gap:
        yield Ask(
            "difference",
            _about(series, first, second),
            (
                f"What is the difference between {first} and {second}{of}?",
                f"By how much do the values of {first} and {second} differ{of}?",
                f"How far apart are the values of {first} and {second}{of}?",
            ),
            (f"The values of {first} and {second} differ by {{}}{of}.",),
            str(gap),
            gaps,
        )
    yield Ask(
        "sum",
        _about(series, first, second),
        (
            f"What do {first} and {second} add up to{of}?",
            f"What is the sum of the values of {first} and {second}{of}?",
            f"Add the values of {first} and {second}{of}. What is the total?",
        ),
        (f"The values of {first} and {second} add up to {{}}{of}.",),
        str(total),
        sums,
    )


def _counts(chart: Chart, rng: Rng, values: tuple[int, ...], series: str | None) -> Iterator[Ask]:
    n, of = len(values), _of(series)
    at = one(rng, n)
    name = chart.categories[at]
    seen = [higher(chart, v, values[at]) for i, v in enumerate(values) if i != at]
    if None not in seen and values.count(values[at]) == 1:
        yield _count(
            "higher_than", _about(series, name), sum(map(bool, seen)), range(n),
            f"values{of} are higher than that of {name}",
        )  # fmt: skip
    if chart.axis is None:
        return
    # Between two values, so that each count from 1 to n - 1 is as likely.
    order = sorted(values)
    place = one(rng, n - 1)
    between = [x for x in chart.axis.numbers if order[place] < x < order[place + 1]]
    limit = between[one(rng, len(between))] if between else None
    count = above(chart, values, limit) if limit is not None else None
    if count is not None:
        yield _count(
            "above", _about(series, str(limit)), count, range(1, n), f"values{of} are above {limit}"
        )


def _count(kind: str, about: tuple[str, ...], answer: int, numbers: range, what: str) -> Ask:
    return Ask(
        kind,
        about,
        (
            f"How many {what}?",
            f"Count them: how many {what}?",
            f"In the chart, how many {what}?",
        ),
        (f"The number of {what.replace(' are ', ' that are ', 1)} is {{}}.",),
        str(answer),
        but(str(answer), map(str, numbers)),
        ring(answer, numbers),
    )


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
        "crossing", (a, b), above, range(len(chart.categories) + 1),
        f"values for {a} are higher than those for {b} in the same {chart.noun}",
    )  # fmt: skip


def _list(names: tuple[str, ...], word: str = "or") -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def _colors(chart: Chart, rng: Rng) -> Iterator[Ask]:
    at = one(rng, len(chart.categories))
    answer, color = chart.categories[at], chart.colors[at]
    yield Ask(
        "color_of",
        (answer,),
        (
            f"What color is the bar of {answer}?",
            f"In which color is {answer} drawn?",
            f"Which color does the bar for {answer} have?",
        ),
        (f"The bar of {answer} is {{}}.",),
        color,
        but(color, chart.colors),
    )
    yield Ask(
        "which_color",
        (color,),
        (
            f"Which {chart.noun} has the {color} bar?",
            f"Which {chart.noun} is drawn in {color}?",
            f"The {color} bar stands for which {chart.noun}?",
        ),
        (f"The {color} bar stands for {{}}.",),
        answer,
        but(answer, chart.categories),
    )


def pie(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a pie chart."""
    values = chart.values
    for place, word in ((0, "largest"), (-1, "smallest")):
        found = ranked(chart, values, place)
        if found is not None:
            answer = chart.categories[found]
            yield Ask(
                word,
                (),
                (
                    f"Which {chart.noun} has the {word} share?",
                    f"Which {chart.noun} has the {word} slice of the pie?",
                    f"Which slice of the pie is the {word}?",
                ),
                (f"The {word} slice is that of {{}}.",),
                answer,
                but(answer, chart.categories),
            )
    at = one(rng, len(values))
    name, value = chart.categories[at], values[at]
    far = tuple(
        c for c, v in zip(chart.categories, values, strict=True) if abs(v - value) >= margin(chart)
    )
    if len(far) == len(values) - 1:
        yield Ask(
            "which_share",
            (str(value),),
            (
                f"Which {chart.noun} makes up about {value} % of the pie?",
                f"Which {chart.noun} has a share of about {value} %?",
                f"About {value} % belongs to which {chart.noun}?",
            ),
            (f"About {value} % of the pie belongs to {{}}.",),
            name,
            far,
        )
    yield from _share_of(chart, name, value)
    yield from _colors(chart, rng) if "legend" in chart.marks else ()


def _share_of(chart: Chart, name: str, value: int) -> Iterator[Ask]:
    others = [v for v in dict.fromkeys(chart.values) if v != value]
    sets = [
        three
        for three in combinations(others, 3)
        if all(abs(x - y) >= margin(chart) for x, y in combinations((value, *three), 2))
    ]
    if not sets:
        return
    yield Ask(
        "share_of",
        (name,),
        (
            f"About what share of the pie, in percent, does {name} have?",
            f"About how many percent belong to {name}?",
            f"How large is the share of {name}, in percent, roughly?",
        ),
        (f"The share of {name} is about {{}} %.",),
        str(value),
        tuple(str(v) for v in others if abs(v - value) >= margin(chart)),
        tuple(tuple(map(str, three)) for three in sets),
    )


def table(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a table."""
    row, column = one(rng, len(chart.categories)), one(rng, len(chart.series))
    name, series = chart.categories[row], chart.series[column]
    value = str(chart.value(name, series))
    squares = tuple(
        (str(chart.value(name, s)), str(chart.value(c, series)), str(chart.value(c, s)))
        for c in chart.categories
        for s in chart.series
        if c != name and s != series
    )
    yield Ask(
        "cell",
        (name, series),
        (
            f"What number does the table show for {name} and {series}?",
            f"What is the number in row {name}, column {series}?",
            f"Read the table: what stands at {name} under {series}?",
        ),
        (f"The table shows {{}} for {name} and {series}.",),
        value,
        but(value, map(str, chart.values)),
        squares,
    )
    yield Ask(
        "where",
        (value,),
        (
            f"In which row of the table is the number {value}?",
            f"Which row holds the number {value}?",
            f"The number {value} belongs to which {chart.noun}?",
        ),
        (f"The number {value} is in the row {{}}.",),
        name,
        but(name, chart.categories),
    )
    down = tuple(chart.value(c, series) for c in chart.categories)
    across = tuple(chart.value(name, s) for s in chart.series)
    yield from _table_ranks(chart, series, down)
    yield from _table_sums(name, across, series, down)


def _table_ranks(chart: Chart, series: str, down: tuple[int, ...]) -> Iterator[Ask]:
    for place, word in ((0, "largest"), (-1, "smallest")):
        found = ranked(chart, down, place)
        if found is not None:
            answer = chart.categories[found]
            yield Ask(
                f"{word}_in_column",
                (series,),
                (
                    f"Which row has the {word} number under {series}?",
                    f"In the column {series}, which row holds the {word} number?",
                    f"Which {chart.noun} has the {word} number under {series}?",
                ),
                (f"The {word} number under {series} is that of {{}}.",),
                answer,
                but(answer, chart.categories),
            )


def _table_sums(
    name: str, across: tuple[int, ...], series: str, down: tuple[int, ...]
) -> Iterator[Ask]:
    for kind, what, total in (
        ("row_sum", f"row {name}", sum(across)),
        ("column_sum", f"column {series}", sum(down)),
    ):
        sets = rows(total, 1, 10)
        yield Ask(
            kind,
            (what.split()[1],),
            (
                f"What do all numbers in the {what} add up to?",
                f"What is the sum of the {what}?",
                f"Add up the {what}. What is the total?",
            ),
            (f"The numbers in the {what} add up to {{}}.",),
            str(total),
            but(str(total), (o for s in sets for o in s)),
            sets,
        )
