"""What all tests share."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.clone import Clone
    from support.one_line import Command
    from support.whole_files import WholeFiles

ROOT = Path(__file__).resolve().parents[1]

# One thread a process: tests run beside each other, and two torch jobs that each take all cores
# are many times slower than one after the other.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# How long an example takes depends on what else the machine does.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> WholeFiles | None:
    """Which worker runs what, where ``make test`` has started some."""
    from support.whole_files import WholeFiles

    return WholeFiles(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what may come last behind all else; leave out what takes long, unless asked for."""
    from support.sampled import left_out
    from support.whole_files import LAST

    items.sort(key=lambda item: item.nodeid.startswith(LAST))
    if os.environ.get("LVLMBENCH_LONG"):
        return
    skip = pytest.mark.skip(reason="takes long: set LVLMBENCH_LONG, or make test-long")
    left = left_out(items)
    for item in items:
        if item.get_closest_marker("long") or item.nodeid in left:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout that is tested."""
    return ROOT


@pytest.fixture
def run_python(tmp_path: Path) -> Command:
    """Runs ``python ARGUMENTS`` in an empty folder, or in ``cwd``."""

    def run(*arguments: str | Path, cwd: Path = tmp_path, **environment: str) -> object:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run  # type: ignore[return-value]


@pytest.fixture
def lvlmbench(run_python: Command, root: Path) -> Command:
    """Runs the console command in the checkout."""

    def run(*arguments: str | Path, cwd: Path = root, **environment: str) -> object:
        return run_python("-m", "lvlmbench.commands.main", *arguments, cwd=cwd, **environment)

    return run  # type: ignore[return-value]


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium to open reports with; where none is, tests are skipped, unless it is required."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        found = shutil.which(name)
        if found:
            return found
    message = "no Chromium is installed (Debian, Ubuntu: apt-get install chromium)"
    if os.environ.get("LVLMBENCH_REQUIRE_BROWSER"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def small_server() -> Iterator[str]:
    """Base URL of a real server: plumbing is tested with it, and never how good anything is.

    Each worker that wants one starts its own, which takes a second; it ends with the worker.
    """
    from support.answer_tables import SMALL_SERVER, running_server

    with running_server(script=SMALL_SERVER) as url:
        assert url, "the small server did not start"
        yield url


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The project with small parameters, in which nothing was ever run."""
    from e2e.clone import Clone

    home = tmp_path_factory.mktemp("home")
    return Clone.origin(tmp_path_factory.mktemp("origin") / "project", home)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, origin: Clone) -> Clone:
    """A clone in which Snakemake has run and DVC has recorded it, pushed to a remote.

    The first worker that wants it makes it for all; each has a copy of its own.
    """
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent
    with (folder / "made.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        first = type(origin)(folder / "made-once" / "clone", origin.home)
        if not (folder / "made-once" / "whole").exists():
            shutil.rmtree(folder / "made-once", ignore_errors=True)
            _make(origin, first.path, folder / "made-once" / "remote")
            (folder / "made-once" / "whole").touch()
    own = tmp_path_factory.mktemp("made")
    (own / "remote").symlink_to(folder / "made-once" / "remote")
    return first.copy(own / "clone")


def _make(origin: Clone, path: Path, remote: Path) -> None:
    from e2e.clone import EVERYTHING

    path.parent.mkdir()
    clone = origin.fresh(path)
    assert clone.snakemake("--cores", "2", "results/report.html") == EVERYTHING
    clone.run("dvc", "commit", "-f")
    clone.run("dvc", "remote", "add", "-d", "local", str(remote))
    clone.commit("the first snapshot")
    clone.run("dvc", "push")
