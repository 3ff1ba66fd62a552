"""What a figure is, where it finds its numbers, and how it joins the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.snapshot.reader import Snapshot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lvlmbench.config import Params


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
    beside
        The suite that ``figures.beside`` names, with its descriptions and scores alone; None of
        that suite itself, and where none is named.
    """

    snapshot: Snapshot
    validity: Path | None
    published: Path
    beside: Snapshot | None = None

    @cached_property
    def leaderboard(self) -> Leaderboard:
        """Results over the questions that ``statistics.questions`` counts."""
        return Leaderboard(self.snapshot)


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


@dataclass(frozen=True, kw_only=True)
class FigureKind(Kind):
    """One registered figure; :data:`Draw` is what is registered, and raises
    :class:`NotApplicable` where the snapshot has nothing to show. Its name is the stem of its
    files below results/<suite>/figures.

    Attributes
    ----------
    title
        One sentence without a full stop: what it shows. It is the accessible name in the report.
    source
        Which table, figure or section of a paper it reproduces; None for our own.
    place
        Its place in the report, which shows those that have one beside their section.
    counted
        Whether it shows numbers of the questions that ``statistics.questions`` counts: where that
        leaves some out, the figure says so.
    scale
        Whether its colors are a scale: it keeps its paper in the dark, too.
    when
        Whether the report shows it, by the parameters; None: always.
    """

    title: str
    source: str | None = None
    counted: bool = False
    scale: bool = False
    when: Callable[[Params], bool] | None = None


#: Figures by name. Modules of lvlmbench/stages/figures/kinds register theirs; they must be light to
#: import, since the Snakefile reads the names: matplotlib and scipy inside of functions only.
FIGURES: Kinds[FigureKind] = Kinds("figures", "lvlmbench.stages.figures.kinds", FigureKind)


def figure(
    name: str, title: str, source: str | None = None, **declared: Any
) -> Callable[[Draw], Draw]:
    """Decorator that registers a function as the figure ``name``.

    Examples
    --------
    >>> @figure("total_scores", "Total score of each model", "Dysca, table 3")
    ... def draw(sources: Sources) -> Drawn: ...
    """

    return FIGURES.register(name, title=title, source=source, **declared)
