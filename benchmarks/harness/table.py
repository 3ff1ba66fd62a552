"""Figures of benchmarks as tables in Markdown, written between two markers of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness.run import Result
from benchmarks.harness.stages import Row
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes

#: Last word of a figure's name -> its unit.
_UNITS = {
    "s": "s", "seconds": "s", "ms": "ms", "us": "µs", "min": "min",
    "mib": "MiB", "kib": "KiB", "gib": "GiB", "mb": "MB", "gb": "GB", "percent": "%",
}  # fmt: skip


def number(value: float) -> str:
    """A number with its digits that matter: whole from 100 on, else at most three."""
    if float(value).is_integer() or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _words(name: str) -> str:
    return name.replace("_", " ").strip()


def _told(name: str, value: float) -> str:
    """``images_per_s`` 26.7 is "26.7 images a second", ``peak_mib`` "peak 234 MiB"."""
    rate = re.fullmatch(r"(.*?)_?per_s(?:_(.+))?", name)
    if rate:
        what, which = rate[1], f" ({_words(rate[2])})" if rate[2] else ""
        return f"{number(value)} {_words(what)} a second{which}".replace("  ", " ")
    before, _, last = name.rpartition("_")
    unit = _UNITS.get(last)
    if unit is None:
        return f"{_words(name)} {number(value)}"
    return f"{_words(before)} {number(value)} {unit}".strip()


def figures(given: dict[str, Any], before: str = "") -> Iterable[str]:
    """Each figure of a benchmark's last line, in words with its unit.

    What a name ends in says the unit; ``per_s`` in it makes it a rate. Names inside of an object
    get its name in front; lists and nulls are left out, and so is what is said elsewhere.
    """
    for name, value in given.items():
        if not before and name in ("benchmark", "peak_mib"):
            continue
        whole = f"{before}{name}"
        if isinstance(value, dict):
            yield from figures(value, f"{whole}_")
        elif isinstance(value, bool):
            yield f"{_words(whole)}: {'yes' if value else 'no'}"
        elif isinstance(value, int | float):
            yield _told(whole, value)
        elif isinstance(value, str):
            yield f"{_words(whole)}: {value}"


def _cell(text: str) -> str:
    """Text as a cell: nothing in it ends the cell, starts markup or HTML."""
    text = " ".join(text.split())
    for sign in "\\|<>`*_[]":
        text = text.replace(sign, f"\\{sign}")
    return text


def _row(result: Result) -> str:
    if result.error is not None:
        told = f"**failed**: {_cell(result.error)}"
    else:
        told = _cell("; ".join(figures(result.figures)))
    # What a benchmark says of its memory is about what it measures; else the kernel's count.
    peak = result.figures.get("peak_mib") or result.peak_mib
    cells = (
        _cell(result.what), f"`{result.command}`", told, f"{number(peak)} MiB",
        f"{number(result.seconds)} s", number(result.load),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def benchmarks_table(results: Sequence[Result]) -> str:
    """One table a machine, with its facts above it."""
    machines: dict[tuple[tuple[str, str], ...], list[Result]] = {}
    for result in results:
        machines.setdefault(tuple(result.machine.items()), []).append(result)
    blocks = []
    for facts, own in machines.items():
        lines = [
            f"{_cell(', '.join(value for _, value in facts))}:",
            "",
            "| what | command | figures | memory at most | took | load before |",
            "| --- | --- | --- | ---: | ---: | ---: |",
            *map(_row, own),
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def stages_table(about: str, rows: Sequence[Row]) -> str:
    """What each stage of a snapshot has cost."""
    lines = [
        f"{_cell(about)}:",
        "",
        "| stage | jobs | processor time | wall clock, summed | memory at most |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        peak = f"{number(row.spent.peak)} MiB" if row.spent.peak else "not measured"
        lines.append(
            f"| {_cell(row.name)} | {row.spent.jobs:,} | {number(row.spent.cpu)} s "
            f"| {number(row.spent.wall)} s | {peak} |"
        )
    return "\n".join(lines)


def put(document: Path, name: str, text: str) -> None:
    """Replace what stands between the markers ``name`` of a document; the rest stays.

    Raises
    ------
    UserError
        It has no such markers.
    """
    begin, end = f"<!-- {name}: written by 'make bench' -->", f"<!-- end of {name} -->"
    old = document.read_text(encoding="utf-8")
    head, first, rest = old.partition(begin)
    _, last, tail = rest.partition(end)
    if not (first and last):
        raise UserError(
            str(document), f"has no markers of '{name}'", f"put in: {begin} and {end}, a line each"
        )
    new = f"{head}{begin}\n\n{text}\n\n{end}{tail}"
    if new != old:
        atomic_bytes(document, new.encode())
