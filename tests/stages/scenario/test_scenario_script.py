"""scripts/scenario.py: from rows to a shard."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from support.scenario_shards import applied, clean_shard, parameters


def test_rows_are_gathered_in_pieces_and_may_not_outgrow_a_file(root: Path) -> None:
    table = runpy.run_path(str(root / "scripts/scenario.py"))["table"]
    params = parameters({"name": "other", "kind": "other_image"})
    rows = applied(params, "other", clean_shard(params))
    assert table(iter([])) == tables.IMAGES.of([])
    many = [{**row, "image_id": f"{i}"} for i in range(9) for row in [*rows, *rows]]
    assert table(iter(many)).to_pylist() == many
    size = sum(len(row["image"]["bytes"]) for row in many)
    assert table(iter(many), size).num_rows == len(many)
    with pytest.raises(UserError, match=r"render\.shard_images: .* a lower one") as caught:
        table(iter(many), size - 1)
    assert "\n" not in str(caught.value)


def test_rows_without_images_take_no_room(root: Path) -> None:
    table = runpy.run_path(str(root / "scripts/scenario.py"))["table"]
    params = parameters({"name": "blind"})
    rows = applied(params, "blind", clean_shard(params))
    assert table(iter(rows), 0).to_pylist() == rows
