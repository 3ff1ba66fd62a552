"""What takes time to read and never changes in a run, so that its jobs can share it.

A function that is marked with :func:`kept` reads files, and returns the same object as often as it
is called. A process can say which such calls it made. Another, of which the next jobs are forks,
makes them before they ask (:mod:`lvlmbench.engine.warm`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Calls in their order: the function as ``module:name``, and the paths that it was given.
_MADE: dict[tuple[str, ...], None] = {}


def kept(function: Callable[P, T]) -> Callable[P, T]:
    """Note the calls of a function of a module that keeps what it returns.

    It takes paths alone, by position.
    """
    name = f"{function.__module__}:{function.__qualname__}"

    @wraps(function)
    def keeping(*paths: P.args, **more: P.kwargs) -> T:
        found = function(*paths, **more)
        _MADE[name, *map(str, paths)] = None
        return found

    return keeping


def made() -> list[list[str]]:
    """Return the calls that this process made, or the one that it is a fork of."""
    return [list(call) for call in _MADE]


def make(call: Sequence[str]) -> None:
    """Make a call that another process made, unless it was made here."""
    if tuple(call) in _MADE:
        return
    name, *paths = call
    module, _, function = name.partition(":")
    getattr(importlib.import_module(module), function)(*map(Path, paths))
