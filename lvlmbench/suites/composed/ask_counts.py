"""Questions that take exact counting, about charts with many parts."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, one
from lvlmbench.suites.composed.chart_counts import ROW, row
from lvlmbench.suites.composed.chart_facts import (
    THRESHOLDS,
    above,
    crossings,
    facing,
    higher,
    larger,
)


def _count(
    kind: str, about: tuple[str, ...], phrasings: tuple[str, ...], statement: str, answer: int
) -> Ask:
    pool = but(str(answer), map(str, row(answer)))
    return Ask(kind, about, phrasings, (statement,), str(answer), pool)


def many_bars(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield how many bars are taller or shorter than one; fewer than four are seen at a glance."""
    for word, up in (("taller", True), ("shorter", False)):
        found = [
            [higher(chart, *((v, own) if up else (own, v))) for v in chart.values if v != own]
            for own in chart.values
        ]
        many = [
            at for at, each in enumerate(found) if None not in each and sum(map(bool, each)) >= ROW
        ]
        at = many[one(rng, len(many))]
        name = chart.categories[at]
        yield _count(
            f"{word}_than",
            (name,),
            (
                f"How many of the bars are {word} than the bar for {name}?",
                f"In the chart, how many bars are {word} than the one for {name}?",
                f"Count the bars that are {word} than the bar for {name}. How many are there?",
            ),
            f"Exactly {{}} of the bars are {word} than the bar for {name}.",
            sum(map(bool, found[at])),
        )


def many_points(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield how often two lines cross."""
    count = crossings(chart)
    if count is not None:
        yield _count(
            "crossings",
            (),
            (
                "How many times do the two lines cross?",
                "How often do the two lines in the chart cross each other?",
                "Count the points where the two lines cross. How many are there?",
            ),
            "The two lines cross exactly {} times.",
            count,
        )


def many_cells(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield in how many rows one column has more, and how many numbers are above another."""
    pairs = facing(chart)
    a, b = pairs[one(rng, len(pairs))]
    count = larger(chart, a, b)
    for word, answer in (("larger", count), ("smaller", len(chart.categories) - count)):
        yield _count(
            f"{word}_in_rows",
            (a, b),
            (
                f"In how many rows is the value for {a} {word} than the value for {b}?",
                f"In how many rows of the table is the number for {a} {word} than the one for {b}?",
                f"Count the rows in which the number for {a} is {word} than the number for {b}. "
                "How many are there?",
            ),
            f"In {{}} of the {len(chart.categories)} rows, the number for {a} is {word} than the "
            f"number for {b}.",
            answer,
        )
    bound = THRESHOLDS[one(rng, len(THRESHOLDS))]
    yield _count(
        "above",
        (str(bound),),
        (
            f"How many of the values in the table are above {bound}?",
            f"How many numbers in the table are greater than {bound}?",
            f"Count the values in the table that are above {bound}. How many are there?",
        ),
        f"In the table, the number of values above {bound} is {{}}.",
        above(chart, bound),
    )


def many_shapes(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield how many shapes there are of one kind, or of one kind and color."""
    many = [at for at, count in enumerate(chart.values) if count >= 2 * ROW]
    at = many[one(rng, len(many))]
    color, _, kind = chart.names[at].rpartition(": ")
    what = " ".join((color, f"{kind}s") if color else (f"{kind}s",))
    if kind == "cross":
        what = f"{what[:-1]}es"
    yield _count(
        "shapes_of",
        (color, kind) if color else (kind,),
        (
            f"How many {what} are there on the card?",
            f"How many {what} does the card show?",
            f"Count the {what} on the card. How many are there?",
        ),
        f"There are exactly {{}} {what} on the card.",
        chart.values[at],
    )
