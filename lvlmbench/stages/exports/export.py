"""What an export is, what it is written from, and how it joins the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.registry import Registry
from lvlmbench.stages.exports.source import (
    Example,
    Source,
)

__all__ = ["EXPORTS", "INDEX", "MANIFEST", "Example", "Kind", "Source", "Write", "export"]

#: Below results/exports: what was written, by form.
INDEX = "index.json"
#: In the folder of each form, written last: its files with their sizes and hashes.
MANIFEST = "manifest.json"

#: Writes all files of a form into an empty folder; returns the number of rows by scenario.
Write = Callable[[Source, Path], Mapping[str, int]]


@dataclass(frozen=True)
class Kind:
    """One registered form.

    Attributes
    ----------
    name
        Folder below results/exports.
    title
        The tool or format, as one writes its name.
    needs
        Forms that this one refers to, at ``../NAME``.
    load
        Shortest command or expression that opens the export, run in results/exports/NAME.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    load: str
    write: Write


#: Forms by name. Modules of lvlmbench/stages/exports/kinds register theirs; they must be light to
#: import, since the Snakefile asks for ``needs``.
EXPORTS: Registry[Kind] = Registry("exports", "lvlmbench.stages.exports.kinds")


def export(
    name: str, title: str, load: str, needs: tuple[str, ...] = ()
) -> Callable[[Write], Write]:
    """Decorator that registers a function as the form ``name``."""

    def register(write: Write) -> Write:
        EXPORTS.register(name)(Kind(name, title, needs, load, write))
        return write

    return register
