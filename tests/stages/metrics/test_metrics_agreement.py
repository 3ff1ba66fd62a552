"""From scores to the table agreement; accuracies without what a model's own family asked."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.agreement import agreement_rows, write_agreement
from lvlmbench.stages.metrics.independent import own_examiners
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.suites.autodavis.examiner import EXAMINERS
from support.score_tables import MC, Row, pick, score, table

REQUESTS = ("spatial_understanding", "basic_understanding")
EXAMINERS_ASKING = ("one", "two", "three")
#: Model -> how often it is right, by chance.
MODELS = {"good": 0.8, "fair": 0.6, "poor": 0.3}


def _questions(n: int) -> list[Row]:
    """Questions of four aspects and three levels of each request, by examiners in turn."""
    return [
        {
            "question_id": f"{at:04d}", "scene_id": f"s{at}", "subtask": REQUESTS[at % 2],
            "key": f"{REQUESTS[at % 2]}/{MC}/{EXAMINERS_ASKING[at % 3]}/aspect{at // 6 % 4}",
            "question_type": MC, "question": "Which?", "answer": "a", "options": [*"abcd"],
            "answer_index": 0, "chance": 0.25, "level": ("easy", "medium", "hard")[at // 2 % 3],
            "examiner": EXAMINERS_ASKING[at % 3],
        }
        for at in range(n)
    ]  # fmt: skip


def _scores(questions: list[Row], **more: float) -> list[Row]:
    random = generator(4, "test", "agreement")
    return [
        score(at, MC, str(asked["subtask"]), bool(random.random() < share), model=model)
        for model, share in {**MODELS, **more}.items()
        for at, asked in enumerate(questions)
    ]


def _rows(questions: list[Row], scores: list[Row], **own: list[str]) -> list[dict[str, Any]]:
    about = tables.QUESTIONS.of(questions)
    return [*agreement_rows(table(scores), about, 1, {"guesser"}, own)]


def test_rows_are_complete_and_fit_the_table() -> None:
    questions = _questions(144)
    found = _rows(questions, _scores(questions, guesser=0.25), good=["two"])
    made = tables.AGREEMENT.of(found)
    assert made.schema == tables.AGREEMENT.schema
    keys = [tuple(row[name] for name in tables.AGREEMENT.key) for row in found]
    assert len({*keys}) == len(keys)
    figures = {row["figure"] for row in found}
    assert {"accuracy", "spearman", "kendall", "shift", "influence", "icc"} <= figures
    conditions = {(row["condition"], row["examiner"]) for row in found}
    assert len(conditions) == 1 + 2 * len(EXAMINERS_ASKING)
    assert {row["model"] for row in found} == {*MODELS, "all"}
    (preferred,) = (row for row in found if row["figure"] == "self_preference")
    assert (preferred["model"], preferred["examiner"]) == ("good", "two")


def test_accuracies_are_shares_of_scored_answers() -> None:
    questions = _questions(144)
    scores = _scores(questions)
    scores[0] = score(0, MC, REQUESTS[0], None, model="good", status="refused")
    found = {
        (r["condition"], r["examiner"], r["model"]): r
        for r in _rows(questions, scores)
        if r["figure"] == "accuracy"
    }
    mine = [(s, q["examiner"]) for s, q in zip(scores, questions, strict=False)]  # of the first
    by = {name: [s for s, who in mine if who == name and s["scored"]] for name in EXAMINERS_ASKING}
    shares = {n: 100 * sum(bool(s["correct"]) for s in each) / len(each) for n, each in by.items()}
    for name in EXAMINERS_ASKING:
        row = found["single", name, "good"]
        assert row["value"] == pytest.approx(shares[name], abs=1e-6)
        assert row["n"] == len(by[name]) and row["low"] < row["value"] < row["high"]
        others = [shares[each] for each in EXAMINERS_ASKING if each != name]
        assert found["without", name, "good"]["value"] == pytest.approx(sum(others) / 2, abs=1e-6)
    assert found["baseline", "all", "good"]["n"] == 143


def test_order_of_rows_changes_no_digit() -> None:
    questions = _questions(72)
    scores = _scores(questions)
    assert _rows(questions[::-1], scores[::-1]) == _rows(questions, scores)


def test_who_was_not_asked_by_all_is_left_out() -> None:
    questions = _questions(72)
    scores = _scores(questions)
    scores = [s for at, s in enumerate(scores) if s["model"] != "poor" or at % 3]
    assert {row["model"] for row in _rows(questions, scores)} == {"good", "fair", "all"}
    one = [{**q, "examiner": "one"} for q in questions]
    assert _rows(one, scores) == []
    assert _rows([{**q, "examiner": None} for q in questions], scores) == []


def _params(*examiners: str, **families: str) -> Params:
    models = [{"name": n, "engine": "chance"} | ({"family": f} if f else {}) for n, f in families.items()]  # fmt: skip  # noqa: E501
    corpus = {"subtasks": ["spatial_understanding"], "scenes_per_subtask": 72,
              "autodavis": {"examiners": [*examiners]}}  # fmt: skip
    return validate(
        {"suite": "autodavis", "kind": "autodavis", "corpus": corpus, "answer": {"models": models}}
    )


def test_the_table_is_empty_where_one_examiner_asks(tmp_path: Path) -> None:
    questions = [{**q, "examiner": "rules"} for q in _questions(24)]
    paths = {}
    for name, schema, rows in (
        ("questions", tables.QUESTIONS, questions), ("scores", tables.SCORES, _scores(questions)),
        ("consensus", tables.CONSENSUS, []),
    ):  # fmt: skip
        paths[name] = [tmp_path / f"{name}.parquet"]
        tables.write_rows(rows, paths[name][0], schema, "0" * 16)
    out = tmp_path / "agreement.parquet"
    write_agreement(_params("rules", m=""), **paths, out=out)
    assert len(tables.read([out], tables.AGREEMENT)) == 0


def test_families_of_models_and_examiners_are_held_against_each_other() -> None:
    made = {
        name: EXAMINERS.of(name, object, family=lambda params, f=family: f)
        for name, family in (("one", "gpt"), ("two", "qwen"), ("three", None))
    }
    with EXAMINERS.temporarily(made):
        params = _params("one", "two", "three", a="gpt", b="", c="llama", d="qwen")
        assert own_examiners(params) == {"a": ("one",), "d": ("two",)}
    assert own_examiners(_params("rules", a="gpt")) == {}


def _metrics(scores: list[Row], questions: list[Row], **own: list[str]) -> list[Row]:
    return metric_rows(table(scores), (), tables.QUESTIONS.of(questions), resamples=100, own=own)


def _independent(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["metric"] == "accuracy_independent"]


@pytest.mark.parametrize("own", [["one"], ["two"], ["one", "three"]])
def test_no_question_of_ones_own_family_is_ever_counted(own: list[str]) -> None:
    """Whatever is answered to them no figure changes; counts are those of all other questions."""
    questions = _questions(144)
    scores = _scores(questions)
    found = _independent(_metrics(scores, questions, good=own))
    assert {row["model"] for row in found} == {"good"}
    mine = [{**s} for s in scores]
    for s, q in zip(mine, itertools.cycle(questions)):
        if q["examiner"] in own:
            s["correct"] = not s["correct"]
    assert _independent(_metrics(mine, questions, good=own)) == found
    others = [q for q in questions if q["examiner"] not in own]
    for row in found:
        asked = [q for q in others if row["subtask"] in ("all", q["subtask"])
                 and row["level"] in ("all", q["level"])]  # fmt: skip
        assert row["n"] == len(asked)
    kept = {q["question_id"] for q in others}
    alone = _metrics([s for s in scores if s["question_id"] in kept], others)
    for row in found:
        subtask, level = str(row["subtask"]), str(row["level"])
        plain = "score" if subtask == level == "all" else "accuracy"
        same = pick(alone, plain, str(row["question_type"]), subtask, model="good", level=level)
        assert (row["value"], row["n"]) == (same["value"], same["n"])


def test_plain_accuracy_stands_beside_it_and_nothing_where_it_does_not_differ() -> None:
    questions = _questions(144)
    scores = _scores(questions)
    plain, with_own = _metrics(scores, questions), _metrics(scores, questions, good=["one"])
    assert [row for row in with_own if row["metric"] != "accuracy_independent"] == plain
    assert _independent(plain) == []
    everything = sorted({str(q["examiner"]) for q in questions})
    assert _metrics(scores, questions, good=everything) == plain  # nothing is independent
    unasked = _metrics(scores, questions, good=["four"])
    assert unasked == plain
    assert pa.Table.from_pylist(with_own, tables.METRICS.schema)
