"""Whether models, and scenarios, differ by more than chance: paired comparisons.

docs/metrics.md, "Is the difference real?", tells what the columns mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.headline import PAPER, Headline, headline_of
from lvlmbench.config.identity import params_id
from lvlmbench.config.models import guessing
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.kept import left_out, without
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.frame import canonical, scenario_order
from lvlmbench.stages.metrics.headline import Measured
from lvlmbench.stages.metrics.judged import READS, Answers, compared
from lvlmbench.stages.metrics.panel import COLUMNS, Panel, panels
from lvlmbench.stages.metrics.rows import ALL, rounded
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import F64
from lvlmbench.stats.testing import holm
from lvlmbench.tables import CLUSTER_COLUMNS, JUDGED, TYPES

Row = dict[str, object]
#: What a row compares and counts, and the difference.
Tested: TypeAlias = tuple[Row, Estimate | None]


def write_comparisons(
    params: Params,
    *,
    scores: Sequence[Path],
    consensus: Sequence[Path],
    questions: Sequence[Path],
    scenes: Sequence[Path],
    out: Path,
    data: Path | None = None,
) -> None:
    """Write the comparisons table from shards of the scores table, or from what a judge says.

    Which questions count is for ``statistics.questions`` to say: all, or without those that the
    consensus drops (Dysca, section 3.3, step 3). Scenes that are shown again in other styles are
    compared with nothing, nor are atomic checks. Where judges give the suite's headline, judged
    answers are compared over all question types, as the first judge sees them.

    Parameters
    ----------
    scores, consensus, questions, scenes
        Shards of these tables.
    data
        Folder of the suite's tables, for what judges say; None: nobody has judged.

    Raises
    ------
    UserError
        A file is missing, damaged or of another schema.
    """
    aside = {spec.name for spec in params.scenarios.noisy if spec.again or spec.checks}
    dropped = left_out(params, consensus)
    together = tables.read(scenes, tables.SCENES, CLUSTER_COLUMNS)
    asked = tables.read(questions, tables.QUESTIONS, ["question_id", "level", "key"])
    parts = (without(tables.read([p], tables.SCORES, COLUMNS), dropped) for p in scores)
    found = panels(parts, together, asked)
    found = {name: panel for name, panel in found.items() if name not in aside}
    models, headline = params.answer.models, headline_of(params)
    references = {model.name for model in models if model.engine in params.reference.models}
    outside = guessing(models) | references
    rows = comparison_rows(found, outside, headline)
    if headline.table is not None and data is not None and params.judge.judges:
        names = [name for name in params.scenarios.names if name not in aside]
        rows += judged_rows(Snapshot(params, data), headline, names, outside)
    tables.write_rows(rows, out, tables.COMPARISONS, params_id(params))


def comparison_rows(
    scenarios: Mapping[str, Panel], outside: Collection[str] = (), headline: Headline = PAPER
) -> list[Row]:
    """Return rows of the comparisons table from scores, in a fixed order.

    All pairs of models in each scenario come first, then each model in each scenario against clean.
    Holm's correction is over the models under test: over the pairs of them in a scenario, and over
    those in a scenario against clean.

    Parameters
    ----------
    scenarios
        The answers by scenario.
    outside
        Models that are not under test: what they are compared with is not corrected.
    headline
        What is compared over all question types; nothing, where judges give it.
    """
    order = scenario_order()
    names = sorted(scenarios, key=lambda name: canonical(order, name))
    clean = scenarios.get(CLEAN)
    families = [_between_models(scenarios[name], name, headline) for name in names]
    if clean is not None:
        others = [name for name in names if name != CLEAN]
        families += [_against_clean(scenarios[name], name, clean, headline) for name in others]
    return [row for family in families for row in corrected(list(family), outside)]


def judged_rows(
    snapshot: Snapshot, headline: Headline, scenarios: Sequence[str], outside: Collection[str]
) -> list[Row]:
    """Return rows of the comparisons table of judged answers, in the same order.

    Parameters
    ----------
    headline
        What a judge gives.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    judge = snapshot.params.judge.judges[0].name
    reads, most = READS[headline.table or ""], headline.most - headline.least
    models = [model.name for model in snapshot.params.answer.models]
    answers = {
        (model, name): reads(snapshot, judge, model, name) for name in scenarios for model in models
    }

    def tested(key: Row, one: Answers, other: Answers) -> Tested:
        found, n, better, worse, unpaired = compared(one, other, snapshot.clusters)
        counts = {"n": n, "n_better": better, "n_worse": worse, "n_unpaired": unpaired}
        return {**key, "question_type": ALL, **counts}, found

    families = [
        [
            tested(about("models", a, name, b, name), answers[a, name], answers[b, name])
            for a, b in combinations(models, 2)
        ]
        for name in scenarios
    ]
    families += [
        [
            tested(about("scenarios", a, name, a, CLEAN), answers[a, name], answers[a, CLEAN])
            for a in models
        ]
        for name in scenarios
        if name != CLEAN and CLEAN in scenarios
    ]
    return [row for family in families for row in corrected(family, outside, most)]


