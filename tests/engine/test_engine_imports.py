"""dvc.yaml declares all the code a stage runs: the folders of the modules its scripts import."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from lvlmbench.engine import imports
from lvlmbench.engine.imports import boxes, closure

ROOT = Path(__file__).parents[2]
STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]


@pytest.mark.parametrize("name", STAGES)
def test_the_code_that_a_stage_runs_is_declared_and_no_other(name: str) -> None:
    deps = STAGES[name]["deps"]
    scripts = [dep for dep in deps if dep.startswith("scripts/")]
    assert scripts, "a stage without a script"
    run = set().union(*(boxes(ROOT, ROOT / script) for script in scripts))
    told = {dep for dep in deps if dep.startswith("lvlmbench/")}
    for whole in told - run:  # a folder of which all is run stands there as one
        inside = {f"{whole}/{path.name}" for path in (ROOT / whole).iterdir()}
        told |= inside - {f"{whole}/__init__.py", f"{whole}/__pycache__"}
        told.remove(whole)
    assert told == run


@pytest.mark.parametrize("name", STAGES)
def test_rule_and_script_are_deps(name: str) -> None:
    deps = STAGES[name]["deps"]
    assert f"rules/{name}.smk" in deps
    assert f"scripts/{name}.py" in deps
    assert all(
        (ROOT / dep).exists() for dep in deps if not dep.startswith(("data/", "results/", "$"))
    )


def test_a_registry_runs_the_kinds_of_its_folder(tmp_path: Path) -> None:
    for name, text in {
        "script.py": "def job():\n    from lvlmbench.stages.draw import registry\n",
        "lvlmbench/stages/draw/__init__.py": "",
        "lvlmbench/stages/draw/registry.py": "import json\nimport lvlmbench.core.seeds\n",
        "lvlmbench/stages/draw/kinds/oil.py": "from lvlmbench.stages.paint.oil import oil\n",
        "lvlmbench/stages/paint/oil.py": "",
        "lvlmbench/stages/unused/__init__.py": "",
        "lvlmbench/core/seeds.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    script = tmp_path / "script.py"
    assert "lvlmbench/stages/draw/kinds/oil.py" in closure(tmp_path, script)
    layers = ["lvlmbench/core", "lvlmbench/stages/draw", "lvlmbench/stages/paint"]
    assert boxes(tmp_path, script) == layers


def test_what_is_imported_relative_to_a_file_is_run(tmp_path: Path) -> None:
    for name, text in {
        "lvlmbench/stages/draw/kinds/oil.py": "from .tools import brush\nfrom ..shared import x\n",
        "lvlmbench/stages/draw/kinds/tools/__init__.py": "from . import brush\n",
        "lvlmbench/stages/draw/kinds/tools/brush.py": "from ..... import core\n",
        "lvlmbench/stages/draw/shared.py": "",
        "lvlmbench/core/__init__.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    oil = "lvlmbench/stages/draw/kinds/oil.py"
    assert closure(tmp_path, tmp_path / oil) == {
        "lvlmbench/stages/draw/kinds/tools/__init__.py",
        "lvlmbench/stages/draw/kinds/tools/brush.py",
        "lvlmbench/stages/draw/shared.py",
        "lvlmbench/core/__init__.py",
    }


def test_what_a_file_imports_is_remembered_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".lvlmbench").mkdir()
    for name in ("a", "b"):
        (tmp_path / "lvlmbench" / name).mkdir(parents=True)
        (tmp_path / "lvlmbench" / name / "it.py").write_text("")
    script = tmp_path / "script.py"
    parsed = 0

    def found(text: str) -> list[str]:
        """In another process, as it were."""
        script.write_text(text)
        memories = ("imported", "_told", "_by_name", "_memory", "_files", "_kinds")
        for each in (getattr(imports, name) for name in memories):
            each.cache_clear()
        return boxes(tmp_path, script)

    def parse(text: bytes) -> ast.Module:
        nonlocal parsed
        parsed += 1
        return ast.parse(text)

    monkeypatch.setattr(imports, "ast", SimpleNamespace(**{**vars(ast), "parse": parse}))
    first = "try:\n    pass\nexcept OSError:\n    import lvlmbench.a.it\n"
    assert found(first) == ["lvlmbench/a"] and parsed == 2
    assert found(first) == ["lvlmbench/a"] and parsed == 2
    assert found("from lvlmbench.b import it") == ["lvlmbench/b"] and parsed == 3
    (tmp_path / ".lvlmbench/imported.json").write_text("damaged")
    assert found(first) == ["lvlmbench/a"] and parsed == 5
