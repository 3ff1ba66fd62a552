"""Our own ranking: the clean headline of each model, on all images and on realistic ones; and what
it has on each subtask and question type."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.headline import JUDGED_TABLES, PAPER, Headline
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.kept import without
from lvlmbench.stages.metrics.headline import judged_by_first
from lvlmbench.stages.render.renderer import is_realistic

#: (Subtask, question type) -> score in percent; None where nothing could be scored.
Cells: TypeAlias = Mapping[tuple[str, str], float | None]
#: Values of the column ``styles``.
ALL, REALISTIC = "all", "realistic"


#: No question is left out.
NONE = pa.array([], pa.string())


class Images(NamedTuple):
    """Images in some styles, of some scenes."""

    styles: Collection[str]
    scenes: Collection[str]


def realistic_scenes(rendered: Sequence[Path]) -> frozenset[str]:
    """Return the scenes whose renderer draws realistic images where their style is such.

    Parameters
    ----------
    rendered
        Files of the images as they were drawn.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    table = tables.read(sorted(rendered), tables.IMAGES, ["scene_id", "renderer"])
    able = {name: is_realistic(name) for name in table["renderer"].unique().to_pylist()}
    pairs = zip(table["scene_id"].to_pylist(), table["renderer"].to_pylist(), strict=True)
    return frozenset(scene for scene, renderer in pairs if able[renderer])


def metric_totals(
    metrics: pa.Table, questions: str = "all", metric: str = "headline"
) -> dict[str, float]:
    """Model -> its clean headline, or another metric, as the table of metrics has it, over all
    questions or over those that the ``consensus`` keeps; models without one are left out."""
    wanted = {
        "questions": questions, "scenario": CLEAN, "metric": metric, "question_type": "all",
        "subtask": "all", "style": "all", "perturbation": "all", "severity": "all",
        "level": "all",
    }  # fmt: skip
    for column, value in wanted.items():
        metrics = metrics.filter(pc.equal(metrics[column], value))
    pairs = zip(metrics["model"].to_pylist(), metrics["value"].to_pylist(), strict=True)
    return {model: float(value) for model, value in pairs if value is not None and value == value}


def judged_totals(
    params: Params, measure: str, results: Mapping[str, Path | None]
) -> dict[str, float]:
    """Model -> a measure of judged answers in the clean scenario, as the first judge has it; empty
    where no table of theirs has the measure.

    Parameters
    ----------
    results
        Table of judged answers -> its file; None where there is none.
    """
    for name in JUDGED_TABLES:
        found = judged_by_first(params, Headline(table=name, measure=measure), results)
        clean = {m: each.value for (m, scenario), each in found.items() if scenario == CLEAN}
        if clean:
            return {model: value for model, value in clean.items() if value is not None}
    return {}


def realistic_totals(
    scores: Sequence[Path], images: Images, dropped: pa.Array = NONE, headline: Headline = PAPER
) -> tuple[dict[str, float], int]:
    """Model -> the same from the answers about some images alone; how many those are. Answers to
    ``dropped`` questions do not count.

    It is computed from the scores (:func:`lvlmbench.stages.metrics.metrics.totals`). The rows of
    single styles in the table of metrics would not do, since they do not say which subtasks are
    behind them.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    from lvlmbench.stages.metrics.metrics import totals

    found: dict[str, float] = {}
    seen: set[str] = set()
    for model, table in _clean(scores, images, dropped):
        seen.update(table["scene_id"].unique().to_pylist())
        value = totals(table, headline).get((model, CLEAN)) if table.num_rows else None
        if value is not None:
            found[model] = value
    return found, len(seen)


def cells(
    scores: Sequence[Path],
    images: Images | None,
    dropped: pa.Array = NONE,
    headline: Headline = PAPER,
) -> dict[str, Cells]:
    """Model -> what it has on each subtask and question type in the clean scenario: the means that
    a headline is made of. ``images``: on these alone; None: on all. Answers to ``dropped``
    questions do not count, nor do captions where the headline knows none.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    from lvlmbench.stages.metrics.metrics import subtask_means

    return {
        m: subtask_means(table, headline.captions) for m, table in _clean(scores, images, dropped)
    }


def _clean(
    scores: Sequence[Path], images: Images | None, dropped: pa.Array
) -> Iterator[tuple[str, pa.Table]]:
    """Each model with its scores in the clean scenario, on these images, less dropped questions."""
    where = pc.field("scenario") == CLEAN
    if images is not None:
        where &= pc.field("style").isin(pa.array(sorted(images.styles), pa.string()))
        where &= pc.field("scene_id").isin(pa.array(sorted(images.scenes), pa.string()))
    for model, files in _by_model(scores).items():
        mine = tables.read(files, tables.SCORES, where=where & (pc.field("model") == model))
        yield model, without(mine, dropped)


def _by_model(scores: Sequence[Path]) -> dict[str, list[Path]]:
    """Model -> files with its scores in the clean scenario, by name."""
    found: dict[str, list[Path]] = {}
    for path in sorted(scores):
        table = tables.read([path], tables.SCORES, ["model", "scenario"])
        models = table.filter(pc.equal(table["scenario"], CLEAN))["model"].unique()
        for model in models.to_pylist():
            found.setdefault(model, []).append(path)
    return dict(sorted(found.items()))
