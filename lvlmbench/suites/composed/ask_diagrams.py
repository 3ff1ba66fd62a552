"""Questions about clocks, number lines and shapes."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng, but, one, pairs, ring, rows, two
from lvlmbench.suites.composed.chart_facts import time


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
            "What time is it on the clock?",
            "Read the clock. What time is it?",
        ),
        ("The clock shows {}.", "It is {} on the clock."),
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
                f"What time will it be {later} minutes after the time on the clock?",
                f"The clock shows the time now. What time will it be in {later} minutes?",
                f"Add {later} minutes to the time on the clock. What time is it then?",
            ),
            (f"In {later} minutes the clock will show {{}}.",),
            told,
            but(told, (o for s in sets for o in s)),
            sets,
        )


def _times(hour: int, minute: int) -> tuple[tuple[str, ...], ...]:
    """Sets of other times: hour or minutes off by one mark, or both; hands exchanged."""
    mark, found = minute // 5, []

    def told(hours: int, marks: int) -> str | None:
        return time((hours - 1) % 12 + 1, marks % 12 * 5)

    for h in (hour - 1, hour + 1):
        found += [
            (told(h, mark), told(hour, m), told(h, m)) for m in (mark - 1, mark + 1, mark + 6)
        ]
        # With the hands exchanged, marks are hours: each of the four has its mirror among them.
        found.append((told(h, mark), told(mark, hour), told(mark, h)))
    shown = told(hour, mark)
    return tuple(
        (a, b, c)
        for a, b, c in found
        if a is not None and b is not None and c is not None and len({shown, a, b, c}) == 4
    )


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
            f"Which number does marker {name} point at?",
            f"At which number is marker {name}?",
            f"What number on the line does marker {name} show?",
        ),
        (f"Marker {name} points at {{}}.",),
        str(value),
        but(str(value), map(str, grid)),
        pairs(value, others, grid) or ring(value, grid),
    )
    yield Ask(
        "marker_at",
        (str(value),),
        (
            f"Which marker points at {value}?",
            f"Which letter is at the number {value}?",
            f"Which marker on the number line shows {value}?",
        ),
        (f"The marker at {value} is {{}}.",),
        name,
        but(name, chart.categories),
    )
    a, b = two(rng, len(chart.values))
    gap = abs(chart.values[a] - chart.values[b])
    first, second = chart.categories[a], chart.categories[b]
    sets = rows(gap, axis.step)
    yield Ask(
        "distance",
        (first, second),
        (
            f"How far apart are markers {first} and {second} on the number line?",
            f"What is the distance between markers {first} and {second}?",
            f"By how much do the numbers at {first} and {second} differ?",
        ),
        (f"Markers {first} and {second} are {{}} apart.",),
        str(gap),
        but(str(gap), (o for s in sets for o in s)),
        sets,
    )
    yield Ask(
        "color_of",
        (name,),
        (
            f"What color is marker {name}?",
            f"In which color is marker {name} drawn?",
            f"Which color does the marker with the letter {name} have?",
        ),
        (f"Marker {name} is {{}}.",),
        chart.colors[at],
        but(chart.colors[at], chart.colors),
    )


_SHAPES = ("triangle", "rectangle", "circle", "pentagon", "hexagon")


def geometry(chart: Chart, rng: Rng) -> Iterator[Ask]:
    """Yield questions about a shape."""
    if chart.shape == "angles":
        yield from _angles(chart)
        return
    if chart.shape == "circle":
        yield from _circle(chart)
        return
    at = one(rng, len(chart.values))
    side, value = chart.categories[at], chart.values[at]
    most = max(chart.values)
    grid = range(2, max(most + 2, 9))
    yield _number(
        "side",
        (side,),
        (
            f"How long is side {side}?",
            f"What is the length of side {side}?",
            f"What length does the drawing give for side {side}?",
        ),
        f"Side {side} is {{}} {chart.unit} long.",
        value,
        pairs(value, but_one(chart.values, at), grid) or ring(value, grid),
    )
    round_it = sum(chart.values) * (2 if chart.shape == "rectangle" else 1)
    yield _number(
        "perimeter",
        (),
        (
            f"What is the perimeter of the {chart.shape}?",
            f"How long is the way once around the {chart.shape}?",
            f"Add up all sides of the {chart.shape}. How long are they together?",
        ),
        f"The perimeter of the {chart.shape} is {{}} {chart.unit}.",
        round_it,
        rows(round_it, 2 if chart.shape == "rectangle" else 1),
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
                    f"Which side has the {word} length?",
                ),
                (f"The {word} side is {{}}.",),
                answer,
                but(answer, chart.categories),
            )


def but_one(values: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Return the values that differ from the one at a place."""
    return tuple(v for v in values if v != values[at])


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
    sets = tuple(
        (str(c * b), str(a * d), str(c * d))
        for c in (a - 1, a + 1)
        for d in (b - 1, b + 1)
        if min(c, d) > 1 and len({a * b, c * b, a * d, c * d}) == 4
    )
    yield _number(
        "area",
        (),
        (
            "What is the area of the rectangle?",
            "How large is the area of the rectangle?",
            "Multiply the two sides. What is the area of the rectangle?",
        ),
        f"The area of the rectangle is {{}} {chart.unit}².",
        a * b,
        sets,
    )


def _circle(chart: Chart) -> Iterator[Ask]:
    radius = chart.values[0]
    yield _number(
        "diameter",
        (),
        (
            "What is the diameter of the circle?",
            "How wide is the circle from one side to the other?",
            "How long is the diameter of the circle?",
        ),
        f"The diameter of the circle is {{}} {chart.unit}.",
        2 * radius,
        rows(2 * radius, 2),
    )
    yield _number(
        "radius",
        (),
        (
            "What is the radius of the circle?",
            "How long is the radius of the circle?",
            "What length does the drawing give for the radius?",
        ),
        f"The radius of the circle is {{}} {chart.unit}.",
        radius,
        rows(radius, 1),
    )


def _angles(chart: Chart) -> Iterator[Ask]:
    third = chart.values[2]
    yield _number(
        "third_angle",
        (),
        (
            "How large is the angle at C?",
            "What is the angle marked with a question mark, in degrees?",
            "Two angles are given. How many degrees has the third one?",
        ),
        "The angle at C has {} degrees.",
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
                "Where is the largest angle: at A, B or C?",
            ),
            ("The largest angle is at {}.",),
            answer,
            but(answer, chart.categories),
        )


def shapes(chart: Chart) -> tuple[str, ...]:
    """Return names of shapes that a drawing does not show."""
    shown = "triangle" if chart.shape == "angles" else chart.shape
    return tuple(name for name in _SHAPES if name != shown)
