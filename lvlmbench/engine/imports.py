"""Which code a script runs: the modules that it imports, and theirs, as folders of the package."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = "lvlmbench"
#: Layers whose folders are boxes of their own: ``stages/render`` is one, ``core`` another.
SPLIT = ("stages", "suites")
#: Modules that decide no byte of what a stage makes.
SURROUNDINGS = (f"{PACKAGE}/__init__.py", *(f"{PACKAGE}/{layer}/__init__.py" for layer in SPLIT))
#: A folder whose modules register themselves: who imports the registry runs them all.
KINDS = "kinds"


@cache
def imported(root: Path, file: Path) -> frozenset[Path]:
    """Return the files of the package that a Python file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            for n in range(1, len(parts) + 1 if parts[0] == PACKAGE else 0):
                stem = root.joinpath(*parts[:n])
                found |= {f for f in (stem.with_suffix(".py"), stem / "__init__.py") if f.is_file()}
        found |= _registered(root, node)
    return frozenset(found)


def _registered(root: Path, node: ast.AST) -> frozenset[Path]:
    """Return the files of the folder that a registry, where one is made, imports by its name."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", None) not in (
        "Registry",
        "Kinds",
    ):
        return frozenset()
    names = [each.value for each in node.args if isinstance(each, ast.Constant)]
    folder = root.joinpath(*str(names[-1]).split(".")) if len(names) == 2 else root
    if PACKAGE not in folder.relative_to(root).parts[:1]:
        return frozenset()
    return frozenset((*folder.glob("*.py"), *folder.glob("*/__init__.py")))


def closure(root: Path, script: Path) -> set[str]:
    """Return the package's files that a script runs, as paths below ``root``.

    A registry imports the modules of a folder by their names, so whatever lies in the folder
    ``kinds`` of a package that is imported belongs to it.
    """
    seen: set[Path] = set()
    todo = [script]
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        todo += imported(root, file)
        if file.name == "__init__.py":
            todo += (file.parent / KINDS).rglob("*.py")
    found = {file.relative_to(root).as_posix() for file in seen - {script}}
    return found - set(SURROUNDINGS)


def boxes(root: Path, script: Path) -> list[str]:
    """Return the folders of the package that hold what a script runs, sorted."""
    found = set()
    for file in closure(root, script):
        parts = file.split("/")
        found.add("/".join(parts[: 3 if parts[1] in SPLIT else 2]))
    return sorted(found)
