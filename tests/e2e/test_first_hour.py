"""README's commands as they stand, in a fresh clone; and what each task of the first hour runs.

``pytest -s`` shows both; with ``LVLMBENCH_TABLE=1`` docs/first-hour.md gets its table anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.clone import ROOT, Clone
from support.answer_tables import running_server
from support.documents.reading import blocks
from support.first_hour.recording import Task, make_base, record
from support.first_hour.script import ALSO, ELSEWHERE, README, SERVER, STORAGE
from support.first_hour.table import note
from support.first_hour.tasks import TASKS, base

pytestmark = [pytest.mark.e2e, pytest.mark.long]

VENV = Path(sys.prefix)


def link_environment(place: Path) -> None:
    """Give a clone the environment of this checkout, as ``make install`` would make it there."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    venv = place / ".venv"
    shutil.copytree(VENV, venv, symlinks=True, copy_function=link)
    packages = next(venv.glob("lib/python*/site-packages"))
    texts = [*venv.glob("bin/*"), *venv.glob("*.json"), venv / "pyvenv.cfg"]
    texts += [*packages.glob("__editable__*"), *packages.glob("lvlmbench-*/*")]
    for file in texts:
        if file.is_symlink() or not file.is_file():
            continue
        text, mode = file.read_bytes(), file.stat().st_mode
        if str(VENV.parent).encode() not in text:
            continue
        file.unlink()  # or the one that it is a link of would change
        file.write_bytes(text.replace(str(VENV.parent).encode(), str(place).encode()))
        file.chmod(mode)
    for compiled in packages.glob("__pycache__/__editable__*"):
        compiled.unlink()


def clone_of_all(folder: Path) -> Clone:
    """All files of the checkout that git knows or would take, small parameters, an own origin."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    place, home = folder / "lvlmbench", folder / "home"
    home.mkdir()
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file() and name != "dvc.lock":  # which is of the default run
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    clone = Clone(place, home)
    clone.make_small()
    base(clone)
    clone.run("git", "init", "-q")
    clone.commit("the project")
    clone.run("git", "clone", "-q", "--bare", ".", "../origin.git")
    clone.run("git", "remote", "add", "origin", "../origin.git")
    return clone


def type_all(clone: Clone, commands: list[str]) -> str:
    """Type commands one after the other in one shell, which ends with the first that fails."""
    lines = [f"echo {shlex.quote(f'$ {each}')}\n{each}" for each in commands]
    own = clone.environment
    found = {**own, "PATH": own["PATH"].partition(os.pathsep)[2]}  # no environment is active
    found.pop("PYTHONPATH", None)
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)], cwd=clone.path, env=found, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout
    return done.stdout


@pytest.mark.skipif(
    not (VENV / "lvlmbench-installed.json").is_file(), reason="needs what 'make install' makes"
)
def test_the_readmes_commands_as_they_stand(tmp_path: Path) -> None:
    clone = clone_of_all(tmp_path)
    link_environment(clone.path)
    storage = f"{tmp_path}/storage"
    with running_server() as url:
        config = blocks("README.md", "yaml")[0].text.replace(SERVER, url)
        own = config.replace("my-org/my-vision-model", "mixed")  # rambles, refuses, fails
        (clone.path / "my-model.yaml").write_text(own)
        said = type_all(
            clone, [(typed or each).replace(STORAGE, storage) for each, typed in README]
        )
    assert "version v1 is pinned" in said
    type_all(clone, [". .venv/bin/activate", *ALSO])
    clone.run("git", "clone", "-q", "../origin.git", "../elsewhere")
    other = Clone(tmp_path / "elsewhere", clone.home)
    link_environment(other.path)
    said = type_all(other, [*ELSEWHERE])
    assert re.search(r"^v1 is as pinned: all \d+ files", said, re.M), said


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A small snapshot that was run to its report."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "home").mkdir()
    return make_base(folder / "clone", folder / "home", base)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_runs_what_depends_on_it(finished: Clone, task: Task, tmp_path: Path) -> None:
    found = record(finished, tmp_path / "clone", task)
    assert found.unexpected(task) == []
    assert "Traceback" not in found.said and found.last
    note(task, found)
