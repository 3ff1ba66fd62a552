"""Clocks with hands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import Chart
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, disc, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS

#: The part that shows the face.
DIAL = "dial"

#: Hands: length as a share of the dial's radius, width at the hub in the same unit.
_LONG, _SHORT = (0.84, 0.06), (0.52, 0.13)


@CHARTS.register("clock")
class Clocks:
    """A round dial; the hour hand moves on with the minutes."""

    aspect = 1.0

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the dial, its numbers and ticks, and the hands."""
        u, look = card.u, card.look
        top = axes.headed(card, chart)
        radius = (card.height - top - 4 * u) / 2
        cx, cy = card.width / 2, top + radius
        rim = ("#2f3b4a", "#7a3b1d", "#245c43", "#3d2f66")[int(rng.integers(4))]
        card.shape(disc(cx, cy, radius), rim, part=DIAL)
        card.shape(disc(cx, cy, radius * 0.93), "#ffffff", part=DIAL)
        for minute in range(60):
            long = minute % 5 == 0
            if not long and "minutes" not in chart.marks:
                continue
            s, c = sine(minute / 60), cosine(minute / 60)
            inner = (0.82 if long else 0.87) * radius
            tick = [(cx + r * s, cy - r * c) for r in (inner, 0.91 * radius)]
            card.shape(way(tick), "none", "#1c1f24", (0.028 if long else 0.012) * radius, part=DIAL)
        if "numerals" in chart.marks:
            for hour in range(1, 13):
                place = (
                    cx + 0.69 * radius * sine(hour / 12),
                    cy - 0.69 * radius * cosine(hour / 12),
                )
                card.word(place, str(hour), round(0.17 * radius), ink="#1c1f24")
        hour, minute = chart.values
        turns = ((hour % 12) / 12 + minute / 720, minute / 60)
        for name, turn, hand in zip(chart.names, turns, (_SHORT, _LONG), strict=True):
            length, wide = hand[0] * radius, hand[1] * radius / 2
            s, c = sine(turn), cosine(turn)
            points = [
                (cx - wide * c, cy - wide * s),
                (cx + length * s - wide * 0.45 * c, cy - length * c - wide * 0.45 * s),
                (cx + length * s + wide * 0.45 * c, cy - length * c + wide * 0.45 * s),
                (cx + wide * c, cy + wide * s),
            ]
            ink = "#b3261e" if look.face == "DejaVuSerif" and name == "minute" else "#1c1f24"
            card.shape(way(points, True), ink, part=name)
        card.shape(disc(cx, cy, 0.06 * radius), "#1c1f24", part=DIAL)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return hour and minute by where the hands point."""
        cx, cy = seen[DIAL].middle
        hour, minute = (_turn(seen[name].box, cx, cy, marks) for name, marks in _MARKS)
        # The hour hand has gone on with the minutes.
        whole = round(hour / 60 - minute / 60) % 12
        return float(whole or 12), float(minute)


#: Directions that are told apart: the hour hand's by the minute (720), the minute hand's (60).
_MARKS = (("hour", 720), ("minute", 60))


def _turn(box: tuple[int, int, int, int], cx: float, cy: float, marks: int) -> int:
    """Return at which of so many marks a hand points, from the corner of its box that is farthest
    from the hub."""
    left, top, right, bottom = box
    x = right - cx if right - cx > cx - left else left - cx
    y = bottom - cy if bottom - cy > cy - top else top - cy
    # What is narrow is the hand's width, not its way.
    return max(range(marks), key=lambda m: x * sine(m / marks) - y * cosine(m / marks))