def _between_models(panel: Panel, scenario: str, headline: Headline) -> Iterator[Tested]:
    for model, other in combinations(panel.asked, 2):
        key = about("models", model, scenario, other, scenario)
        value = panel.values[model] - panel.values[other]
        asked = panel.asked[model] | panel.asked[other]
        yield from _compared(key, panel, value, asked, headline)


def _against_clean(
    panel: Panel, scenario: str, clean: Panel, headline: Headline
) -> Iterator[Tested]:
    for model in panel.asked:
        if model in clean.asked:
            key = about("scenarios", model, scenario, model, CLEAN)
            value = panel.values[model] - clean.values_of(model, panel.question)
            yield from _compared(key, panel, value, panel.asked[model], headline)


def about(family: str, model: str, scenario: str, other: str, baseline: str) -> Row:
    """Return what a row compares."""
    return {
        "family": family,
        "model": model,
        "scenario": scenario,
        "baseline_model": other,
        "baseline_scenario": baseline,
    }


def _compared(
    key: Row, panel: Panel, value: F64, asked: npt.NDArray[np.bool_], headline: Headline
) -> Iterator[Tested]:
    """Rows of a comparison, over all question types and by each."""
    columns = {"value": value, "scored": np.isfinite(value), "refused": False}
    columns |= {"truncated": False, "failed": False}
    table = panel.items.assign(**columns)[asked]
    sample = Sample(table, table, paired=True)
    kinds = [kind for kind in sample.kinds if headline.captions or TYPES[kind].judged]
    if headline.table is None:
        of = table
        if headline.measure != PAPER.measure:
            of = table[table["question_type"].isin(JUDGED)]
        yield _row(key, ALL, of), Measured(headline, table, table, paired=True).figure
    for kind in kinds:
        yield _row(key, kind, table[table["question_type"] == kind]), sample.scores[kind]


def _row(key: Row, kind: str, table: pd.DataFrame) -> Row:
    value = table["value"].to_numpy()
    return {
        **key,
        "question_type": kind,
        "n": int(np.count_nonzero(np.isfinite(value))),
        "n_better": int(np.count_nonzero(value > 0)),
        "n_worse": int(np.count_nonzero(value < 0)),
        "n_unpaired": int(np.count_nonzero(np.isnan(value))),
    }


def corrected(
    family: Sequence[Tested], outside: Collection[str], most: float = 100.0
) -> Iterator[Row]:
    """Yield rows of a family with their numbers, under Holm's correction by question type.

    An interval is at the level that the correction leaves to its comparison, so that it excludes 0
    exactly where the corrected p is below 0.05. It ends at ``most``, the largest difference.
    """
    by_kind: dict[object, list[int]] = {}
    for at, (row, _) in enumerate(family):
        if not {row["model"], row["baseline_model"]} & {*outside}:
            by_kind.setdefault(row["question_type"], []).append(at)
    p_holm = {at: None if found is None else found.p for at, (_, found) in enumerate(family)}
    times = dict.fromkeys(p_holm, 1.0)
    for places in by_kind.values():
        for at, p in zip(places, holm([p_holm[at] for at in places]), strict=True):
            own = p_holm[at]
            times[at] = len(places) if not own else (p or own) / own
            p_holm[at] = p
    for at, (row, found) in enumerate(family):
        wide = None if found is None else found.corrected(times[at]).within(-most, most)
        names = ("difference", "stderr", "low", "high", "p")
        numbers: Sequence[float | None] = [None] * len(names)
        if wide is not None:
            numbers = (wide.value, wide.stderr, wide.low, wide.high, wide.p)
        shown = zip((*names, "p_holm"), (*numbers, p_holm[at]), strict=True)
        yield row | {name: None if each is None else rounded(each) for name, each in shown}
