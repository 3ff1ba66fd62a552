"""Questions about clocks, number lines and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, of_two, one, pairs, ring
from lvlmbench.suites.composed.chart_facts import time
from lvlmbench.suites.composed.chart_sizes import sums, ways


def clock(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a clock, to five minutes."""
    hour, minute = chart.values
    shown = time(hour, minute)
    if shown is None or minute % 5:
        return
    sets = _times(hour, minute)
    yield Ask(
        "time",
        (),
        (
            "What time does the clock show?",
            "What time is it according to the clock?",
            "Read the clock. What time is it?",
        ),
        ("The clock shows {}.", "According to the clock, it is {}."),
        shown,
        but(shown, (o for s in sets for o in s)),
        sets,
    )
    later = 5 * (2 + one(rng, 10))
    total = (60 * (hour % 12) + minute + later) % 720
    then = (total // 60 or 12, total % 60)
    told = time(*then)
    if told is not None:
        sets = _times(*then)
        yield Ask(
            "time_later",
            (str(later),),
            (
                f"What time will it be {later} minutes after the time shown on the clock?",
                f"The clock shows the current time. What time will it be in {later} minutes?",
                f"Add {later} minutes to the time on the clock. What time do you get?",
            ),
            (f"In {later} minutes, the clock will show {{}}.",),
            told,
            but(told, (o for s in sets for o in s)),
            sets,
        )


def _times(hour: int, minute: int) -> tuple[tuple[str, ...], ...]:
    """Sets of other times: hour or minutes off by one mark, or both; hands exchanged.

    Each member of a set has as many sets of each sort as any other. Where exchanged hands give
    less than four times, the dial is turned by quarters instead, which leaves the angle between
    the hands, and so the number of such sets, as it is.
    """
    mark = minute // 5

    def told(hours: int, marks: int) -> str:
        return f"{(hours - 1) % 12 + 1}:{marks % 12 * 5:02d}"

    found, shown = [], told(hour, mark)
    for h in (hour - 1, hour + 1):
        for m in (mark - 1, mark + 1, mark + 6):
            found.append((told(h, mark), told(hour, m), told(h, m)))
    exchanged = [
        *((told(h, mark), told(mark, hour), told(mark, h)) for h in (hour - 1, hour + 1)),
        *((told(hour, m), told(mark, hour), told(m, hour)) for m in (mark - 1, mark + 1)),
    ]
    a, b, c = (told(hour + turn, mark + turn) for turn in (3, 6, 9))
    found += [each if len({shown, *each}) == 4 else (a, b, c) for each in exchanged]
    return tuple(found)


def number_line(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a number line."""
    axis = chart.axis
    assert axis is not None
    at = one(rng, len(chart.values))
    name, value = chart.categories[at], chart.values[at]
    others = tuple(v for v in chart.values if v != value)
    grid = range(axis.low + axis.step, axis.high, axis.step)
    yield Ask(
        "number_at",
        (name,),
        (
            f"What number does marker {name} point to?",
            f"What number is marker {name} at?",
            f"What number on the line does marker {name} mark?",
        ),
        (f"Marker {name} points to {{}}.",),
        str(value),
        but(str(value), map(str, grid)),
        pairs(value, others, grid) or ring(value, grid),
    )
    yield Ask(
        "marker_at",
        (str(value),),
        (
            f"Which marker points to {value}?",
            f"Which letter marks the number {value}?",
            f"Which marker on the number line is at {value}?",
        ),
        (f"The marker at {value} is {{}}.",),
        name,
        but(name, chart.categories),
    )
    apart = of_two(rng, chart.values, lambda x, y: abs(x - y))
    if apart is not None:
        first, second = (chart.categories[i] for i in apart[0])
        yield Ask(
            "distance",
            (first, second),
            (
                f"How far apart are markers {first} and {second} on the number line?",
                f"What is the distance between markers {first} and {second}?",
                f"What is the difference between the numbers at {first} and {second}?",
            ),
            (f"Markers {first} and {second} are {{}} apart.",),
            str(apart[1]),
            apart[2],
        )
    yield Ask(
        "color_of",
        (name,),
        (
            f"What color is marker {name}?",
            f"Look at marker {name}. What color is it?",
            f"What color is the marker labeled {name}?",
        ),
        (f"Marker {name} is {{}}.",),
        chart.colors[at],
        but(chart.colors[at], chart.colors),
    )


def geometry(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a shape."""
    if chart.shape == "angles":
        yield from _angles(chart)
        return
    if chart.shape == "circle":
        yield from _circle(chart)
        return
    total = sum(chart.values)
    at = one(rng, len(chart.values))
    side, value = chart.categories[at], chart.values[at]
    yield _number(
        "side",
        (side, chart.unit),
        (
            f"How long is side {side}?",
            f"What is the length of side {side}?",
            f"What length does the drawing give for side {side}?",
        ),
        f"Side {side} is {{}} {chart.unit} long.",
        value,
        _sides(chart.shape, chart.values, value),
    )
    times = 2 if chart.shape == "rectangle" else 1
    yield _number(
        "perimeter",
        (chart.shape, chart.unit),
        (
            f"What is the perimeter of the {chart.shape}?",
            f"How long is the perimeter of the {chart.shape}?",
            f"Add up all the sides of the {chart.shape}. What is their total length?",
        ),
        f"The perimeter of the {chart.shape} is {{}} {chart.unit}.",
        times * total,
        ring(times * total, [times * n for n in sums(chart.shape, total)]),
    )
    if chart.shape == "rectangle":
        yield from _area(chart)
    elif len(set(chart.values)) == 3:
        order = sorted(range(3), key=lambda i: chart.values[i])
        for word, found in (("longest", order[2]), ("shortest", order[0])):
            answer = chart.categories[found]
            yield Ask(
                word,
                (),
                (
                    f"Which side of the triangle is the {word}?",
                    f"Which is the {word} side of the triangle?",
                    f"Of the three sides, which is the {word}?",
                ),
                (f"The {word} side is {{}}.",),
                answer,
                but(answer, chart.categories),
            )


def _sides(shape: str, values: tuple[int, ...], value: int) -> tuple[tuple[str, ...], ...]:
    """Sets of another side and two sides of another such shape, with the same sum."""
    found = []
    for other in (v for v in values if v != value):
        for way in ways(shape, sum(values)):
            for two in combinations(way, 2):
                if len({value, other, *two}) == 4 and set(way).isdisjoint(values):
                    found.append((str(other), *map(str, two)))
    return tuple(found)


def _number(
    kind: str,
    about: tuple[str, ...],
    phrasings: tuple[str, ...],
    statement: str,
    answer: int,
    sets: tuple[tuple[str, ...], ...],
) -> Ask:
    pool = but(str(answer), (o for s in sets for o in s))
    return Ask(kind, about, phrasings, (statement,), str(answer), pool, sets)


def _area(chart: Chart) -> Iterator[Ask]:
    a, b = chart.values
    # Areas of the other rectangles with the same perimeter.
    others = [str(x * y) for x, y in ways(chart.shape, a + b) if x not in (a, b)]
    yield _number(
        "area",
        (chart.unit,),
        (
            "What is the area of the rectangle?",
            "Work out the area of the rectangle.",
            "Multiply the length by the width. What is the area of the rectangle?",
        ),
        f"The area of the rectangle is {{}} {chart.unit}².",
        a * b,
        tuple(combinations(others, 3)),
    )


def _circle(chart: Chart) -> Iterator[Ask]:
    radius = chart.values[0]
    yield _number(
        "diameter",
        (chart.unit,),
        (
            "What is the diameter of the circle?",
            "How wide is the circle, measured through its center?",
            "How long is the diameter of the circle?",
        ),
        f"The diameter of the circle is {{}} {chart.unit}.",
        2 * radius,
        ring(2 * radius, [2 * r for r in sums(chart.shape, radius)]),
    )
    yield _number(
        "radius",
        (chart.unit,),
        (
            "What is the radius of the circle?",
            "How long is the radius of the circle?",
            "What length does the drawing give for the radius?",
        ),
        f"The radius of the circle is {{}} {chart.unit}.",
        radius,
        ring(radius, sums(chart.shape, radius)),
    )


def _angles(chart: Chart) -> Iterator[Ask]:
    third, corner = chart.values[2], chart.categories[2]
    yield _number(
        "third_angle",
        (),
        (
            f"How large is the angle at {corner}?",
            "How many degrees is the angle marked with a question mark?",
            "Two of the angles are given. How many degrees is the third one?",
        ),
        f"The angle at {corner} measures {{}} degrees.",
        third,
        ring(third, range(25, 125, 5)),
    )
    order = sorted(range(3), key=lambda i: chart.values[i])
    if chart.values[order[2]] - chart.values[order[1]] >= 10:
        answer = chart.categories[order[2]]
        yield Ask(
            "largest_angle",
            (),
            (
                "At which corner is the largest angle of the triangle?",
                "Which corner has the largest angle?",
                "Where is the largest angle: at A, B, or C?",
            ),
            ("The largest angle is at {}.",),
            answer,
            but(answer, chart.categories),
        )
