"""Imports run downwards through the layers, and never in a circle."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Any

import grimp
import pytest

from lvlmbench.config.identity import PROJECT_ROOT as ROOT

CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "importlinter"
]["contracts"]
LAYERS: list[str] = CONTRACTS[0]["layers"]


def linted(folder: Path) -> tuple[int, str]:
    """Exit code and words of import-linter on the checkout or a copy in ``folder``."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, to be spoiled."""
    code = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "lvlmbench", tmp_path / "lvlmbench", ignore=code)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold() -> None:
    code, said = linted(ROOT)
    assert code == 0, said
    assert "0 broken" in said


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("lvlmbench", cache_dir=None)
    imports = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_every_folder_has_a_layer() -> None:
    folders = {p.parent.name for p in (ROOT / "lvlmbench").glob("*/__init__.py")}
    assert folders == set(LAYERS)


def test_an_import_upwards_is_found(copy: Path) -> None:
    """From every layer, and wherever it stands: in a function, too."""
    for upper, lower in pairwise(LAYERS):
        spoiled = copy / "lvlmbench" / lower / "spoiled.py"
        spoiled.write_text(f"def f() -> None:\n    import lvlmbench.{upper}\n")
    code, said = linted(copy)
    assert code == 1
    for upper, lower in pairwise(LAYERS):
        assert f"lvlmbench.{lower}.spoiled -> lvlmbench.{upper}" in said


def test_a_circle_is_found(copy: Path) -> None:
    for one, other in (("one", "other"), ("other", "one")):
        path = copy / "lvlmbench" / "core" / f"{one}.py"
        path.write_text(f"def f() -> None:\n    import lvlmbench.core.{other}\n")
    code, said = linted(copy)
    assert code == 1
    assert "No cycles are allowed in lvlmbench.core" in said
