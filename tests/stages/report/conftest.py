"""The report that tests of its parts look at: of a run with noisy scenarios where they ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.snapshot.reader import Snapshot
from support.report_pages import read, shared
from support.report_snapshot import noisy_params


@pytest.fixture(scope="module")
def noisy(request: pytest.FixtureRequest) -> bool:
    """Whether the module sets ``WITH_NOISE``."""
    return getattr(request.module, "WITH_NOISE", False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, noisy: bool) -> Path:
    return shared(tmp_path_factory, noisy=noisy)


@pytest.fixture(scope="module")
def snapshot(made: Path, noisy: bool) -> Snapshot:
    return read(made, noisy_params() if noisy else None)


@pytest.fixture(scope="module")
def leaderboard(snapshot: Snapshot) -> Leaderboard:
    return Leaderboard(snapshot)


@pytest.fixture(scope="module")
def html(made: Path) -> str:
    return (made / "results" / "report.html").read_text()
