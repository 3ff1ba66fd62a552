"""The code of another package decides what the stages make that run its kinds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate_project
from lvlmbench.engine.stages import pipeline
from support.one_line import assert_one_line

ROOT = Path(__file__).parents[2]


def install(folder: Path, group: str) -> Path:
    """Lay a package with one entry point into a folder; returns its module."""
    info, module = folder / "theirs-1.0.dist-info", folder / "their_kinds" / "one.py"
    for path in (info, module.parent):
        path.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[lvlmbench.{group}]\none = their_kinds.one\n")
    (module.parent / "__init__.py").touch()
    module.touch()
    return module


def seen() -> dict[str, Any]:
    """Packages that stages depend on, by item."""
    found = pipeline(validate_project({}), ROOT).items.items()
    return {name: item.params["packages"] for name, item in found if "packages" in item.params}


def test_a_figure_of_another_package_concerns_what_draws_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seen() == {}
    module = install(tmp_path, "figures")
    monkeypatch.syspath_prepend(tmp_path)
    before = seen()
    assert "figures/dysca" in before
    assert not {"scenes/dysca", "render/dysca", "questions/dysca"} & before.keys()
    module.write_text("EDITED = True\n")
    assert seen()["figures/dysca"] != before["figures/dysca"]


def test_a_subtask_of_another_package_concerns_every_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "subtasks")
    monkeypatch.syspath_prepend(tmp_path)
    assert set(seen()) == set(pipeline(validate_project({}), ROOT).items)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("group", "code", "why"),
    [
        ("subtasks", "import no_such_module", "ModuleNotFoundError: No module named 'no_such"),
        ("figures", "import no_such_module", "ModuleNotFoundError: No module named 'no_such"),
        ("metrics", "1 / 0", "ZeroDivisionError: division by zero"),
        ("suites", "def", "SyntaxError: invalid syntax"),
    ],
)
def test_a_package_that_cannot_be_imported_is_one_line(
    lvlmbench: Callable[..., Any], root: Path, tmp_path: Path, group: str, code: str, why: str
) -> None:
    """Whatever registry it adds to is read before anything runs."""
    install(tmp_path, group).write_text(code)
    path = os.pathsep.join([str(root), str(tmp_path)])
    result = lvlmbench("config", "check", PYTHONPATH=path)
    start = f"package theirs: entry point 'one' of lvlmbench.{group}: their_kinds.one cannot be "
    assert assert_one_line(result, why, "mend the package").startswith(start)
