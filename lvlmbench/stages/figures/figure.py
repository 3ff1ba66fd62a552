"""What a figure is, where it finds its numbers, and how it joins the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from lvlmbench.analysis.leaderboard import Standings
from lvlmbench.core.registry import Registry
from lvlmbench.snapshot.reader import Snapshot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class NotApplicable(Exception):
    """A figure has nothing to show in this snapshot; the message is one sentence that says why."""


@dataclass(frozen=True)
class Sources:
    """What figures are drawn from.

    Attributes
    ----------
    snapshot
        The tables; no image is read before one is asked for.
    validity
        Folder of what the stage ``validity`` makes; None where it was not run.
    published
        Folder of tables that papers print (data/published).
    """

    snapshot: Snapshot
    validity: Path | None
    published: Path

    @cached_property
    def standings(self) -> Standings:
        """Results over all questions."""
        return Standings(self.snapshot)


@dataclass(frozen=True)
class Drawn:
    """A figure, and the numbers in it.

    Attributes
    ----------
    figure
        Made by :mod:`lvlmbench.stages.figures.plotting`.
    table
        One row a mark of the figure, in the order in which one reads it; becomes the CSV file.
    tex
        The same as a LaTeX table, for figures that are tables; others are included as PDF.
    """

    figure: Figure
    table: pa.Table
    tex: str | None = None


Draw = Callable[[Sources], Drawn]


@dataclass(frozen=True)
class Kind:
    """One registered figure.

    Attributes
    ----------
    name
        Stem of its files below results/figures.
    title
        One sentence without a full stop: what it shows. It is the accessible name in the report.
    source
        Which table, figure or section of a paper it reproduces; None for our own.
    draw
        Raises :class:`NotApplicable` where the snapshot has nothing to show.
    """

    name: str
    title: str
    source: str | None
    draw: Draw


#: Figures by name. Modules of lvlmbench/stages/figures/kinds register theirs; they must be light to
#: import, since the Snakefile reads the names: matplotlib and scipy inside of functions only.
FIGURES: Registry[Kind] = Registry("figures", "lvlmbench.stages.figures.kinds")


def figure(name: str, title: str, source: str | None = None) -> Callable[[Draw], Draw]:
    """Decorator that registers a function as the figure ``name``.

    Examples
    --------
    >>> @figure("total_scores", "Total score of each model", "Dysca, table 3")
    ... def draw(sources: Sources) -> Drawn: ...
    """

    def register(draw: Draw) -> Draw:
        FIGURES.register(name)(Kind(name, title, source, draw))
        return draw

    return register
