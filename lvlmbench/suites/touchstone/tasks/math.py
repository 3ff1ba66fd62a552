"""Math: what follows from the numbers of a chart, a table or a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.chart_facts import time
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.asking import one_of
from lvlmbench.suites.touchstone.charting import chart_of, planned, told, united, values_of
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import clock, misread, number

_KINDS = ("geometry", "bar", "table", "clock", "pie", "number_line")
#: Kinds whose values are printed, so that nobody works with a number that was read amiss.
_PRINTED = ("bar", "pie")
#: How many there are together, where a share of them is asked for.
_WHOLES = (20, 40, 60, 80, 200, 400)
_MINUTES = (20, 25, 35, 40, 50, 55)


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan a drawing, a chart with its values printed, a table, a clock or a number line."""
    kind = kit.in_turn(_KINDS, ordinal)
    if kind in _PRINTED:
        return planned(kit, kind, "easy", "values")
    return planned(kit, kind, "medium")


def _ask(kit: TaskKit, world: World) -> Asked | None:
    chart = chart_of(world)
    if chart is None:
        return None
    return one_of(kit, *([*make(kit, chart)] for make in _MAKERS[chart.kind]))


def _two(kit: TaskKit, chart: Chart) -> tuple[str, tuple[tuple[str, int], tuple[str, int]]]:
    """Two values of one series, and how that series is said."""
    series = kit.draws.pick(chart.series) if chart.series else None
    values = values_of(chart, series)
    one, other = kit.draws.some(range(len(values)), 2)
    of = f" in the column {series}" if series else ""
    return of, ((chart.categories[one], values[one]), (chart.categories[other], values[other]))


