"""Charts: what bars, lines, slices and tables say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.chart_facts import higher, margin, ranked
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.asking import one_of
from lvlmbench.suites.touchstone.charting import chart_of, planned, told, united, values_of
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import (
    DAYS,
    MONTHS,
    entries,
    entry,
    miscounted,
    misread,
    number,
)

_KINDS = ("bar", "line", "table", "pie")
_RANKS = {0: "highest", -1: "lowest"}


def _plan(kit: TaskKit) -> Graph:
    """Plan a chart whose values mostly have to be read off an axis."""
    return planned(kit, kit.in_turn(_KINDS), "medium")


def _ask(kit: TaskKit, world: World) -> Asked | None:
    chart = chart_of(world)
    if chart is None:
        return None
    return one_of(kit, *([*make(kit, chart)] for make in _MAKERS[chart.kind]))


def _series(kit: TaskKit, chart: Chart) -> tuple[str | None, str]:
    """Of which series is asked, and how that is said."""
    if not chart.series:
        return None, ""
    name = kit.draws.pick(chart.series)
    return name, f" for {name}"


def _called(chart: Chart) -> str:
    return "table" if chart.kind == "table" else "chart"


def _about(chart: Chart) -> tuple[Turn, ...]:
    return (Turn(f"What is this {_called(chart)} about?", f'Its title is "{chart.title}".'),)


def _top(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """Which category is the highest or lowest, and how high it is."""
    series, of = _series(kit, chart)
    values = values_of(chart, series)
    for place, word in _RANKS.items():
        at = ranked(chart, values, place)
        if at is None:
            continue
        name, value = chart.categories[at], united(chart, values[at])
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Which {chart.noun} has the {word} value{of}, and what is that value?",
                    f"Look at the chart. Which {chart.noun} has the {word} value{of}, and how "
                    f"{word[:-3]} is it?",
                )
            ),
            answer=f"{capitalized(name)} has the {word} value{of}: {value}.",
            accepted=entry(name),
            rivals=entries((*chart.categories, *chart.series), name),
            before=_about(chart),
            behind=f"Which {chart.noun} has the {word} value{of}, and what is that value?",
            near=len(values) - 1,
        )


def _order(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """All categories from the highest to the lowest."""
    series, of = _series(kit, chart)
    values = values_of(chart, series)
    order = sorted(range(len(values)), key=lambda at: -values[at])
    if all(higher(chart, values[a], values[b]) for a, b in pairwise(order)):
        listed = [f"{chart.categories[at]} ({united(chart, values[at])})" for at in order]
        yield Asked(
            question=kit.draws.pick(
                (
                    f"List all the values{of} in the {_called(chart)} from highest to lowest.",
                    f"Please rank everything in the {_called(chart)} by its value{of}, starting "
                    "with the highest, and tell me the values.",
                )
            ),
            answer=f"From highest to lowest{of}: {enumeration(listed)}.",
            before=_about(chart),
            hops=1,
            near=len(values) - 1,
        )


def _course(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """How values develop over time."""
    series, of = _series(kit, chart)
    values = values_of(chart, series)
    steps = []
    for (before, after), name in zip(pairwise(values), chart.categories[1:], strict=True):
        up, down = higher(chart, after, before), higher(chart, before, after)
        if up is None or down is None:
            return
        how = "rises to" if up else "falls to" if down else "stays at"
        steps.append(f"{how} {after} {_when(name)}")
    ends = higher(chart, values[-1], values[0]), higher(chart, values[0], values[-1])
    if None in ends:
        return
    whole = "higher than" if ends[0] else "lower than" if ends[1] else "the same as"
    first, last = chart.categories[0], chart.categories[-1]
    yield Asked(
        question=kit.draws.pick(
            (
                f"How does the value{of} change from {first} to {last}?",
                f"Describe step by step how the line{of} runs.",
            )
        ),
        answer=(
            f"The line{of} starts at {values[0]} {_when(first)}, then {enumeration(steps)}. "
            f"At the end, the value is {whole} at the beginning."
        ),
        before=_about(chart),
        hops=1,
        near=len(values) - 1,
    )


def _when(name: str) -> str:
    """A point in time behind its preposition: "on Tue", "in 2016"."""
    return (
        f"{'on' if name in DAYS else 'in' if name in MONTHS or name.isdecimal() else 'at'} {name}"
    )


def _above(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """How many values lie above a number of the axis, and which."""
    series, of = _series(kit, chart)
    values = values_of(chart, series)
    assert chart.axis is not None
    for bound in chart.axis.numbers[1:-1]:
        if any(abs(value - bound) < margin(chart) for value in values):
            continue
        there = [n for n, v in zip(chart.categories, values, strict=True) if v > bound]
        if not 0 < len(there) < len(values):
            continue
        yield Asked(
            question=kit.draws.pick(
                (
                    f"How many values{of} are above {bound}, and which ones?",
                    f"Count the values{of} that are higher than {bound}, and say which they are.",
                )
            ),
            answer=f"{capitalized(NUMBERS[len(there)])} value{'s' if len(there) > 1 else ''}{of} "
            f"{'are' if len(there) > 1 else 'is'} above {bound}: "
            f"{'those' if len(there) > 1 else 'the one'} for {enumeration(there)}.",
            accepted=number(len(there)),
            rivals=miscounted(len(there), len(values), len(values) - len(there)),
            before=_about(chart),
            hops=1,
            near=len(values) - 1,
        )


def _ahead(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """Which of two series is higher more often."""
    if len(chart.series) < 2:
        return
    one, other = chart.series[:2]
    pairs = [(chart.value(c, one), chart.value(c, other)) for c in chart.categories]
    won = [higher(chart, a, b) for a, b in pairs]
    if None in won or 2 * won.count(True) == len(won):
        return
    times = won.count(True)
    first, n = (one, times) if 2 * times > len(won) else (other, len(won) - times)
    yield Asked(
        question=kit.draws.pick(
            (
                f"Compare {one} and {other}. Which one has the higher value more often?",
                f"Which is higher more often, {one} or {other}?",
            )
        ),
        answer=f"{capitalized(first)} is higher more often, in {n} of {len(won)} cases.",
        accepted=(first,),
        rivals=entries((*chart.series, *chart.categories), first),
        before=_about(chart),
        hops=1,
        near=1,
    )


def _share(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """The largest or smallest slice."""
    for place, word in ((0, "largest"), (-1, "smallest")):
        at = ranked(chart, chart.values, place)
        if at is None:
            continue
        name, color = chart.categories[at], chart.color(at)
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Which {chart.noun} has the {word} slice of this pie chart?",
                    f"What does the {word} slice of this pie chart stand for, and what color is "
                    "it?",
                )
            ),
            answer=f"The {word} slice stands for {name}. It is {color} and has "
            f"{chart.values[at]}%.",
            accepted=entry(name),
            rivals=entries(chart.categories, name),
            before=_about(chart),
            near=len(chart.values) - 1,
        )


def _slice(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What a color stands for."""
    at = kit.draws.below(len(chart.categories))
    name, color = chart.categories[at], chart.color(at)
    yield Asked(
        question=f"What does the {color} slice of this pie chart stand for?",
        answer=f"The {color} slice stands for {name}, with {chart.values[at]}%.",
        accepted=entry(name),
        rivals=entries(chart.categories, name),
        before=_about(chart),
        behind=f"And what does the {color} slice stand for?",
        near=len(chart.categories) - 1,
    )


