"""Mistakes that are planted in the code under test, by name; and what a file imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]


class Mutant(NamedTuple):
    """A planted mistake, and the skills or families that it must show in."""

    plant: Plant
    shows: tuple[str, ...]


class Mutants(dict[str, Mutant]):
    """Mutants by name."""

    def planted(self, *shows: str) -> Callable[[Plant], Plant]:
        """Return a decorator that adds what plants a mistake."""

        def register(plant: Plant) -> Plant:
            self[plant.__name__] = Mutant(plant, shows)
            return plant

        return register


def imported(file: Path) -> Iterator[str]:
    """Yield what a file imports, by full names."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: say where it comes from"
            yield str(node.module)
