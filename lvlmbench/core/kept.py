"""What takes time to read and never changes in a run, so that its jobs can share it.

A function that is marked with :func:`kept` reads files, and returns the same object as often as it
is called. A process can say which such calls it made. Another, of which the next jobs are forks,
makes them before they ask (:mod:`lvlmbench.engine.warm`), as long as the files stay as they are.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Of the files in a folder: name, time of the last change, size.
Stamp: TypeAlias = tuple[tuple[str, int, int], ...]

#: Calls in their order (the function as ``module:name``, and the paths that it was given), with
#: the folder that was read, if the function does not look itself whether that changed.
_MADE: dict[tuple[str, ...], tuple[Path, Stamp] | None] = {}


def kept(folder: Path | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Note the calls of a function of a module that keeps what it returns.

    It takes paths alone, by position.

    Parameters
    ----------
    folder
        What it reads, where it reads that once a process whatever becomes of it.
    """

    def marked(function: Callable[P, T]) -> Callable[P, T]:
        name = f"{function.__module__}:{function.__qualname__}"

        @wraps(function)
        def keeping(*paths: P.args, **more: P.kwargs) -> T:
            if more:
                raise TypeError(f"{name}: give paths by their positions")
            read = None if folder is None else (folder, _stamp(folder))
            found = function(*paths, **more)
            _MADE.setdefault((name, *map(str, paths)), read)
            return found

        return keeping

    return marked


def _stamp(folder: Path) -> Stamp:
    found = ((path.name, path.stat()) for path in sorted(folder.glob("*")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)


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


def changed() -> Path | None:
    """Return a folder that is not any more what was read from it here; None where there is none."""
    read = dict.fromkeys(each for each in _MADE.values() if each is not None)
    return next((folder for folder, stamp in read if _stamp(folder) != stamp), None)
