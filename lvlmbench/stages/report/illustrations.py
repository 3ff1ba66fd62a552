"""Which figures the page shows, and which others lie beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from lvlmbench.config import Params
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import (
    About,
    read_about,
)
from lvlmbench.stages.report import embed

#: Figures in the page, in its order. Tables of papers are not among them: the page has its own.
SHOWN = (
    "robustness_subtasks",
    "corruption_kinds",
    "corruption_severities",
    "subtask_scores",
    "subtask_heatmap",
    "radar",
    "task_clusters",
    "style_scores",
    "style_heatmap",
    "question_types",
    "subtask_distribution",
    "funnel",
    "rank_correlations",
    "image_distances",
    "published_results",
)
#: Those of them whose colors are a scale: they keep their paper in the dark, too.
SCALES = frozenset(
    {"subtask_heatmap", "style_heatmap", "task_clusters", "image_distances", "published_results"}
)


@dataclass(frozen=True)
class Illustration:
    """A figure in the page; ``scale`` tells that it stands on white paper in the dark, too."""

    about: About
    svg: Markup
    scale: bool


@dataclass(frozen=True)
class Illustrations:
    """Figures in the page by name, and all that were drawn, the others included."""

    shown: Mapping[str, Illustration]
    drawn: list[About]


def shown(params: Params) -> list[str]:
    """Figures that the page shows, of those that the parameters ask for."""
    names = params.figures.names
    asked = set(FIGURES.names()) if names == "all" else set(names)
    asked -= set() if params.figures.published else {"published_results"}
    return [name for name in SHOWN if name in asked & set(FIGURES.names())]


def build(params: Params, folder: Path) -> Illustrations:
    """Read the figures that were asked for.

    Raises
    ------
    UserError
        One that the page shows is missing or damaged.
    """
    found = {}
    for name in shown(params):
        about = read_about(folder, name)
        if about.why_not is None:
            scale = name in SCALES
            svg = embed.inline_svg(folder / f"{name}.svg", about.title, follow=not scale)
            found[name] = Illustration(about, svg, scale)
    drawn = [read_about(folder, n) for n in FIGURES.names() if (folder / f"{n}.json").is_file()]
    return Illustrations(found, drawn)
