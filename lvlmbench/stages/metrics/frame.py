"""The scores table in the form that figures are computed from.

Ids are numbered in the order of the ids themselves and rows sorted by them, so that neither
shards nor the order of files change a digit of what is summed up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of
from lvlmbench.tables import QUESTIONS, clusters_of, judged

#: What is looked at of questions.
ABOUT = ("question_id", "chance", "level", "pair", "base", "examiner", "key")


def scenario_order() -> tuple[str, ...]:
    """Return the order of scenarios in tables; others follow by name."""
    return (CLEAN, *(item["name"] for item in kinds_of("scenarios").defaults()))


_LABELS = ("question_type", "subtask", "style", "perturbation", "status", "parse_method")


def canonical(order: Iterable[str], name: str) -> tuple[int, str]:
    """Sorting key: names of ``order`` first, as they stand there, then the others by name."""
    names = list(order)
    return (names.index(name) if name in names else len(names), name)


def prepared(
    scores: pa.Table,
    dropped: Collection[str] = (),
    questions: pa.Table | None = None,
    own: Mapping[str, Collection[str]] = MappingProxyType({}),
    scenes: pa.Table | None = None,
) -> pd.DataFrame:
    """One row an answer, sorted by model, scenario, question and image.

    Columns
    -------
    model, scenario, question_type, subtask, style, perturbation, status, parse_method
        Categories; missing where the table has a null.
    question, scene
        Numbers of the ids.
    cluster
        Number of the cluster of the scene (:func:`lvlmbench.tables.clusters_of`).
    pair
        Number of what a question shares with that about the twin, -1 where it has none.
    base
        Number of the scene that its scene shows again in another style, -1 where there is none.
    level, aspect, severity
        Categories, missing where there are none: an aspect is what a key names last, severities
        are digits as text.
    scored, value
        Whether the answer counts, and its score in percent, NaN where it does not.
    refused, truncated, failed
        Whether it is a refusal, the server's or in words; whether it was cut off before a choice
        could be read from it; whether its request failed or timed out.
    kept
        Whether the models' consensus keeps the question.
    chance
        Accuracy of guessing in percent, NaN for free-form questions and without ``questions``.
    own
        Whether an examiner of the model's own family asked it, by ``own``: model -> examiners.

    Raises
    ------
    UserError
        ``questions`` lack one that was scored.
    """
    question, question_ids = _numbered(scores["question_id"])
    columns: dict[str, object] = {"question": question}
    about = _about(question_ids, questions)
    columns |= _belonging(scores, about, question, scenes)
    columns["own"] = _own(scores, about["examiner"].take(pa.array(question)), own)
    for name in ("model", "scenario", *_LABELS):
        columns[name] = _categories(scores[name])
    columns["severity"] = _categories(scores["severity"].cast(pa.string()))
    scored = np.asarray(scores["scored"].to_numpy(), dtype=bool)
    correct = 100.0 * scores["correct"].cast(pa.int8()).cast(pa.float64()).to_numpy()
    right = judged(scores["question_type"]).to_numpy()
    value = np.where(right, correct, scores["similarity"].to_numpy())
    columns["scored"], columns["value"] = scored, np.where(scored, value, np.nan)
    columns |= _outcomes(scores, scored)
    gone = pa.array(sorted(dropped), pa.string())
    columns["kept"] = ~pc.is_in(question_ids, value_set=gone).to_numpy(zero_copy_only=False)[
        question
    ]
    return _sorted(scores, columns)


def _sorted(scores: pa.Table, columns: dict[str, object]) -> pd.DataFrame:
    """Rows by model, scenario, question and image."""
    frame = pd.DataFrame(columns)
    codes = [frame[name].cat.codes for name in ("scenario", "model")]
    order = np.lexsort((_numbered(scores["image_id"])[0], frame["question"], *codes))
    return frame.iloc[order].reset_index(drop=True)


def _belonging(
    scores: pa.Table,
    about: dict[str, pa.Array],
    question: npt.NDArray[np.int64],
    scenes: pa.Table | None,
) -> dict[str, object]:
    """What answers hang together by, their levels, and what guessing gets."""
    of = {n: about[n].take(pa.array(question)) for n in ("pair", "base", "level")}
    chance = np.asarray(about["chance"].to_numpy(zero_copy_only=False), dtype=np.float64)
    cluster = clusters_of(scores["scene_id"], scenes)
    return {
        "scene": _numbered(scores["scene_id"])[0],
        "cluster": _numbered(pa.chunked_array([cluster]))[0],
        "base": _numbered(pa.chunked_array([of["base"]]))[0],
        "pair": _numbered(pa.chunked_array([of["pair"]]))[0],
        "level": _categories(pa.chunked_array([of["level"]])),
        "aspect": _categories(pa.chunked_array([aspects(about["key"]).take(pa.array(question))])),
        "chance": 100.0 * chance[question],
    }


def aspects(keys: pa.Array) -> pa.Array:
    """What each key names last, behind subtask and question type; null where it names no more."""
    found = pc.extract_regex(keys, "^[^/]+/[^/]+(?:/.*)?/(?P<aspect>[^/]+)$")
    return pc.if_else(pc.is_valid(found), pc.struct_field(found, "aspect"), None)


def groups(frame: pd.DataFrame) -> Iterator[tuple[str, dict[str, pd.DataFrame]]]:
    """(model, its answers by scenario), models by name, scenarios in canonical order."""
    found: dict[str, dict[str, pd.DataFrame]] = {}
    for (model, scenario), part in frame.groupby(["model", "scenario"], sort=True, observed=True):
        found.setdefault(str(model), {})[str(scenario)] = part.reset_index(drop=True)
    for model, parts in found.items():
        order = scenario_order()
        names = sorted(parts, key=lambda name: canonical(order, name))
        yield model, {name: parts[name] for name in names}


def _numbered(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], pa.Array]:
    """(number of each value, the values sorted); a null has the number -1."""
    encoded = pa.chunked_array(column.chunks, column.type).combine_chunks().dictionary_encode()
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(order)), -1
    indices = encoded.indices.fill_null(len(order)).to_numpy()
    return rank[indices], encoded.dictionary.take(pa.array(order))


def _categories(column: pa.ChunkedArray) -> pd.Categorical:
    codes, names = _numbered(column)
    return pd.Categorical.from_codes(codes, categories=names.to_pylist())


def _outcomes(scores: pa.Table, scored: npt.NDArray[np.bool_]) -> dict[str, object]:
    """What became of answers that do not count, or may not."""
    refused = _is(scores, "status", "refused") | _is(scores, "parse_method", "refusal")
    cut = _is(scores, "status", "truncated")
    failed = _is(scores, "status", "error") | _is(scores, "status", "timeout")
    return {"refused": refused, "truncated": cut & ~scored & ~refused, "failed": failed}


def _is(scores: pa.Table, column: str, value: str) -> npt.NDArray[np.bool_]:
    found = pc.fill_null(pc.equal(scores[column], value), False)
    return np.asarray(found.to_numpy(), dtype=bool)


def _own(
    scores: pa.Table, examiner: pa.Array, own: Mapping[str, Collection[str]]
) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(scores), dtype=bool)
    for model, names in own.items():
        by_it = pc.equal(scores["model"], model).to_numpy()
        of_it = pc.is_in(examiner, value_set=pa.array([*names], pa.string()))
        found |= by_it & of_it.to_numpy(zero_copy_only=False)
    return found


def _about(ids: pa.Array, questions: pa.Table | None) -> dict[str, pa.Array]:
    """What is known of each question: its accuracy of guessing, its level, its pair."""
    types = {name: QUESTIONS.field(name).type for name in ABOUT if name != "question_id"}
    if questions is None:
        return {name: pa.nulls(len(ids), kind) for name, kind in types.items()}
    at = pc.index_in(ids, value_set=questions["question_id"].combine_chunks())
    if at.null_count:
        missing = ids.filter(pc.is_null(at))[0].as_py()
        raise UserError(
            "--scores",
            f"hold question {missing}, which --questions do not",
            "give all shards of the questions that were asked",
        )
    return {
        name: questions[name].combine_chunks().take(at)
        if name in questions.column_names
        else pa.nulls(len(ids), kind)
        for name, kind in types.items()
    }
