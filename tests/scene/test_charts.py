"""A chart is plain columns, and what cannot be drawn or read is refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import Axis, Chart, check

BAR = Chart(
    "bar", "Members", "club", "", ("chess", "judo"), (10, 30), ("red",), axis=Axis(0, 50, 10, 5)
)
PIE = Chart("pie", "Votes", "person", "%", ("Ada", "Ben"), (40, 60), ("red", "blue"))
CLOCK = Chart("clock", "", "hand", "", ("hour", "minute"), (3, 25), ("gray",))
TABLE = Chart("table", "", "club", "", ("chess", "judo"), (1, 2), ("gray",), ("boys",))
LINE = replace(BAR, kind="line", categories=("Mon", "Tue", "Wed"), values=(10, 20, 30))
TRI = "triangle"
SIDES = Chart(
    "geometry", "", "side", "cm", ("AB", "BC", "CA"), (4, 5, 6), ("red",), shape="triangle"
)
SMALL = Chart("shapes", "", "shape", "", ("star", "heart"), (5, 20), ("red",))
PINS = Chart("number_line", "", "marker", "", ("A", "B"), (10, 20), ("red",), axis=BAR.axis)


@pytest.mark.parametrize("chart", [BAR, PIE, CLOCK, TABLE, LINE, SIDES, PINS, SMALL])
def test_a_chart_goes_through_json_and_arrow(chart: Chart) -> None:
    check(chart)
    assert Chart.of(json.loads(json.dumps(chart.row()))) == chart
    assert Chart.of(pa.Table.from_pylist([chart.row()]).to_pylist()[0]) == chart


WRONG: list[tuple[Chart, dict[str, Any], str]] = [
    (PIE, {"values": (-10, 110)}, "-10 %"),
    (PIE, {"values": (40, 50)}, "add up to 90 %"),
    (PIE, {"colors": ("red", "red")}, "one color"),
    (CLOCK, {"values": (25, 0)}, "25 h"),
    (CLOCK, {"values": (3, 60)}, "60 min"),
    (CLOCK, {"categories": ("hour", "second")}, "hour and minute"),
    (BAR, {"categories": ("chess", "chess")}, "twice"),
    (BAR, {"categories": ("chess", "")}, "''"),
    (BAR, {"categories": ("chess", "gymnastics")}, "gymnastics"),
    (BAR, {"values": (10, 60)}, "within the axis"),
    (BAR, {"values": (10, 31)}, "whole steps"),
    (BAR, {"values": (10,)}, "1 values for 2"),
    (BAR, {"colors": ("lilac",)}, "lilac"),
    (BAR, {"colors": ("red", "blue", "green")}, "3 colors"),
    (BAR, {"marks": ("glitter",)}, "glitter"),
    (BAR, {"kind": "radar"}, "radar"),
    (BAR, {"axis": None}, "no axis"),
    (BAR, {"axis": Axis(0, 45, 10, 5)}, "0 to 45"),
    (BAR, {"axis": Axis(0, 50, 10, 4)}, "steps of 4"),
    (BAR, {"axis": Axis(0, 50, 10, 5, 2)}, "both ends"),
    (
        BAR,
        {"categories": tuple("abcdefghijklmnopq"), "values": (10,) * 17},
        "17 categories",
    ),
    (
        LINE,
        {"series": ("x", "y"), "values": (10, 10, 20, 30, 20, 40), "colors": ("red", "blue")},
        "meet at Mon",
    ),
    (TABLE, {"series": (), "values": (1, 2)}, "without columns"),
    (TABLE, {"values": (1, 123456)}, "5 digits"),
    (PINS, {"values": (10, 10)}, "one place"),
    (SMALL, {"categories": ("star", "moon")}, "moon"),
    (SMALL, {"values": (5, 44)}, "49 shapes"),
    (SMALL, {"values": (-1, 4)}, "3 shapes"),
    (SMALL, {"series": ("blue",)}, "colors red"),
    (SIDES, {"values": (2, 3, 5)}, "shorter than the other two"),
    (SIDES, {"values": (0, 3, 5)}, "above 0"),
    (SIDES, {"shape": "star"}, "star"),
    (SIDES, {"shape": "angles", "categories": ("A", "B", "C")}, "180°"),
]


@pytest.mark.parametrize(("chart", "change", "said"), WRONG)
def test_what_is_wrong_is_said_in_one_line(chart: Chart, change: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as error:
        check(replace(chart, **change), "levels.yaml: charts")
    line = str(error.value)
    assert line.startswith("levels.yaml: charts: ") and said in line and "\n" not in line
