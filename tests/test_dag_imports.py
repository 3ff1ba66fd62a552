"""dvc.yaml declares all the code a stage runs: the modules its scripts import, and theirs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml

from lvlmbench.dag.stages import lies_in

ROOT = Path(__file__).parents[1]
STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
#: Packages whose registries import every module of their folder.
_REGISTRIES = ("exports", "figures", "filters", "models", "render", "scenarios")
#: Modules that decide no byte of a stage's outs.
SURROUNDINGS = ("lvlmbench/__init__.py", "lvlmbench/cli_support.py")


def modules(path: Path) -> set[Path]:
    """Files of the package that a Python file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
        for name in names:
            parts = name.split(".")
            for n in range(1, len(parts) + 1):
                stem = ROOT.joinpath(*parts[:n])
                for file in (stem.with_suffix(".py"), stem / "__init__.py"):
                    if parts[0] == "lvlmbench" and file.is_file():
                        found.add(file)
    return found


def closure(script: Path) -> set[str]:
    seen: set[Path] = set()
    todo = [script]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += modules(path)
            if path.name == "__init__.py" and path.parent.name in _REGISTRIES:
                todo += path.parent.rglob("*.py")  # registries import the modules of their folder
    return {str(path.relative_to(ROOT)) for path in seen} - set(SURROUNDINGS)


@pytest.mark.parametrize("name", STAGES)
def test_imports_are_declared(name: str) -> None:
    deps = [dep for dep in STAGES[name]["deps"] if not dep.startswith(("data/", "results/", "$"))]
    scripts = [dep for dep in deps if dep.startswith("scripts/")]
    assert scripts, "a stage without a script"
    for script in scripts:
        for file in sorted(closure(ROOT / script)):
            assert any(lies_in(file, dep) for dep in deps), f"{script} runs {file}"


@pytest.mark.parametrize("name", STAGES)
def test_no_code_is_declared_for_nothing(name: str) -> None:
    deps = [dep for dep in STAGES[name]["deps"] if dep.startswith("lvlmbench/")]
    used = set().union(*(closure(ROOT / s) for s in STAGES[name]["deps"] if "scripts/" in s))
    for dep in deps:
        assert any(lies_in(file, dep) for file in used), f"{name} does not run {dep}"


@pytest.mark.parametrize("name", STAGES)
def test_rule_and_script_are_deps(name: str) -> None:
    deps = STAGES[name]["deps"]
    assert f"rules/{name}.smk" in deps
    assert f"scripts/{name}.py" in deps
    assert all(
        (ROOT / dep).exists() for dep in deps if not dep.startswith(("data/", "results/", "$"))
    )
