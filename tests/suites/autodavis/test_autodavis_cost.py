"""The benchmark of time and memory by aspects and pictures of each."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from benchmarks import exam_cost
from benchmarks.harness.examining import chain_parameters
from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures.published_table import read_table
from lvlmbench.suites.suite import suite_of
from support.render_scenes import vocabulary


def test_a_size_has_so_many_aspects_and_pictures_of_each() -> None:
    params = chain_parameters("basic_understanding", "medium", 2, 3, 128)
    rows = suite_of(params).described(params, vocabulary(), 0, params.corpus.n_scenes).to_pylist()
    assert len(rows) == 6 and {row["level"] for row in rows} == {"medium"}
    aspects = sorted({row["aspect"] for row in rows})
    assert sorted((row["aspect"], row["number"]) for row in rows) == [
        (aspect, number) for aspect in aspects for number in range(3)
    ]
    with pytest.raises(UserError, match="has 24 aspects"):
        chain_parameters("basic_understanding", "medium", 25, 1, 128)


def test_parts_add_up_to_the_whole() -> None:
    found = exam_cost.measure(chain_parameters("basic_understanding", "easy", 1, 2, 64))
    parts = found["plan_s"] + found["draw_s"] + found["ask_s"]
    assert found["total_s"] == pytest.approx(parts) and min(found.values()) >= 0
    assert found["picture_s"] == pytest.approx(found["total_s"] / 2)
    assert found["plan_mb"] <= found["peak_mb"]


def test_the_files_hold_what_was_measured(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        dict.fromkeys(exam_cost.COLUMNS, 2.5) | {"aspects": 1, "prompts": 2},
        {name: 1 for name in exam_cost.COLUMNS if not name.startswith("paper")},
    ]
    exam_cost.write(rows, tmp_path / "cost")
    with (tmp_path / "cost.csv").open() as file:
        found = list(csv.DictReader(file))
    assert found[0] == {name: str(value) for name, value in rows[0].items()}
    assert found[1]["paper_s"] == "" and found[1]["total_s"] == "1"
    table = exam_cost.table_of(rows)
    assert [cell.text for cell in table.rows[0].cells][:3] == ["1", "2", "2.50"]
    assert table.rows[1].cells[-1].text == "\N{EN DASH}"
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".pdf", ".svg"}
    assert len(read_table(exam_cost.PUBLISHED, dict)) == 12
