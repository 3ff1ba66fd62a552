"""A file is about one thing: no file above 400 lines, no function above 60."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from lvlmbench.config.identity import PROJECT_ROOT as ROOT

FOLDERS = ("lvlmbench", "scripts", "benchmarks", "tests")
LINES_OF_A_FILE, LINES_OF_A_FUNCTION = 400, 60


def too_long(path: Path) -> Iterator[str]:
    """A file that is too long, and each function of it that is."""
    text = path.read_text(encoding="utf-8")
    if (lines := len(text.splitlines())) > LINES_OF_A_FILE:
        yield f"{path}: {lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LINES_OF_A_FUNCTION:
                yield f"{path}:{node.lineno}: {node.name}: {lines} lines"


def test_no_file_and_no_function_is_too_long() -> None:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(paths) > 500
    assert [line for path in paths for line in too_long(path)] == []


def test_what_is_too_long_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("class A:\n    def f(self):\n" + "        pass\n" * 59)
    assert list(too_long(path)) == []
    path.write_text("class A:\n    def f(self):\n" + "        pass\n" * 60 + "\n" * 339)
    assert list(too_long(path)) == [f"{path}: 401 lines", f"{path}:2: f: 61 lines"]
