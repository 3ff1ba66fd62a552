"""The clones that several files of end-to-end tests look at and copy."""

from __future__ import annotations

import pytest

from e2e.clone import EVERYTHING, Clone


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The project with small parameters, in which nothing was ever run."""
    home = tmp_path_factory.mktemp("home")
    return Clone.origin(tmp_path_factory.mktemp("origin") / "project", home)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, origin: Clone) -> Clone:
    """A clone in which Snakemake has run and DVC has recorded it, pushed to a remote."""
    folder = tmp_path_factory.mktemp("made")
    clone = origin.fresh(folder / "clone")
    assert clone.snakemake("--cores", "2", "results/report.html") == EVERYTHING
    clone.run("dvc", "commit", "-f")
    clone.run("dvc", "remote", "add", "-d", "local", str(folder / "remote"))
    clone.commit("the first snapshot")
    clone.run("dvc", "push")
    return clone
