"""The stage ``figures``: tables and figures as files of their own."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import SUFFIXES
from lvlmbench.stages.stage import Out, Stage


def figure_names(params: Params) -> list[str]:
    """Return the figures that are drawn.

    Raises
    ------
    UserError
        One of those asked for is not there.
    """
    names = params.figures.names
    if names == "all":
        return FIGURES.names()
    return [FIGURES.get(name, "figures.names").name for name in names]


def _files(params: Params) -> list[str]:
    return [f"{name}.{suffix}" for name in figure_names(params) for suffix in SUFFIXES]


STAGE = Stage(
    name="figures",
    words="Draw tables and figures",
    artifact="figures, tables",
    reads=(
        "{vocabulary.folder}",
        "data/published",
        *(
            f"data/{{suite}}/{table}"
            for table in (
                *("descriptions", "scenes", "attempts", "verdicts", "questions", "validation"),
                *("images", "answers", "scores", "consensus"),
            )
        ),
        "results/{suite}/comparisons.parquet",
        "results/{suite}/metrics.parquet",
        "results/{suite}/validity",
    ),
    makes=(Out("results/{suite}/figures", names=_files),),
    params=(
        *("snapshot", "render", "vocabulary", "reference", "filter", "consensus"),
        *("answer", "score", "statistics", "figures", "validity.resamples"),
        "report.private",
        *("suite.corpus", "suite.scenarios"),
    ),
    promises=(Promise(Exactness.EVERYWHERE, "drawn by one code from rounded numbers"),),
)
