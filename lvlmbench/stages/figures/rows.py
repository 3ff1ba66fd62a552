"""Rows of CSV files from the numbers that charts are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.leaderboard_rows import Panel, Value

_NUMBERS = {"value": pa.float64(), "low": pa.float64(), "high": pa.float64(), "n": pa.int64()}


def table(keys: Iterable[str], rows: Iterable[tuple[tuple[str, ...], Value]]) -> pa.Table:
    """Return one row a value: its keys, the value, its 95% interval, and what it rests on."""
    names = list(keys)
    made: list[dict[str, Any]] = [
        dict(zip(names, key, strict=True))
        | {"value": v.value, "low": v.low, "high": v.high, "n": v.n}
        for key, v in rows
    ]
    schema = pa.schema([*((n, pa.string()) for n in names), *_NUMBERS.items()])
    return pa.Table.from_pylist(made, schema)


def of_panels(panels: Iterable[Panel], group: str, models: Iterable[str]) -> pa.Table:
    """Return scores of panels: one row a question type, group and model."""
    shown = list(models)
    return table(
        ["question_type", group, "model"],
        (
            ((panel.question_type, name, series.model), series.values[name])
            for panel in panels
            for series in panel.series
            if series.model in shown
            for name in panel.groups
            if name in series.values
        ),
    )


def of_differences(values: Mapping[str, Mapping[str, Mapping[str, Value]]], group: str) -> pa.Table:
    """Return differences to clean: scenario -> model -> group -> value."""
    return table(
        ["scenario", "model", group],
        (
            ((scenario, model, name), value)
            for scenario, of_scenario in values.items()
            for model, of_model in of_scenario.items()
            for name, value in of_model.items()
        ),
    )
