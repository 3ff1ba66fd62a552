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


def _plan(kit: TaskKit) -> Graph:
    """Plan a drawing, a chart with its values printed, a table, a clock or a number line."""
    kind = kit.in_turn(_KINDS)
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
    of = f" in the {series} column" if series else ""
    return of, ((chart.categories[one], values[one]), (chart.categories[other], values[other]))


def _sums(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    of, ((one, a), (other, b)) = _two(kit, chart)
    yield Asked(
        question=kit.draws.pick(
            (
                f"What do the values for {one} and {other} add up to{of}?",
                f"Add the values for {one} and {other}{of}, and show your work.",
            )
        ),
        answer=f"The values for {one} and {other}{of} add up to {a} + {b} = "
        f"{united(chart, a + b)}.",
        accepted=number(a + b),
        rivals=misread(a + b, abs(a - b), *chart.values),
        before=(Turn(f"What is the value for {one}{of}?", f"It is {united(chart, a)}."),),
        behind=f"What is the sum of that value and the value for {other}?",
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
                f"How much higher is the value for {one} than the value for {other}{of}?",
                f"What is the difference between {other} and {one}{of}? Show your work.",
            )
        ),
        answer=f"The value for {one} is {a} and the value for {other} is {b}{of}, so the "
        f"difference is {a} - {b} = {united(chart, a - b)}.",
        accepted=number(a - b),
        rivals=misread(a - b, a + b, *chart.values),
        before=(
            Turn(
                f"Which value is higher{of}, the one for {one} or {other}?", f"The one for {one}."
            ),
        ),
        behind="How much higher is it?",
        hops=1,
    )


def _ratios(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    of, ((one, a), (other, b)) = _two(kit, chart)
    if a < b:
        one, a, other, b = other, b, one, a
    if a == b or a % b:
        return
    yield Asked(
        question=f"How many times as high as the value for {other} is the value for {one}{of}?",
        answer=f"The value for {one} is {a} and the value for {other} is {b}{of}, and {a} / {b} = "
        f"{a // b}.",
        accepted=number(a // b),
        rivals=misread(a // b, a - b, *chart.values),
        hops=1,
    )


def _totals(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What all of a chart, or a column of a table, add up to, and what their mean is."""
    series = kit.draws.pick(chart.series) if chart.series else None
    values = values_of(chart, series)
    what = f"all the numbers in the {series} column" if series else "all the values in the chart"
    total, terms = sum(values), " + ".join(map(str, values))
    yield Asked(
        question=kit.draws.pick((f"What do {what} add up to?", f"Please add up {what}.")),
        answer=f"{terms} = {united(chart, total)}.",
        accepted=number(total),
        rivals=misread(total, *chart.values),
        hops=1,
    )
    if total % len(values) == 0:
        mean = total // len(values)
        yield Asked(
            question=f"What is the average of {what}?",
            answer=f"{terms} = {total}, and {total} / {len(values)} = {united(chart, mean)}.",
            accepted=number(mean),
            rivals=misread(mean, *chart.values),
            before=(_how_many(len(values), series),),
            behind="And what is their average?",
            hops=2,
        )


def _how_many(n: int, series: str | None) -> Turn:
    """What may have been asked before about values, and names none of them."""
    where = f"numbers are in the {series} column" if series else "values does the chart show"
    return Turn(f"How many {where}?", f"{capitalized(NUMBERS[n])}.")


def _shares(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What slices make together, and how many that is of a whole."""
    one, other = kit.draws.some(range(len(chart.values)), 2)
    first, second = chart.categories[one], chart.categories[other]
    a, b = chart.values[one], chart.values[other]
    yield Asked(
        question=f"What percentage do {first} and {second} make up together?",
        answer=f"Together they make up {a}% + {b}% = {a + b}%.",
        accepted=number(a + b),
        rivals=misread(a + b, abs(a - b), *chart.values),
        before=(Turn(f"What is the percentage for {first}?", f"It is {a}%."),),
        behind=f"And what percentage do {first} and {second} make up together?",
        hops=1,
    )
    whole = kit.draws.pick(_WHOLES)
    if whole * a % 100 == 0:
        part = whole * a // 100
        yield Asked(
            question=f"Suppose the whole pie stands for {whole}. How many does the slice for "
            f"{first} stand for?",
            answer=f"The slice for {first} is {a}% of the pie, and {a}% of {whole} = {part}.",
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
                f"A movie that lasts {later} minutes starts at the time on this clock. When does "
                "it end?",
                f"What time will this clock show in {later} minutes?",
            )
        ),
        answer=f"At {then}, since the clock shows {shown} now.",
        accepted=clock(total // 60 or 12, total % 60),
        rivals=_amiss(total, later),
        before=(Turn("What does this picture show?", "It shows a clock."),),
        behind=f"What time will it show in {later} minutes?",
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
        answer=f"They are {abs(a - b)} apart: {first} is at {a}, and {second} is at {b}.",
        accepted=number(abs(a - b)),
        rivals=misread(abs(a - b), a + b, *chart.values),
        before=(Turn(f"At which number is the marker {first}?", f"It is at {a}."),),
        behind=f"And how far is it from there to the marker {second}?",
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
                "How large is the angle that is marked with a question mark?",
                f"How large is the angle at {corner} in this triangle, and how do you know?",
            )
        ),
        answer=f"The angles of a triangle add up to 180°, so the one at {corner} is "
        f"180° - {a}° - {b}° = {third}°.",
        accepted=number(third),
        rivals=misread(third, a + b, *chart.values),
        hops=1,
    )


def _circle(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    radius = chart.values[0]
    yield Asked(
        question="What is the diameter of this circle?",
        answer=f"The diameter is twice the radius: 2 times {united(chart, radius)} = "
        f"{united(chart, 2 * radius)}.",
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
                f"An ant walks once around this {chart.shape}. How far does it walk?",
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
            question="What is the area of this rectangle? Show your work.",
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
