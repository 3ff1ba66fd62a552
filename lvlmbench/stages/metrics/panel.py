"""Answers of all models in a scenario side by side: a row a question and image, a column a model.

Ids are sorted, so that neither shards nor the order of files change a digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.stages.metrics.frame import aspects
from lvlmbench.stats.pool import F64
from lvlmbench.tables import clusters_of, judged

#: What of the scores table is looked at.
COLUMNS = [
    "model", "scenario", "question_id", "image_id", "scene_id", "subtask", "question_type",
    "correct", "similarity", "scored",
]  # fmt: skip
_ITEM = ("question_id", "scene_id", "subtask", "question_type")


@dataclass(frozen=True)
class Panel:
    """One scenario.

    Attributes
    ----------
    items
        Columns ``question_type``, ``subtask``, ``level`` and ``aspect`` (categories), and ``scene``
        and ``cluster`` (numbers).
    question
        Ids of the questions, by row.
    values
        By model and row: score in percent, NaN where unscored or not asked.
    asked
        By model and row: whether it was asked.
    """

    items: pd.DataFrame
    question: pa.Array
    values: dict[str, F64]
    asked: dict[str, npt.NDArray[np.bool_]]

    def values_of(self, model: str, question: pa.Array) -> F64:
        """A model's value at each of these questions, NaN where there is none; of several images
        of a question one counts."""
        at = pc.index_in(question, value_set=self.question).fill_null(-1).to_numpy()
        return np.where(at < 0, np.nan, self.values[model][at])


@dataclass
class _Growing:
    """A panel whose rows stand in the order in which they came."""

    keys: pa.Array = field(default_factory=lambda: pa.array([], pa.string()))
    items: list[pa.Table] = field(default_factory=list)
    answers: dict[str, list[tuple[npt.NDArray[np.int64], F64]]] = field(default_factory=dict)

    def add(self, model: str, scores: pa.Table) -> None:
        image = pc.fill_null(scores["image_id"], "")
        keys = pc.binary_join_element_wise(scores["question_id"], image, "/").combine_chunks()
        fresh = pc.is_null(pc.index_in(keys, value_set=self.keys))
        if pc.any(fresh).as_py():
            self.keys = pa.concat_arrays([self.keys, keys.filter(fresh)])
            self.items.append(scores.select(_ITEM).filter(fresh))
        at = pc.index_in(keys, value_set=self.keys).to_numpy().astype(np.int64)
        self.answers.setdefault(model, []).append((at, _values(scores)))

    def panel(self, scenes: pa.Table | None, about: pa.Table | None) -> Panel:
        order = pc.sort_indices(self.keys).to_numpy()
        items = pa.concat_tables(self.items).take(order)
        scene = items["scene_id"].combine_chunks()
        columns: dict[str, object] = {
            name: pd.Categorical(items[name].to_pylist()) for name in ("question_type", "subtask")
        }
        columns |= _belonging(items["question_id"].combine_chunks(), about)
        for name, ids in (("scene", scene), ("cluster", clusters_of(scene, scenes))):
            known = pc.unique(ids)
            known = known.take(pc.sort_indices(known))
            columns[name] = pc.index_in(ids, value_set=known).to_numpy().astype(np.int64)
        values, asked = {}, {}
        for model in sorted(self.answers):
            value, was = np.full(len(order), np.nan), np.zeros(len(order), dtype=bool)
            for at, found in self.answers[model]:
                value[at], was[at] = found, True
            values[model], asked[model] = value[order], was[order]
        question = items["question_id"].combine_chunks()
        return Panel(pd.DataFrame(columns), question, values, asked)


def _belonging(ids: pa.Array, about: pa.Table | None) -> dict[str, object]:
    """Level and aspect of questions, as :func:`.frame.prepared` has them."""
    if about is None:
        return dict.fromkeys(("level", "aspect"), pd.Categorical([None] * len(ids)))
    at = pc.index_in(ids, value_set=about["question_id"].combine_chunks())
    level, key = (about[name].combine_chunks().take(at) for name in ("level", "key"))
    return {
        "level": pd.Categorical(level.to_pylist()),
        "aspect": pd.Categorical(aspects(key).to_pylist()),
    }


def panels(
    scores: Iterable[pa.Table], scenes: pa.Table | None = None, about: pa.Table | None = None
) -> dict[str, Panel]:
    """Return the panel of each scenario, from tables of scores with at least :data:`COLUMNS`.

    Each table is let go of before the next is taken.

    Parameters
    ----------
    scenes
        Which scenes hang together (:func:`lvlmbench.tables.clusters_of`).
    about
        Ids, levels and keys of questions.
    """
    growing: dict[str, _Growing] = {}
    for table in scores:
        for scenario in table["scenario"].unique().to_pylist():
            part = table.filter(pc.field("scenario") == scenario)
            for model in part["model"].unique().to_pylist():
                mine = part.filter(pc.field("model") == model)
                growing.setdefault(scenario, _Growing()).add(model, mine)
    return {scenario: found.panel(scenes, about) for scenario, found in growing.items()}


def _values(scores: pa.Table) -> F64:
    """Scores in percent, NaN where unscored."""
    correct = scores["correct"].cast(pa.int8()).cast(pa.float64()).to_numpy()
    right = judged(scores["question_type"]).to_numpy()
    value = np.where(right, 100.0 * correct, scores["similarity"].to_numpy())
    return np.where(np.asarray(scores["scored"].to_numpy(), dtype=bool), value, np.nan)
