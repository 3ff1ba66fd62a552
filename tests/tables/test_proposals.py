"""What the table of proposals refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError

ROW = {
    "examiner": "gpt", "scene_id": "s", "subtask": "r", "aspect": "a", "level": "easy",
    "status": "made", "question": "What?", "options": list("pqrs"), "answer_index": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": None}, "no question"), ({"answer_index": None}, "no right option"),
        ({"options": ["p", "q", "r"]}, "four options"), ({"options": None}, "four options"),
        ({"options": ["p", "q", "r", None]}, "an option that is null"),
        ({"answer_index": 4}, "answer_index"), ({"status": "fine"}, "status"),
    ],
)  # fmt: skip
def test_what_is_asked_is_whole(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    tables.write(tables.PROPOSALS.of([ROW | changes]), path, tables.PROPOSALS, "s")
    with pytest.raises(UserError, match=said):
        tables.read([path], tables.PROPOSALS)


def test_what_is_not_asked_may_lack_all(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    none = {
        "scene_id": "t",
        "status": "refused",
        "question": None,
        "options": None,
        "answer_index": None,
    }
    tables.write(tables.PROPOSALS.of([ROW, ROW | none]), path, tables.PROPOSALS, "s")
    assert len(tables.read([path], tables.PROPOSALS)) == 2
