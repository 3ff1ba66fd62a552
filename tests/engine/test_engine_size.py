"""A run that is too large to be planned is refused in a moment, with what would do."""

from __future__ import annotations

import time

import pytest

from lvlmbench.config import validate_project
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.size import check_size, size_of


def of(scenes: int, shard: int = 400) -> dict[str, object]:
    suites = {"dysca": {"corpus": {"scenes_per_subtask": scenes}}}
    return {"suites": suites, "render": {"shard_images": shard}}


def test_usual_runs_say_nothing() -> None:
    assert check_size(validate_project(of(10)), "mine.yaml") == ""


def test_a_large_run_is_told_before_it_is_planned() -> None:
    line = check_size(validate_project(of(3000)), "mine.yaml")
    assert line.startswith("large: 60,000 scenes: about ") and " GB of disk" in line


def test_a_run_that_cannot_be_planned_says_how_much_it_is_and_what_would_do() -> None:
    began = time.monotonic()
    with pytest.raises(UserError) as caught:
        check_size(validate_project(of(1_000_000)), "mine.yaml")
    assert time.monotonic() - began < 5
    line = str(caught.value)
    assert line.startswith("mine.yaml: suites.dysca.corpus.scenes_per_subtask: 20,000,000 scenes")
    assert "shard_images" not in line, "one that suffices would fit into no memory"
    with pytest.raises(UserError, match=r"or write 'render: \{shard_images: ") as caught:
        check_size(validate_project(of(20_000)), "mine.yaml")
    shard = int(caught.value.fix.rpartition(": ")[2].rstrip("}'"))
    assert size_of(validate_project(of(20_000, shard))).jobs <= 20_000
    fits = int(caught.value.fix.split()[1].replace(",", "")) // 20
    assert check_size(validate_project(of(fits)), "mine.yaml").startswith("large: ")
