"""From scores to the metrics table (Dysca, section 3.4). docs/metrics.md defines each metric."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pandas as pd
import pyarrow as pa

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scoring.differences import add_differences, add_levels, add_untouched, paired
from lvlmbench.scoring.estimate import Figure
from lvlmbench.scoring.frame import groups, prepared
from lvlmbench.scoring.guessing import add_chance
from lvlmbench.scoring.sample import Sample, complete, present
from lvlmbench.scoring.sensitivity import sc, sc_error, sc_noise, sq, sq_error
from lvlmbench.scoring.table import ALL, CONSENSUS, DECIMALS, Key, Rows

#: Counts of a group of answers: metric -> which rows it counts.
COUNTS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "n_refused": lambda t: t["status"] == "refused",
    "n_error": lambda t: t["status"] == "error",
    "n_timeout": lambda t: t["status"] == "timeout",
    "n_no_choice": lambda t: (t["status"] == "answered") & ~t["scored"],
    "n_none_of_options": lambda t: t["parse_method"] == "none_of_options",
    "n_by_letter": lambda t: t["parse_method"] == "letter",
    "n_by_edit_distance": lambda t: t["parse_method"] == "edit_distance",
}


def _add_scores(out: Rows, sample: Sample) -> list[Figure]:
    """Rows of accuracies, similarities and scores; gives the scores by complete style."""
    kinds, suffix = sample.kinds, "_strict" if sample.strict else ""

    def metric_of(kind: str) -> str:
        return ("similarity" if kind == "free_form" else "accuracy") + suffix

    subtasks, styles = sample.subtasks, sample.cells("style")

    out.add_figure(Key(), "total" + suffix, sample.total, sample.counts())
    for kind in kinds:
        out.add_figure(Key(kind), "score" + suffix, sample.scores[kind], sample.counts_of(kind))
    for name, counts in sample.parts("subtask"):
        out.add_figure(Key(subtask=name), "score" + suffix, sample.across(name), counts)
    found = []
    for name, counts in sample.parts("style"):
        figure = complete([styles.get((k, name)) for k in kinds])
        out.add_figure(Key(style=name), "score" + suffix, figure, counts)
        found += present([figure])
    for kind in kinds:
        for name, counts in sample.parts("subtask", kind):
            out.add_figure(Key(kind, name), metric_of(kind), subtasks[kind, name], counts)
        for name, counts in sample.parts("style", kind):
            out.add_figure(Key(kind, style=name), metric_of(kind), styles[kind, name], counts)
    return found


def _add_sensitivities(out: Rows, sample: Sample, styles: list[Figure]) -> None:
    tf, mc = sample.scores.get("true_false"), sample.scores.get("multiple_choice")
    closed = [sample.counts_of(kind) for kind in ("true_false", "multiple_choice")]
    counts = (sum(n for n, _ in closed), sum(unscored for _, unscored in closed))
    if tf is not None and mc is not None:
        out.add(Key(), "sq", sq(tf.value, mc.value), sq_error(tf, mc), counts)
    else:
        out.add(Key(), "sq", None, None, counts)
    counts = sum(s.n for s in styles), sum(s.n_unscored for s in styles)
    enough = len(styles) > 1
    spread = sc([s.value for s in styles]) if enough else None
    out.add(Key(), "sc", spread, sc_error(styles) if enough else None, counts)
    out.add(Key(), "sc_noise", sc_noise(styles) if enough else None, None, counts)
    out.add(Key(), "sc_styles", float(len(styles)), None, counts)


def _add_counts(out: Rows, sample: Sample) -> None:
    table = sample.table
    for kind in (ALL, *sample.kinds):
        part = table if kind == ALL else table[table["question_type"] == kind]
        counts = sample.counts() if kind == ALL else sample.counts_of(kind)
        for metric, counted in COUNTS.items():
            out.add(Key(kind), metric, float(counted(part).sum()), None, counts)


def metric_rows(
    scores: pa.Table, dropped: Collection[str] = (), questions: pa.Table | None = None
) -> list[dict[str, object]]:
    """Rows of the metrics table from the scores table, in a fixed order.

    Pure float64 arithmetic over rows in an order of their own, so that neither shards nor the
    order of files change a digit. The figures of all questions come first, then, under
    ``questions`` = "consensus", the same without ``dropped``.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`.
    dropped
        Ids of the questions that the models' consensus drops, in whatever scenario.
    questions
        Rows of :data:`lvlmbench.tables.QUESTIONS`, of which only ``question_id`` and ``chance``
        are looked at; without them there are no rows ``chance`` and ``above_chance``.

    Raises
    ------
    UserError
        ``questions`` lack one that was scored.
    """
    everything: list[dict[str, object]] = []
    agreed: list[dict[str, object]] = []
    for model, scenarios in groups(prepared(scores, dropped, questions)):
        clean = scenarios.get(CLEAN)
        for scenario, asked in scenarios.items():
            base = None if scenario == CLEAN else clean
            rows = _rows(Rows(ALL, model, scenario), asked, asked, base)
            everything += rows
            if asked["kept"].all():
                agreed += [{**row, "questions": CONSENSUS} for row in rows]
            else:
                kept = asked[asked["kept"]].reset_index(drop=True)
                agreed += _rows(Rows(CONSENSUS, model, scenario), asked, kept, base)
    return everything + agreed


def _rows(
    out: Rows, asked: pd.DataFrame, table: pd.DataFrame, clean: pd.DataFrame | None
) -> list[dict[str, object]]:
    """Rows of one model in one scenario; ``clean`` are the answers to compare it with."""
    sample = Sample(asked, table)
    styles = _add_scores(out, sample)
    _add_scores(out, Sample(asked, table, strict=True))
    _add_sensitivities(out, sample, styles)
    _add_counts(out, sample)
    add_chance(out, sample)
    if out.scenario != CLEAN:
        add_levels(out, asked, table)
    if clean is not None:
        add_untouched(out, asked, table, clean)
        add_differences(out, paired(asked, clean), paired(table, clean))
    return out.rows


def totals(scores: pa.Table) -> dict[tuple[str, str], float | None]:
    """The metric ``total`` over all questions by (model, scenario), rounded as in the table."""
    found = {
        (model, scenario): Sample(asked, asked).total
        for model, scenarios in groups(prepared(scores))
        for scenario, asked in scenarios.items()
    }
    return {key: None if f is None else round(f.value, DECIMALS) for key, f in found.items()}
