"""Questions about pies and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, one, rows
from lvlmbench.suites.composed.ask_plots import colors
from lvlmbench.suites.composed.chart_facts import margin, ranked

#: Place among the ranked values -> its name in questions.
_EXTREMES = ((0, "largest"), (-1, "smallest"))


def _compared(extreme: str, values: Sequence[int]) -> str:
    """Return what an extreme is called; of two values, one is the larger."""
    return extreme.replace("est", "er") if len(values) == 2 else extreme


def pie(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a pie chart."""
    values = chart.values
    for place, extreme in _EXTREMES:
        found = ranked(chart, values, place)
        if found is not None:
            answer, word = chart.categories[found], _compared(extreme, values)
            yield Ask(
                extreme,
                (),
                (
                    f"Which {chart.noun} has the {word} share?",
                    f"Which {chart.noun} has the {word} slice of the pie?",
                    f"Look at the slices of the pie. Which {chart.noun} has the {word} one?",
                ),
                (f"The {word} slice belongs to {{}}.",),
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
                f"Which {chart.noun} makes up about {value}% of the pie?",
                f"Which {chart.noun} has a share of about {value}%?",
                f"About {value}% of the pie belongs to which {chart.noun}?",
            ),
            (f"About {value}% of the pie belongs to {{}}.",),
            name,
            far,
        )
    yield from _share_of(chart, name, value)
    yield from colors(chart, rng)


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
            f"About what percentage of the pie belongs to {name}?",
            f"Roughly how large is the share of {name}, in percent?",
            f"About what percentage of the pie does {name} make up?",
        ),
        (f"About {{}}% of the pie belongs to {name}.",),
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
            f"What number does the table show for {name} in the {series} column?",
            f"What is the number in the {name} row and the {series} column?",
            f"Read the table. What is the value for {name} in the {series} column?",
        ),
        (f"The table shows {{}} for {name} in the {series} column.",),
        value,
        but(value, map(str, chart.values)),
        squares,
    )
    yield Ask(
        "where",
        (value,),
        (
            f"In which row of the table is the number {value}?",
            f"Which row of the table contains the number {value}?",
            f"Which {chart.noun} does the number {value} belong to?",
        ),
        (f"The number {value} is in the {{}} row.",),
        name,
        but(name, chart.categories),
    )
    down = tuple(chart.value(c, series) for c in chart.categories)
    across = tuple(chart.value(name, s) for s in chart.series)
    yield from _table_ranks(chart, series, down)
    yield from _table_sums(name, across, series, down)


def _table_ranks(chart: Chart, series: str, down: tuple[int, ...]) -> Iterator[Ask]:
    for place, extreme in _EXTREMES:
        found = ranked(chart, down, place)
        if found is not None:
            answer, word = chart.categories[found], _compared(extreme, down)
            yield Ask(
                f"{extreme}_in_column",
                (series,),
                (
                    f"Which row has the {word} number in the {series} column?",
                    f"In the {series} column, which row has the {word} number?",
                    f"Which {chart.noun} has the {word} number in the {series} column?",
                ),
                (f"The {word} number in the {series} column is in the {{}} row.",),
                answer,
                but(answer, chart.categories),
            )


def _table_sums(
    name: str, across: tuple[int, ...], series: str, down: tuple[int, ...]
) -> Iterator[Ask]:
    for kind, what, part, total in (
        ("row_sum", name, "row", sum(across)),
        ("column_sum", series, "column", sum(down)),
    ):
        sets = rows(total, 1, 10)
        yield Ask(
            kind,
            (what,),
            (
                f"What do all the numbers in the {what} {part} add up to?",
                f"What is the sum of all the numbers in the {what} {part}?",
                f"Add up the numbers in the {what} {part}. What is the total?",
            ),
            (f"The numbers in the {what} {part} add up to {{}}.",),
            str(total),
            but(str(total), (o for s in sets for o in s)),
            sets,
        )