def _sums(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    of, ((one, a), (other, b)) = _two(kit, chart)
    yield Asked(
        question=kit.draws.pick(
            (
                f"How much do {one} and {other} add up to{of}?",
                f"Add the values of {one} and {other}{of}, and show how you get there.",
            )
        ),
        answer=f"{capitalized(one)} and {other}{of} together: {a} + {b} = {united(chart, a + b)}.",
        accepted=number(a + b),
        rivals=misread(a + b, abs(a - b), *chart.values),
        before=(Turn(f"What is the value of {one}{of}?", f"It is {united(chart, a)}."),),
        behind=f"And how much is that together with {other}?",
        hops=1,
    )


def _differences(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    of, ((one, a), (other, b)) = _two(kit, chart)
    if a < b:
        one, a, other, b = other, b, one, a
    if a == b:
        return
    yield Asked(
        question=kit.draws.pick(
            (
                f"By how much does {one} exceed {other}{of}?",
                f"How large is the gap between {other} and {one}{of}? Show your work.",
            )
        ),
        answer=f"{capitalized(one)} has {a}, {other} has {b}{of}: {a} - {b} = "
        f"{united(chart, a - b)}.",
        accepted=number(a - b),
        rivals=misread(a - b, a + b, *chart.values),
        before=(Turn(f"Which has more{of}, {one} or {other}?", f"{capitalized(one)} has more."),),
        behind="By how much?",
        hops=1,
    )


def _ratios(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    of, ((one, a), (other, b)) = _two(kit, chart)
    if a < b:
        one, a, other, b = other, b, one, a
    if a == b or a % b:
        return
    yield Asked(
        question=f"How many times as much as {other} has {one}{of}?",
        answer=f"{capitalized(one)} has {a}, {other} has {b}{of}, and {a} : {b} = {a // b}.",
        accepted=number(a // b),
        rivals=misread(a // b, a - b, *chart.values),
        hops=1,
    )


def _totals(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What all of a chart, or a column of a table, add up to, and what their mean is."""
    series = kit.draws.pick(chart.series) if chart.series else None
    values = values_of(chart, series)
    what = f"all numbers in the column {series}" if series else "all values of the chart"
    total, terms = sum(values), " + ".join(map(str, values))
    yield Asked(
        question=kit.draws.pick(
            (f"What do {what} add up to?", f"Please calculate the sum of {what}.")
        ),
        answer=f"{terms} = {united(chart, total)}.",
        accepted=number(total),
        rivals=misread(total, *chart.values),
        hops=1,
    )
    if total % len(values) == 0:
        mean = total // len(values)
        yield Asked(
            question=f"What is the average of {what}?",
            answer=f"{terms} = {total}, and {total} : {len(values)} = {united(chart, mean)}.",
            accepted=number(mean),
            rivals=misread(mean, *chart.values),
            before=(_how_many(len(values), series),),
            behind="And what is their average?",
            hops=2,
        )


def _how_many(n: int, series: str | None) -> Turn:
    """What may have been asked before about values, and names none of them."""
    where = f"are in the column {series}" if series else "does the chart show"
    return Turn(
        f"How many {'numbers' if series else 'values'} {where}?", f"{capitalized(NUMBERS[n])}."
    )


def _shares(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What slices make together, and how many that is of a whole."""
    one, other = kit.draws.some(range(len(chart.values)), 2)
    first, second = chart.categories[one], chart.categories[other]
    a, b = chart.values[one], chart.values[other]
    yield Asked(
        question=f"What share of the whole do {first} and {second} have together?",
        answer=f"{a} % + {b} % = {a + b} %.",
        accepted=number(a + b),
        rivals=misread(a + b, abs(a - b), *chart.values),
        before=(Turn(f"What is the share of {first}?", f"It is {a} %."),),
        behind=f"And what is it together with that of {second}?",
        hops=1,
    )
    whole = kit.draws.pick(_WHOLES)
    if whole * a % 100 == 0:
        part = whole * a // 100
        yield Asked(
            question=f"Suppose the whole pie stands for {whole}. For how many does the slice of "
            f"{first} stand?",
            answer=f"The slice of {first} is {a} % of the pie, and {a} % of {whole} = {part}.",
            accepted=number(part),
            rivals=misread(part, *chart.values),
            hops=1,
        )


def _clock(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    hour, minute = chart.values
    shown, later = time(hour, minute), kit.draws.pick(_MINUTES)
    total = (60 * (hour % 12) + minute + later) % 720
    then = time(total // 60 or 12, total % 60)
    if shown is None or then is None:
        return
    yield Asked(
        question=kit.draws.pick(
            (
                f"A film that lasts {later} minutes begins at the time on this clock. When does it "
                "end?",
                f"What will this clock show in {later} minutes?",
            )
        ),
        answer=f"{then}: that is {later} minutes after {shown}, which the clock shows.",
        accepted=clock(total // 60 or 12, total % 60),
        rivals=_amiss(total, later),
        before=(Turn("What does this picture show?", "It shows the dial of a clock."),),
        behind=f"What time will it be {later} minutes after the time that it shows?",
        hops=1,
    )


def _amiss(total: int, later: int) -> tuple[str, ...]:
    """Times that somebody may give for one: what is shown, an hour or some minutes beside it."""
    found = ((total + by) % 720 for by in (-later, 60, -60, 5, -5, 30))
    return tuple(form for at in found for form in clock(at // 60 or 12, at % 60)[:1])


def _line(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    one, other = kit.draws.some(range(len(chart.values)), 2)
    a, b = chart.values[one], chart.values[other]
    first, second = chart.categories[one], chart.categories[other]
    yield Asked(
        question=f"How far apart are the markers {first} and {second} on this number line?",
        answer=f"They are {abs(a - b)} apart: marker {first} is at {a}, marker {second} at {b}.",
        accepted=number(abs(a - b)),
        rivals=misread(abs(a - b), a + b, *chart.values),
        before=(Turn(f"At which number is the marker {first}?", f"It is at {a}."),),
        behind=f"And how far is it from there to {second}?",
        hops=1,
    )


def _shapes(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    makers = {"angles": _angle, "circle": _circle, "rectangle": _sides, "triangle": _sides}
    yield from makers[chart.shape](kit, chart)


def _angle(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    a, b, third = chart.values
    corner = chart.categories[2]
    yield Asked(
        question=kit.draws.pick(
            (
                "Work out the angle that is marked with a question mark.",
                f"How large is the angle at {corner} in this triangle, and why?",
            )
        ),
        answer=f"The angles of a triangle add up to 180°, so the one at {corner} has "
        f"180° - {a}° - {b}° = {third}°.",
        accepted=number(third),
        rivals=misread(third, a + b, *chart.values),
        hops=1,
    )


def _circle(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    radius = chart.values[0]
    yield Asked(
        question="How long is the diameter of this circle?",
        answer=f"{united(chart, 2 * radius)}: the radius is {united(chart, radius)}, and the "
        "diameter is twice as long.",
        accepted=number(2 * radius),
        rivals=misread(2 * radius, radius),
        hops=1,
    )


def _sides(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """Perimeter, and of a rectangle the area."""
    around = chart.values * (2 if chart.shape == "rectangle" else 1)
    total = sum(around)
    yield Asked(
        question=kit.draws.pick(
            (
                f"What is the perimeter of this {chart.shape}?",
                f"An ant walks once around this {chart.shape}. How long is its way?",
            )
        ),
        answer=f"The perimeter is {' + '.join(map(str, around))} = {united(chart, total)}.",
        accepted=number(total),
        rivals=misread(total, sum(chart.values), prod(chart.values), *chart.values),
        hops=1,
    )
    if chart.shape == "rectangle":
        a, b = chart.values
        yield Asked(
            question="How large is the area of this rectangle? Show how you work it out.",
            answer=f"The area is {a} times {b} = {a * b} {chart.unit}².",
            accepted=number(a * b),
            rivals=misread(a * b, a + b, 2 * (a + b), a, b),
            hops=1,
        )


_TERMS = (_sums, _differences, _ratios, _totals)
_MAKERS: dict[str, tuple[Callable[[TaskKit, Chart], Iterator[Asked]], ...]] = {
    "bar": _TERMS,
    "table": _TERMS,
    "pie": (_shares,),
    "clock": (_clock,),
    "number_line": (_line,),
    "geometry": (_shapes,),
}


@SUBTASKS.register("touchstone_math")
def math() -> DrawnTask:
    """Return the task: what follows from numbers that are drawn."""
    return drawn(
        "touchstone_math",
        things=(1, 1), span=(300, 400), written=True, hops=1,
        plan=_plan, ask=_ask, describe=told,
    )  # fmt: skip
