"""Registries: a new renderer, filter, scenario or model is one new file and no edit elsewhere.

A module registers its class or function with a decorator. The package's own modules are found
by walking their folder, outside packages by the entry point group ``lvlmbench.<kind>``.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from lvlmbench.core.errors import UserError

T = TypeVar("T")


class Registry(Generic[T]):
    """Names of one kind of part and what they stand for.

    Parameters
    ----------
    kind
        Plural name, e.g. ``"renderers"``; also the suffix of the entry point group.
    package
        Package whose modules are imported when the registry is first read.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind, self.package = kind, package
        self._items: dict[str, T] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator that registers a part under ``name``; a name is taken once."""

        def add(item: T) -> T:
            if name in self._items and self._items[name] is not item:
                raise ValueError(f"{self.kind}: '{name}' is registered twice")
            self._items[name] = item
            return item

        return add

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        root = importlib.import_module(self.package)
        for module in sorted(m.name for m in pkgutil.iter_modules(root.__path__)):
            importlib.import_module(f"{self.package}.{module}")
        for point in sorted(
            entry_points(group=f"lvlmbench.{self.kind}"), key=lambda p: (p.name, p.value)
        ):
            point.load()

    def names(self) -> list[str]:
        """Registered names, sorted."""
        self._load()
        return sorted(self._items)

    def get(self, name: str, where: str) -> T:
        """The part called ``name``; an unknown name is a :class:`UserError` at ``where``."""
        self._load()
        if name not in self._items:
            known = ", ".join(self.names())
            fix = f"use one of: {known}" if known else f"this version has no {self.kind}"
            near = difflib.get_close_matches(name, self._items, n=1)
            guess = f"did you mean '{near[0]}'? " if near else ""
            raise UserError(where, f"'{name}' is not known", guess + fix)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())
