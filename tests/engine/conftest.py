"""The default parameters, of all suites and of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.config import Project, load_project


@pytest.fixture
def both(root: Path) -> Project:
    """Those of all suites."""
    return load_project(root / "params.yaml")


@pytest.fixture
def project(both: Project) -> Project:
    """Those of one suite."""
    return both.model_copy(update={"suites": {"dysca": both.suites["dysca"]}})
