"""From scores to the metrics table (Dysca, section 3.4). docs/metrics.md defines each metric."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa

from lvlmbench.config.subtasks import QUESTION_TYPES, SUBTASKS
from lvlmbench.scoring.estimate import Figure, average, mean_figure
from lvlmbench.scoring.sensitivity import sc, sc_error, sc_noise, sq, sq_error

DECIMALS = 6
ALL = "all"
#: In the column ``questions``: without those that the models' consensus drops.
CONSENSUS = "consensus"
#: Order of scenarios in tables; others follow by name.
SCENARIOS = ("clean", "corruption", "print_attack", "adversarial", "blind")

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


@dataclass
class _Rows:
    """Collects rows of one model in one scenario, over one set of questions."""

    questions: str
    model: str
    scenario: str
    rows: list[dict[str, object]] = field(default_factory=list)

    def add(
        self,
        key: tuple[str, str, str],
        metric: str,
        value: float | None,
        error: tuple[float | None, float | None, float | None] | None,
        n: int,
        n_unscored: int,
    ) -> None:
        """A row; ``key`` is (question type, subtask, style), ``error`` (stderr, low, high)."""
        stderr, low, high = error or (None, None, None)
        numbers = {"value": value, "stderr": stderr, "low": low, "high": high}
        self.rows.append(
            {
                "questions": self.questions,
                "model": self.model,
                "scenario": self.scenario,
                "question_type": key[0],
                "subtask": key[1],
                "style": key[2],
                "perturbation": ALL,
                "severity": ALL,
                "metric": metric,
                **{k: None if v is None else round(v, DECIMALS) for k, v in numbers.items()},
                "n": n,
                "n_unscored": n_unscored,
            }
        )

    def add_figure(
        self, key: tuple[str, str, str], metric: str, figure: Figure | None, counts: tuple[int, int]
    ) -> None:
        """A row of a figure; where there is none (nothing scored) the value is null."""
        error = None if figure is None else (figure.stderr, *figure.interval())
        self.add(key, metric, None if figure is None else figure.value, error, *counts)


class _Sample:
    """Answers of one model in one scenario, and the figures over parts of them.

    ``strict`` takes an answer that could not be scored for a wrong one. ``asked`` are all answers
    of the model in the scenario, ``table`` those of the set of questions that is looked at: what
    the set lacks has a figure that is missing, not a row that is.
    """

    def __init__(self, asked: pd.DataFrame, table: pd.DataFrame, strict: bool) -> None:
        self.asked, self.table, self.strict = asked, table, strict
        self.kinds = [k for k in QUESTION_TYPES if (asked["question_type"] == k).any()]
        value = 100.0 * table["correct"].astype("float64")
        value = value.where(table["question_type"] != "free_form", table["similarity"])
        value = value.where(table["scored"])
        self.value = (value.fillna(0.0) if strict else value).to_numpy(dtype=np.float64)
        self.scene = pd.factorize(table["scene_id"], sort=True)[0]
        self.n_scenes = int(self.scene.max()) + 1 if len(table) else 0
        self.centers = {
            kind: float(np.nanmean(self.value[rows]))
            if np.isfinite(self.value[rows]).any()
            else 0.0
            for kind, rows in table.groupby("question_type", sort=True).indices.items()
        }

    def cell(self, rows: np.ndarray, kind: str) -> Figure | None:
        """Mean over the rows (positions) of one question type."""
        usable = rows[np.isfinite(self.value[rows])]
        unscored = int((~self.table["scored"].to_numpy()[rows]).sum())
        return mean_figure(
            self.value[usable], self.scene[usable], self.n_scenes, unscored, self.centers[kind]
        )

    def cells(self, column: str) -> dict[tuple[str, str], Figure | None]:
        """Means by (question type, value of ``column``), in canonical order."""
        asked = set(zip(self.asked["question_type"], self.asked[column], strict=True))
        groups = self.table.groupby(["question_type", column], sort=True).indices
        keys = sorted(asked, key=lambda k: (_order(QUESTION_TYPES, k[0]), _order(SUBTASKS, k[1])))
        return {key: self.cell(groups[key], key[0]) if key in groups else None for key in keys}

    def parts(self, column: str, kind: str = ALL) -> list[tuple[str, pd.DataFrame]]:
        """(value of ``column``, its answers), in canonical order, of a question type or of all."""
        asked, table = (
            t if kind == ALL else t[t["question_type"] == kind] for t in (self.asked, self.table)
        )
        groups = {str(name): part for name, part in table.groupby(column, sort=True)}
        names = sorted(set(asked[column]), key=lambda n: _order(SUBTASKS, n))
        return [(name, groups.get(name, table.iloc[:0])) for name in names]

    @cached_property
    def subtasks(self) -> dict[tuple[str, str], Figure | None]:
        """Means by (question type, subtask asked about)."""
        return self.cells("subtask")

    @cached_property
    def scores(self) -> dict[str, Figure | None]:
        """Score of each question type: the mean over its subtasks."""
        found = self.subtasks.items()
        return {k: average(_present(f for (t, _), f in found if t == k)) for k in self.kinds}

    @cached_property
    def total(self) -> Figure | None:
        """Mean over the question types."""
        return _complete(self.scores.values())


def _order(canonical: Iterable[str], name: str) -> tuple[int, str]:
    names = list(canonical)
    return (names.index(name) if name in names else len(names), name)


def _present(figures: Iterable[Figure | None]) -> list[Figure]:
    return [f for f in figures if f is not None]


def _complete(figures: Iterable[Figure | None]) -> Figure | None:
    """Mean, but only if every part has a value: a total without one of its question types would
    be on another scale."""
    parts = list(figures)
    found = _present(parts)
    return average(found) if len(found) == len(parts) else None


def _add_scores(out: _Rows, sample: _Sample) -> list[Figure]:
    """Rows of accuracies, similarities and scores; gives the scores by complete style."""
    table, kinds, suffix = sample.table, sample.kinds, "_strict" if sample.strict else ""

    def counts(part: pd.DataFrame) -> tuple[int, int]:
        scored = int(part["scored"].sum())
        return (len(part) if sample.strict else scored), len(part) - scored

    def metric_of(kind: str) -> str:
        return ("similarity" if kind == "free_form" else "accuracy") + suffix

    by_kind = {k: table[table["question_type"] == k] for k in kinds}
    subtasks, styles = sample.subtasks, sample.cells("style")

    out.add_figure((ALL, ALL, ALL), "total" + suffix, sample.total, counts(table))
    for kind in kinds:
        figure = sample.scores[kind]
        out.add_figure((kind, ALL, ALL), "score" + suffix, figure, counts(by_kind[kind]))
    for name, part in sample.parts("subtask"):
        figure = _complete([subtasks[k, name] for k in kinds if (k, name) in subtasks])
        out.add_figure((ALL, name, ALL), "score" + suffix, figure, counts(part))
    complete = []
    for name, part in sample.parts("style"):
        figure = _complete([styles.get((k, name)) for k in kinds])
        out.add_figure((ALL, ALL, name), "score" + suffix, figure, counts(part))
        complete += _present([figure])
    for kind in kinds:
        for name, part in sample.parts("subtask", kind):
            key = (kind, name, ALL)
            out.add_figure(key, metric_of(kind), subtasks[kind, name], counts(part))
        for name, part in sample.parts("style", kind):
            out.add_figure((kind, ALL, name), metric_of(kind), styles[kind, name], counts(part))
    return complete


def _add_sensitivities(out: _Rows, sample: _Sample, styles: list[Figure]) -> None:
    key, table = (ALL, ALL, ALL), sample.table
    tf, mc = sample.scores.get("true_false"), sample.scores.get("multiple_choice")
    closed = table[table["question_type"].isin(["true_false", "multiple_choice"])]
    scored = int(closed["scored"].sum())
    if tf is not None and mc is not None:
        value, error = sq(tf.value, mc.value), sq_error(tf, mc)
        out.add(key, "sq", value, error, scored, len(closed) - scored)
    else:
        out.add(key, "sq", None, None, scored, len(closed) - scored)
    n, n_unscored = sum(s.n for s in styles), sum(s.n_unscored for s in styles)
    enough = len(styles) > 1
    spread = sc([s.value for s in styles]) if enough else None
    out.add(key, "sc", spread, sc_error(styles) if enough else None, n, n_unscored)
    out.add(key, "sc_noise", sc_noise(styles) if enough else None, None, n, n_unscored)
    out.add(key, "sc_styles", float(len(styles)), None, n, n_unscored)


def _add_counts(out: _Rows, sample: _Sample) -> None:
    table = sample.table
    parts = [(ALL, table), *((k, table[table["question_type"] == k]) for k in sample.kinds)]
    for kind, part in parts:
        scored = int(part["scored"].sum())
        for metric, counted in COUNTS.items():
            value = float(counted(part).sum())
            out.add((kind, ALL, ALL), metric, value, None, scored, len(part) - scored)


def _groups(scores: pa.Table) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """(model, scenario, its scores by question), in the order of the metrics table."""
    everything = scores.to_pandas().sort_values("question_id", kind="stable")
    groups = dict(iter(everything.groupby(["model", "scenario"], sort=True)))
    for model, scenario in sorted(groups, key=lambda k: (k[0], _order(SCENARIOS, k[1]))):
        yield model, scenario, groups[model, scenario].reset_index(drop=True)


def metric_rows(scores: pa.Table, dropped: Collection[str] = ()) -> list[dict[str, object]]:
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
    """
    everything: list[dict[str, object]] = []
    agreed: list[dict[str, object]] = []
    gone = frozenset(dropped)
    for model, scenario, asked in _groups(scores):
        rows = _rows(ALL, model, scenario, asked, asked)
        everything += rows
        table = asked[~asked["question_id"].isin(gone)].reset_index(drop=True)
        if len(table) < len(asked):
            agreed += _rows(CONSENSUS, model, scenario, asked, table)
        else:
            agreed += [{**row, "questions": CONSENSUS} for row in rows]
    return everything + agreed


