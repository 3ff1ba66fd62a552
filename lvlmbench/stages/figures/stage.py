"""The stage ``figures``: tables and figures as files of their own."""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import SUFFIXES
from lvlmbench.stages.stage import Out, Stage, Values

#: Figures that a job draws, at most.
TOGETHER = 20


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


def together(params: Params) -> list[list[str]]:
    """Return the figures that one job each draws: as many a job, but for one."""
    names = figure_names(params)
    jobs = -(-len(names) // TOGETHER)
    return [names[job::jobs] for job in range(jobs)]


def files_of(names: Iterable[str]) -> list[str]:
    """Return the names of the files of figures."""
    return [f"{name}.{suffix}" for name in names for suffix in SUFFIXES]


def _files(params: Params) -> list[str]:
    return files_of(figure_names(params))


def _beside(params: Params, values: Values) -> Values | None:
    """The suite that is shown beside."""
    suite = params.figures.beside
    return None if suite in (None, values["suite"]) else {"suite": str(suite)}


STAGE = Stage(
    name="figures",
    words="Draw tables and figures",
    artifact="figures, tables",
    scripts=("figures", "figures_unpacked"),
    reads=(
        "data/published",
        "{labels.folder}",
        *(
            f"data/{{suite}}/{table}"
            for table in (
                *("descriptions", "scenes", "attempts", "attempt_checks", "verdicts"),
                *("questions", "validation"),
                *("images", "answers", "claims", "matches", "judgements", "truth"),
                *("pairwise", "judge_exam"),
                *("scores", "consensus"),
            )
        ),
        "results/{suite}/agreement.parquet",
        "results/{suite}/comparisons.parquet",
        "results/{suite}/costs.parquet",
        "results/{suite}/dialogue.parquet",
        "results/{suite}/hallucination.parquet",
        "results/{suite}/metrics.parquet",
        "results/{suite}/validity",
    ),
    elsewhere=("data/{suite}/descriptions", "data/{suite}/scores"),
    other=_beside,
    makes=(Out("results/{suite}/figures", names=_files),),
    params=(
        *("snapshot", "render", "vocabulary", "reference", "filter", "consensus"),
        *("answer", "judge.judges", "score", "statistics", "figures", "validity.resamples"),
        *("report.private", "labels"),
        *("suite.kind", "suite.corpus", "suite.scenarios"),
    ),
    promises=(Promise(Exactness.EVERYWHERE, "drawn by one code from rounded numbers"),),
)
