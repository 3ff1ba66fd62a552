"""What an export is, what it is written from, and how it joins the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.stages.exports.source import Example, Source

__all__ = ["EXPORTS", "INDEX", "MANIFEST", "Example", "ExportKind", "Source", "Write"]

#: Below results/<suite>/exports: what was written, by form.
INDEX = "index.json"
#: In the folder of each form, written last: its files with their sizes and hashes.
MANIFEST = "manifest.json"

#: Writes all files of a form into an empty folder; returns the number of rows by scenario.
Write = Callable[[Source, Path], Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class ExportKind(Kind):
    """One registered form; :data:`Write` is what is registered. Its label is how one writes the
    tool's or format's name, its name the folder below results/<suite>/exports.

    Attributes
    ----------
    needs
        Forms that this one refers to, at ``../NAME``.
    load
        Shortest command or expression that opens the export, run in results/<suite>/exports/NAME.
    on_request
        Whether it is written only where the parameters name it.
    """

    load: str
    needs: tuple[str, ...] = ()
    on_request: bool = False

    @property
    def title(self) -> str:
        """The tool or format, as one writes its name."""
        return self.words


#: Forms by name. Modules of lvlmbench/stages/exports/kinds register theirs; they must be light to
#: import, since the Snakefile asks for ``needs``.
EXPORTS: Kinds[ExportKind] = Kinds("exports", "lvlmbench.stages.exports.kinds", ExportKind)
