"""Whether models, and scenarios, differ by more than chance: paired comparisons.

docs/metrics.md, "Is the difference real?", tells what the columns mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.kept import left_out, without
from lvlmbench.stages.metrics.frame import canonical, scenario_order
from lvlmbench.stages.metrics.intervals import F64, Figure
from lvlmbench.stages.metrics.panel import COLUMNS, Panel, panels
from lvlmbench.stages.metrics.permutation import holm, sign_flips
from lvlmbench.stages.metrics.rows import ALL, rounded
from lvlmbench.stages.metrics.sample import Sample

#: Random flips for each comparison of a family: the least p is then small enough to stay below
#: 0.05 after Holm's correction.
_FLIPS_A_COMPARISON = 40
#: Columns of contributions held in memory at a time.
_COLUMNS = 256

Row = dict[str, object]


def write_comparisons(
    params: Params, *, scores: Sequence[Path], consensus: Sequence[Path], out: Path
) -> None:
    """Write the comparisons table from shards of the scores table.

    Which questions count is for ``statistics.questions`` to say: all, or without those that the
    consensus drops (Dysca, section 3.3, step 3). Scenes that are shown again in other styles are
    compared with nothing, nor are atomic checks: they would weigh on Holm's correction of the
    others.

    Parameters
    ----------
    scores, consensus
        Shards of these tables.

    Raises
    ------
    UserError
        A file is missing, damaged or of another schema.
    """
    aside = {spec.name for spec in params.scenarios.noisy if spec.again or spec.checks}
    dropped = left_out(params, consensus)
    found = panels(without(tables.read([p], tables.SCORES, COLUMNS), dropped) for p in scores)
    found = {name: panel for name, panel in found.items() if name not in aside}
    rows = comparison_rows(found, params.snapshot.seed, params.statistics.permutations)
    tables.write_rows(rows, out, tables.COMPARISONS, params_id(params))


def comparison_rows(scenarios: Mapping[str, Panel], seed: int, permutations: int) -> list[Row]:
    """Rows of the comparisons table, in a fixed order: all pairs of models in each scenario, then
    each model in each scenario against clean.

    Parameters
    ----------
    scenarios
        The answers by scenario.
    seed
        Of the snapshot, for the random flips.
    permutations
        Random flips for a p-value; more where a family is large
        (:func:`lvlmbench.stages.metrics.permutation.sign_flips`).
    """
    order = scenario_order()
    names = sorted(scenarios, key=lambda name: canonical(order, name))
    clean = scenarios.get(CLEAN)
    families = [
        [(name, _between_models(scenarios[name], name)) for name in names],
        [
            (name, _against_clean(scenarios[name], name, clean))
            for name in names
            if clean is not None and name != CLEAN
        ],
    ]
    rows: list[Row] = []
    for family, size in zip(families, _sizes(scenarios), strict=True):
        flips = max(permutations, _FLIPS_A_COMPARISON * size - 1)
        found: list[Row] = []
        for name, pairs in family:
            found += _tested(pairs, seed, name, flips)
        _correct(found)
        rows += found
    return rows


def _sizes(scenarios: Mapping[str, Panel]) -> tuple[int, int]:
    """Comparisons of each family, by question type."""
    models = sum(len(p.asked) * (len(p.asked) - 1) // 2 for p in scenarios.values())
    clean = set(scenarios[CLEAN].asked) if CLEAN in scenarios else set()
    others = (p for name, p in scenarios.items() if name != CLEAN)
    return models, sum(len(clean & set(p.asked)) for p in others)


def _between_models(panel: Panel, scenario: str) -> Iterator[tuple[Row, F64 | None]]:
    for model, other in combinations(panel.asked, 2):
        key = _key("models", model, scenario, other, scenario)
        value = panel.values[model] - panel.values[other]
        yield from _compared(key, panel, value, panel.asked[model] | panel.asked[other])


def _against_clean(
    panel: Panel, scenario: str, clean: Panel | None
) -> Iterator[tuple[Row, F64 | None]]:
    for model in panel.asked:
        if clean is None or model not in clean.asked:
            continue
        key = _key("scenarios", model, scenario, model, CLEAN)
        value = panel.values[model] - clean.values_of(model, panel.question)
        yield from _compared(key, panel, value, panel.asked[model])


def _key(family: str, model: str, scenario: str, other: str, baseline: str) -> Row:
    return {
        "family": family,
        "model": model,
        "scenario": scenario,
        "baseline_model": other,
        "baseline_scenario": baseline,
    }


def _compared(
    key: Row, panel: Panel, value: F64, asked: npt.NDArray[np.bool_]
) -> Iterator[tuple[Row, F64 | None]]:
    """(row, contributions by scene) of a comparison, over all and by question type."""
    scored = np.isfinite(value)
    columns = {"value": value, "scored": scored, "refused": False}
    columns |= {"truncated": False, "failed": False}
    table = panel.items.assign(**columns)[asked]
    sample = Sample(table, table)
    by_kind = {kind: _contributions(sample, kind, panel.n_scenes) for kind in sample.kinds}
    whole = sum(by_kind.values(), start=np.zeros(panel.n_scenes)) / max(len(by_kind), 1)
    yield _row(key, ALL, sample.total, table), None if sample.total is None else whole
    for kind in sample.kinds:
        figure, part = sample.scores[kind], table[table["question_type"] == kind]
        yield _row(key, kind, figure, part), None if figure is None else by_kind[kind]


def _contributions(sample: Sample, kind: str, n_scenes: int) -> F64:
    """Of each scene of the panel to the difference of one question type."""
    products = np.where(sample.usable, sample.weights(kind) * sample.value, 0.0)
    scene = sample.table["scene"].to_numpy()
    return np.bincount(scene, weights=products, minlength=n_scenes).astype(np.float64)


def _row(key: Row, kind: str, figure: Figure | None, table: pd.DataFrame) -> Row:
    value = table["value"].to_numpy()
    low, high = (None, None) if figure is None else figure.student()
    numbers = {
        "difference": None if figure is None else figure.value,
        "stderr": None if figure is None else figure.stderr,
        "low": low,
        "high": high,
    }
    return {
        **key,
        "question_type": kind,
        **{name: None if number is None else rounded(number) for name, number in numbers.items()},
        "p": None,
        "n": int(np.count_nonzero(np.isfinite(value))),
        "n_better": int(np.count_nonzero(value > 0)),
        "n_worse": int(np.count_nonzero(value < 0)),
        "n_unpaired": int(np.count_nonzero(np.isnan(value))),
    }


def _tested(
    pairs: Iterator[tuple[Row, F64 | None]], seed: int, scenario: str, flips: int
) -> list[Row]:
    """The rows, with p; the same flips for all comparisons in a scenario."""
    rows: list[Row] = []
    waiting: list[tuple[Row, F64]] = []

    def test() -> None:
        columns = np.column_stack([column for _, column in waiting])
        for (row, _), p in zip(waiting, sign_flips(columns, flips, seed, scenario), strict=True):
            row["p"] = float(p)
        waiting.clear()

    for row, column in pairs:
        rows.append(row)
        if column is not None:
            waiting.append((row, column))
        if len(waiting) == _COLUMNS:
            test()
    if waiting:
        test()
    return rows


def _correct(rows: list[Row]) -> None:
    """Holm's correction over a family's rows of each question type."""
    for kind in {row["question_type"] for row in rows}:
        mine = [row for row in rows if row["question_type"] == kind]
        corrected = holm([None if row["p"] is None else float(str(row["p"])) for row in mine])
        for row, p in zip(mine, corrected, strict=True):
            row["p_holm"] = p