def _row(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """What stands in the row of the largest or smallest number of another column."""
    column, other = kit.draws.some(chart.series, 2)
    values = values_of(chart, column)
    for place, word in ((0, "largest"), (-1, "smallest")):
        at = ranked(chart, values, place)
        if at is None:
            continue
        name = chart.categories[at]
        value = chart.value(name, other)
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Find the {word} number in the {column} column. What number is in the same "
                    f"row under {other}?",
                    f"Look at the {chart.noun} with the {word} number under {column}. What is its "
                    f"number under {other}?",
                )
            ),
            answer=f"{value}. The {word} number under {column} is {values[at]}, in the row for "
            f"{name}, and the number under {other} in that row is {value}.",
            accepted=number(value),
            rivals=misread(value, *chart.values),
            before=(
                Turn(f"Which {chart.noun} has the {word} number under {column}?", f"{name} does."),
            ),
            behind=f"And what is its number under {other}?",
            hops=1,
            near=len(values) - 1,
        )


def _cell(kit: TaskKit, chart: Chart) -> Iterator[Asked]:
    """In which row a number stands: no two are alike."""
    at = kit.draws.below(len(chart.values))
    row, column = divmod(at, len(chart.series))
    name, series = chart.categories[row], chart.series[column]
    yield Asked(
        question=kit.draws.pick(
            (
                f"Which row of this table contains the number {chart.values[at]}?",
                f"Which {chart.noun} does the number {chart.values[at]} in this table belong to?",
            )
        ),
        answer=f"The number {chart.values[at]} is in the row for {name}, in the {series} column.",
        accepted=entry(name),
        rivals=entries(chart.categories, name),
        before=_about(chart),
        near=len(chart.values) - 1,
    )


_PLOT = (_top, _order, _above, _ahead)
_MAKERS: dict[str, tuple[Callable[[TaskKit, Chart], Iterator[Asked]], ...]] = {
    "bar": _PLOT,
    "line": (*_PLOT, _course),
    "pie": (_share, _slice),
    "table": (_row, _cell, _order),
}


@SUBTASKS.register("touchstone_chart")
def chart() -> DrawnTask:
    """Return the task: what a chart says."""
    return drawn(
        "touchstone_chart",
        things=(1, 1), span=(300, 400), written=True, hops=1,
        plan=_plan, ask=_ask, describe=told,
    )  # fmt: skip
