"""What a chart shows is measured from what was drawn, and is what it was drawn from."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import ROOM, Axis, Chart
from lvlmbench.stages.render.kinds.pictograph import charts
from lvlmbench.stages.render.kinds.pictograph.charts.card import LOOKS, Card
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS
from lvlmbench.suites.composed.chart_facts import crossings
from lvlmbench.suites.composed.chart_samples import LEVELS, kinds, sample

SIDES = (200, 256, 333, 480)


def drawn(kind: str, number: int) -> tuple[Chart, charts.Drawing]:
    rng = seeding.generator(5, "test charts", f"{kind} {number}")
    levels = [level for level in LEVELS if kind in kinds(level)]
    chart = sample(rng, kind, levels[number % len(levels)])
    # A dozen in a row show each level at each size.
    return chart, charts.draw(chart, max(SIDES[number // 3 % 4], 256), rng)


def tolerance(chart: Chart) -> float:
    """Half a tick, or half of the least difference of what has none."""
    if chart.axis is not None:
        return chart.axis.step / 2
    return {"pie": 1.0, "clock": 0.0, "table": 0.0, "shapes": 0.0}.get(
        chart.kind, 0.025 * max(chart.values)
    )


def test_every_kind_is_drawn() -> None:
    assert set(CHARTS) == set(ROOM)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ROOM)
def test_values_are_read_back_from_the_parts(kind: str) -> None:
    for number in range(60):
        chart, drawing = drawn(kind, number)
        found = charts.measured(chart, drawing.seen())
        assert len(found) == len(chart.values)
        for name, value, read in zip(chart.names, chart.values, found, strict=True):
            assert abs(read - value) <= tolerance(chart), (chart, name, value, read)


@pytest.mark.long
def test_every_time_is_read_back() -> None:
    clock = Chart("clock", "", "hand", "", ("hour", "minute"), (1, 0), ("gray",))
    for time in ((h, m) for h in range(1, 13) for m in range(h % 3, 60, 3)):
        drawing = charts.draw(replace(clock, values=time), 200, np.random.default_rng(0))
        assert charts.measured(clock, drawing.seen()) == time


def test_a_wrong_drawing_is_measured_as_it_is() -> None:
    """Not the plan: bars of another chart are read as what they are."""
    plan = Chart("bar", "", "club", "", ("a", "b"), (10, 30), ("red",), axis=Axis(0, 50, 10, 5))
    other = replace(plan, values=(30, 10))
    seen = charts.draw(other, 256, np.random.default_rng(0)).seen()
    assert [round(v / 5) * 5 for v in charts.measured(plan, seen)] == [30, 10]


@pytest.mark.parametrize("kind", ROOM)
def test_parts_do_not_overlap_and_have_their_color(kind: str) -> None:
    chart, drawing = drawn(kind, 1)
    masks = np.stack([np.asarray(part.mask) == 255 for part in drawing.parts])
    assert masks.sum(axis=0).max() == 1
    assert all({0, 255} >= set(np.unique(np.asarray(part.mask))) for part in drawing.parts)
    assert all(
        part.mask.size == drawing.rgb.size == drawing.coverage.size for part in drawing.parts
    )
    if kind == "bar":
        pixels = np.asarray(drawing.rgb)
        for part in drawing.parts[1:]:
            inside = pixels[np.asarray(part.mask) == 255]
            # But for its antialiased edge a bar has one color.
            _, counts = np.unique(inside, axis=0, return_counts=True)
            assert counts.max() > 0.8 * len(inside)
    assert chart.names


def test_small_shapes_stand_apart() -> None:
    """As many patches of their color are seen as the chart has shapes, none cut in two."""
    for number in range(12):
        chart, drawing = drawn("shapes", number)
        shown = np.zeros(drawing.rgb.size[::-1], np.uint8)
        for part in drawing.parts:
            shown |= np.asarray(part.mask)
        picture = Image.fromarray(shown).filter(ImageFilter.MaxFilter(3))
        patches = 0
        while picture.getextrema()[1] == 255:
            y, x = np.argwhere(np.asarray(picture) == 255)[0].tolist()
            ImageDraw.floodfill(picture, (x, y), 0)
            patches += 1
        assert patches == sum(chart.values) == len(drawing.parts)


def test_lines_are_seen_to_cross_as_often_as_is_said() -> None:
    """Which line's dot is higher, week by week, as the dots were drawn."""
    for number in range(12):
        rng = seeding.generator(6, "test lines", str(number))
        chart = sample(rng, "line", "hard")
        seen = charts.draw(chart, 256, rng).seen()
        heights = [seen[name].middle[1] for name in chart.names]
        on_top = [a < b for a, b in zip(heights[::2], heights[1::2], strict=True)]
        assert len(list(groupby(on_top))) - 1 == crossings(chart)


def test_the_same_draws_give_the_same_bytes() -> None:
    def digest(kind: str) -> str:
        _, drawing = drawn(kind, 2)
        parts = b"".join(part.mask.tobytes() for part in drawing.parts)
        return hashlib.sha256(drawing.rgb.tobytes() + parts).hexdigest()

    assert [digest(kind) for kind in ROOM] == [digest(kind) for kind in ROOM]


def test_what_cannot_be_read_is_refused_in_one_line() -> None:
    names = tuple(f"WWWWWWWW{i}" for i in range(8))
    chart = Chart("bar", "", "club", "", names, (10,) * 8, ("red",), axis=Axis(0, 50, 10, 5))
    with pytest.raises(UserError, match=r"does not fit .* draw the chart larger"):
        charts.draw(chart, 256, np.random.default_rng(0))
    with pytest.raises(UserError, match="120 pixels wide"):
        charts.draw(chart, 120, np.random.default_rng(0))


def test_no_word_is_cut_off() -> None:
    card = Card(200, 100, LOOKS[0])
    card.word((195, 50), "too far right", 12)
    with pytest.raises(UserError, match="'too far right' has no room"):
        card.finish()
