"""The figures of the validity: what they show, and what they say where there is nothing."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.kinds.correlations import rank_correlations
from lvlmbench.stages.figures.kinds.distances import image_distances, read_matrix
from lvlmbench.stages.figures.run import draw
from lvlmbench.stages.validity.files import COLUMNS, encode

HOSTILE = 'a $x^2$ <b> & "q",\n\u202eb'


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (folder / name).write_bytes(encode(name, pa.Table.from_pylist(rows, COLUMNS[name])))


def sources(folder: Path | None) -> Sources:
    asked = SimpleNamespace(without="")
    return Sources(asked, folder, Path("none"))  # type: ignore[arg-type]


def distance(a: str, b: str, value: float, p: float) -> dict[str, Any]:
    return {"a": a, "b": b, "mmd2": value, "null_low": -0.001, "null_high": 0.001, "p": p,
            "bandwidth": 1.0, "n_a": 9, "n_b": 9}  # fmt: skip


@pytest.fixture
def distances(tmp_path: Path) -> Path:
    names = [("clean", True), ("corruption", True), ("clean/print", True), (HOSTILE, False),
             ("other", False)]  # fmt: skip
    sets = [{"name": n, "label": n, "own": own, "images": 9, "used": 9, "skipped": 0}
            for n, own in names]  # fmt: skip
    write(tmp_path, "image_sets.csv", sets)
    rows = [
        distance("clean", "corruption", 0.01, 0.001), distance("clean", "clean/print", 0.5, 0.001),
        distance("clean", HOSTILE, 0.2, 0.04), distance("clean", "other", -0.0001, 0.6),
        distance("corruption", HOSTILE, 0.3, 0.001), distance("clean/print", HOSTILE, 0.4, 0.001),
        distance("corruption", "other", 0.1, 0.001), distance("clean/print", "other", 0.3, 0.2),
        distance(HOSTILE, "other", 0.6, 0.001),
    ]  # fmt: skip
    write(tmp_path, "distances.csv", rows)
    return tmp_path


def test_the_mean_row_is_over_clean_and_given(distances: Path) -> None:
    matrix = read_matrix(sources(distances))
    assert matrix.mean("clean") == (pytest.approx((0.2 - 0.0001) / 2), 2)
    assert matrix.mean("other") == (pytest.approx((-0.0001 + 0.6) / 2), 2)
    assert matrix.mean("corruption") == (pytest.approx((0.01 + 0.3 + 0.1) / 3), 3)


def test_given_sets_alone_count_once_in_their_mean(tmp_path: Path) -> None:
    sets = [{"name": n, "label": n, "own": False, "images": 9, "used": 9, "skipped": 0}
            for n in "abc"]  # fmt: skip
    write(tmp_path, "image_sets.csv", sets)
    rows = [distance("a", "b", 0.1, 0.6), distance("a", "c", 0.2, 0.6),
            distance("b", "c", 0.6, 0.6)]  # fmt: skip
    write(tmp_path, "distances.csv", rows)
    assert read_matrix(sources(tmp_path)).mean("b") == (pytest.approx((0.1 + 0.6) / 2), 2)
    drawn = image_distances(sources(tmp_path))
    assert drawn.figure.axes[0].get_yticklabels()[-1].get_text() == "mean over the others"


def test_without_given_sets_the_mean_is_over_all(tmp_path: Path) -> None:
    sets = [{"name": n, "label": n, "own": True, "images": 9, "used": 9, "skipped": 0}
            for n in ("clean", "corruption", "adversarial")]  # fmt: skip
    write(tmp_path, "image_sets.csv", sets)
    rows = [distance("clean", "corruption", 0.1, 0.5), distance("clean", "adversarial", 0.3, 0.5)]
    write(tmp_path, "distances.csv", rows)
    matrix = read_matrix(sources(tmp_path))
    assert matrix.mean("clean") == (pytest.approx(0.2), 2)
    assert matrix.mean("adversarial") == (pytest.approx(0.3), 1)


def test_distances_are_drawn(distances: Path, tmp_path: Path) -> None:
    drawn = image_distances(sources(distances))
    told = [text.get_text() for text in drawn.figure.axes[0].texts]
    assert told.count("10.0*") == 2 and told.count("-0.1") == 2 and told.count("200.0*") == 2
    assert drawn.table.num_rows == 9 + 5
    labels = [label.get_text() for label in drawn.figure.axes[0].get_yticklabels()]
    assert labels[0] == "Clean" and "[U+202E]" in labels[3] and "\u202e" not in labels[3]
    for folder in ("one", "two"):
        assert draw("image_distances", sources(distances), tmp_path / folder).why_not is None
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    with (tmp_path / "one" / "image_distances.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[3]["b"] == "other" and rows[2]["b"] == HOSTILE
    assert [row["a"] for row in rows[9:]] == [
        "clean",
        "corruption",
        "clean/print",
        HOSTILE,
        "other",
    ]


def correlation(benchmark: str, styles: str, models: int, value: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "benchmark": benchmark, "styles": styles, "basis": "whole", "models": models,
        "measure": "accuracy", "made": "", "left_out": 0, "subtasks": "", "types": "",
        "why_not": "",
    }  # fmt: skip
    if value is None:
        row["why_not"] = f"{models} models in common, fewer than 3"
    if value is not None:
        for name in ("spearman", "kendall"):
            row |= {name: value, f"{name}_low": value - 0.2, f"{name}_high": min(1, value + 0.1)}
            row |= {f"{name}_p": 0.0004}
    return row


def test_correlations_are_drawn(tmp_path: Path) -> None:
    rows = [
        correlation(HOSTILE, "all", 5, 0.9), correlation(HOSTILE, "realistic", 2, None),
        correlation("few", "all", 2, None), correlation("few", "realistic", 2, None),
        correlation("low", "all", 8, -0.5), correlation("low", "realistic", 8, 0.1),
    ]  # fmt: skip
    rows[-1] |= {"spearman_p": 0.0498, "kendall_p": 0.0498}
    write(tmp_path, "correlations.csv", rows)
    drawn = rank_correlations(sources(tmp_path))
    assert drawn.table["benchmark"].to_pylist() == [HOSTILE, HOSTILE, "low", "low"]
    told = [text.get_text() for ax in drawn.figure.axes for text in ax.texts]
    assert told.count("0.90  n 5  p < 0.001") == 2
    assert told.count("0.10  n 8  p 0.0498") == 2, "never rounded to the level"
    assert sum("2 models in common" in text for text in told) == 2
    assert draw("rank_correlations", sources(tmp_path), tmp_path / "out").why_not is None


def test_says_why_there_is_nothing(tmp_path: Path) -> None:
    for figure in (image_distances, rank_correlations):
        with pytest.raises(NotApplicable):
            figure(sources(None))
        with pytest.raises(UserError, match="is missing or damaged"):
            figure(sources(tmp_path))
    for name in COLUMNS:
        write(tmp_path, name, [])
    with pytest.raises(NotApplicable, match="fewer than two image sets"):
        image_distances(sources(tmp_path))
    with pytest.raises(NotApplicable, match=r"ranks three of these models \(0 at most\)"):
        rank_correlations(sources(tmp_path))
