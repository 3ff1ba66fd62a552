"""From scores to the metrics table (Dysca, section 3.4). docs/metrics.md defines each metric."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.ledger import Row, by_stage, ledger
from lvlmbench.config import Params
from lvlmbench.config.headline import PAPER, Headline, headline_of
from lvlmbench.config.identity import params_id
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.files import atomic_bytes
from lvlmbench.snapshot.guessing import LOOKED_AT, with_chance
from lvlmbench.snapshot.kept import dropped_questions
from lvlmbench.stages.metrics.floor import floor_rows, floors
from lvlmbench.stages.metrics.frame import ABOUT, groups, prepared
from lvlmbench.stages.metrics.headline import Judged, Measured, judged_by_first
from lvlmbench.stages.metrics.independent import dependent
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.plots import COSTS, headlines, write_plots
from lvlmbench.stages.metrics.rows import ALL, CONSENSUS, DECIMALS, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.resampling import Bootstrap
from lvlmbench.tables import CLUSTER_COLUMNS, TYPES


def metric_rows(
    scores: pa.Table,
    dropped: Collection[str] = (),
    questions: pa.Table | None = None,
    seed: int = 0,
    resamples: int = 2000,
    own: Mapping[str, Collection[str]] = MappingProxyType({}),
    scenes: pa.Table | None = None,
    headline: Headline = PAPER,
    judged: Mapping[tuple[str, str], Judged] = MappingProxyType({}),
) -> list[dict[str, object]]:
    """Rows of the metrics table, in an order that neither shards nor files change.

    The figures of all questions come first, then, under ``questions`` = "consensus", the same
    without ``dropped``.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`.
    dropped
        Ids of the questions that the consensus drops.
    questions
        Rows of :data:`lvlmbench.tables.QUESTIONS` with the columns :data:`.frame.ABOUT`; without
        them there are no rows ``chance`` and ``above_chance``.
    seed
        Of the snapshot, for the bootstrap's draws.
    resamples
        Bootstrap samples of scenes.
    own
        Model -> examiners whose questions are not independent (:func:`.independent.dependent`).
    scenes
        Which scenes hang together (:func:`lvlmbench.tables.clusters_of`).
    headline
        The number that heads the suite's results.
    judged
        (Model, scenario) -> that number, where a judge gives it.

    Raises
    ------
    UserError
        ``questions`` lack one that was scored.
    """
    everything: list[dict[str, object]] = []
    agreed: list[dict[str, object]] = []
    for model, scenarios in groups(prepared(scores, dropped, questions, own, scenes)):
        clean = scenarios.get(CLEAN)
        for scenario, asked in scenarios.items():
            base = None if scenario == CLEAN else clean
            # Not of the model: two that answer alike have the same intervals, whatever their names.
            bootstrap = Bootstrap(seed, scenario, resamples)
            given = headline, judged.get((model, scenario)), bootstrap
            everything += (rows := _rows(Rows(ALL, model, scenario), asked, asked, base, *given))
            if asked["kept"].all():
                agreed += [{**row, "questions": CONSENSUS} for row in rows]
            else:
                kept = asked[asked["kept"]].reset_index(drop=True)
                out = Rows(CONSENSUS, model, scenario)
                agreed += _rows(out, asked, kept, base, *given)
    return everything + agreed


def _rows(
    out: Rows,
    asked: pd.DataFrame,
    table: pd.DataFrame,
    clean: pd.DataFrame | None,
    headline: Headline,
    judged: Judged | None,
    bootstrap: Bootstrap,
) -> list[dict[str, object]]:
    """Rows of one model in one scenario; ``clean`` are the answers to compare it with."""
    kinds = Sample(asked, table).kinds
    if not headline.captions:
        kinds = [kind for kind in kinds if TYPES[kind].judged]
    answers = Answers(
        asked, table, clean, out.scenario != CLEAN,
        Sample(asked, table, kinds=kinds), Sample(asked, table, strict=True, kinds=kinds),
        Measured(headline, asked, table, kinds=kinds),
        Measured(headline, asked, table, strict=True, kinds=kinds), judged, bootstrap,
    )  # fmt: skip
    for metric in METRICS.ordered():
        metric(out, answers)
    return out.rows


def write_metrics(
    params: Params,
    *,
    scores: Sequence[Path],
    consensus: Sequence[Path],
    questions: Sequence[Path],
    scenes: Sequence[Path],
    hallucination: Path | None = None,
    dialogue: Path | None = None,
    cache: Path | None = None,
    costs: Sequence[Row] = (),
    out_parquet: Path,
    out_json: Path,
    out_plots: Path | None = None,
) -> None:
    """Write the metrics of all models, as Parquet and as JSON, with one model in memory at a time.

    Answers to atomic checks are not among them.

    Parameters
    ----------
    scores, consensus, questions, scenes
        Shards of these tables.
    hallucination, dialogue
        Tables of what judges say, one of which may hold the headline.
    cache
        File of similarities of captions that were computed before; None: what captions that say
        nothing get is left out.
    costs
        What :func:`write_costs` has written, whose sums go to the JSON file.
    out_plots
        Folder of the tables for ``dvc plots``, where they are wanted.

    Raises
    ------
    UserError
        A file is missing, damaged or of another schema, or the questions lack one that was scored.
    """
    dropped = dropped_questions(consensus).to_pylist()
    columns = list(dict.fromkeys([*ABOUT, *LOOKED_AT]))
    about = with_chance(tables.read(questions, tables.QUESTIONS, columns))
    own, together = dependent(params), tables.read(scenes, tables.SCENES, CLUSTER_COLUMNS)
    headline = headline_of(params)
    results = {"hallucination": hallucination, "dialogue": dialogue}
    judged = judged_by_first(params, headline, results)
    rows: list[dict[str, object]] = []
    checks = pc.field("scenario").isin(pa.array(params.scenarios.checking, pa.string()))
    for model, files in _by_model(scores).items():
        mine = tables.read(files, tables.SCORES, where=(pc.field("model") == model) & ~checks)
        rows += metric_rows(
            mine, dropped, about, params.snapshot.seed, params.statistics.resamples, own, together,
            headline, judged,
        )  # fmt: skip
    if headline.captions and cache is not None:
        rows += floor_rows(rows, floors(params, questions, scenes, cache))
    rows.sort(key=lambda row: (row["questions"] == CONSENSUS, str(row["model"])))
    _write_json(headlines(rows) | ({COSTS: by_stage(costs)} if costs else {}), out_json)
    if out_plots is not None:
        write_plots(rows, out_plots)
    tables.write_rows(rows, out_parquet, tables.METRICS, params_id(params))


def _write_json(found: Mapping[str, Any], out: Path) -> None:
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    atomic_bytes(out, text.encode())


def write_costs(params: Params, data: Path, out: Path) -> list[dict[str, Any]]:
    """Write what all requests took, as the table ``costs``, and return its rows.

    Parameters
    ----------
    data
        Folder of the suite's tables.

    Raises
    ------
    UserError
        A table of requests is damaged.
    """
    rows = ledger(params, data)
    tables.write_rows(rows, out, tables.COSTS, params_id(params))
    return rows


def _by_model(scores: Sequence[Path]) -> dict[str, list[Path]]:
    """Model, by name -> the files with scores of it."""
    found: dict[str, list[Path]] = {}
    for path in scores:
        for model in tables.read([path], tables.SCORES, ["model"])["model"].unique().to_pylist():
            found.setdefault(model, []).append(path)
    return dict(sorted(found.items()))


def totals(scores: pa.Table, headline: Headline = PAPER) -> dict[tuple[str, str], float | None]:
    """(Model, scenario) -> the paper's total where that is the headline, else the accuracy on
    closed questions, mean over subtasks; rounded as in the table."""
    each = headline if headline.measure == PAPER.measure else Headline()
    found = {
        (model, scenario): Measured(each, asked, asked).figure
        for model, scenarios in groups(prepared(scores))
        for scenario, asked in scenarios.items()
    }
    return {key: None if f is None else round(f.value, DECIMALS) for key, f in found.items()}


def subtask_means(scores: pa.Table, captions: bool = True) -> dict[tuple[str, str], float | None]:
    """The means of one model in one scenario by (subtask, question type), rounded as in the table;
    None where an answer was asked for and none could be scored. ``captions``: by their similarity
    to references, too."""
    if not scores.num_rows:
        return {}
    asked = prepared(scores)
    found = Sample(asked, asked).cells("subtask")
    return {
        (subtask, kind): None if figure is None else round(figure.value, DECIMALS)
        for (kind, subtask), figure in found.items()
        if captions or TYPES[kind].judged
    }