def _rows(
    questions: str, model: str, scenario: str, asked: pd.DataFrame, table: pd.DataFrame
) -> list[dict[str, object]]:
    out, sample = _Rows(questions, model, scenario), _Sample(asked, table, strict=False)
    styles = _add_scores(out, sample)
    _add_scores(out, _Sample(asked, table, strict=True))
    _add_sensitivities(out, sample, styles)
    _add_counts(out, sample)
    return out.rows


def totals(scores: pa.Table) -> dict[tuple[str, str], float | None]:
    """The metric ``total`` over all questions by (model, scenario), rounded as in the table."""
    found = {(m, s): _Sample(asked, asked, strict=False).total for m, s, asked in _groups(scores)}
    return {key: None if f is None else round(f.value, DECIMALS) for key, f in found.items()}


def nested(rows: Iterable[dict[str, object]]) -> dict[str, object]:
    """The same figures for people and for ``dvc metrics``: model, scenario, then ``overall``,
    ``question_types``, ``subtasks`` and ``styles``, each with its metrics, and the same once more
    under ``consensus``."""
    tree: dict[str, object] = {}
    leaf = ("value", "stderr", "low", "high", "n", "n_unscored")
    for row in rows:
        place = [str(row["model"]), str(row["scenario"])]
        place += [CONSENSUS] if row["questions"] == CONSENSUS else []
        kind, subtask, style = (str(row[k]) for k in ("question_type", "subtask", "style"))
        place += ["question_types", kind] if kind != ALL else []
        place += ["subtasks", subtask] if subtask != ALL else []
        place += ["styles", style] if style != ALL else []
        place += ["overall"] if (kind, subtask, style) == (ALL, ALL, ALL) else []
        node = tree
        for name in place:
            child = node.setdefault(name, {})
            assert isinstance(child, dict)
            node = child
        node[str(row["metric"])] = {k: row[k] for k in leaf}
    return tree
