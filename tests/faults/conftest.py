"""What the faults are compared with."""

from __future__ import annotations

import pytest

from e2e.clone import Clone
from faults.places import linked_copy


@pytest.fixture(scope="session")
def shown_two(made: Clone, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Artifacts of the made clone once its report shows two items."""
    clone = linked_copy(made, tmp_path_factory.mktemp("two") / "clone")
    clone.set("report", items=2)
    clone.snakemake("--cores", "2")
    return clone.artifacts()
