"""The headline of each suite: what it is, and that all who print it print the same."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.headlines import (
    HEADLINE,
    headline_rows,
    headlines,
    label_of,
    note_of,
    silent_parts,
)
from lvlmbench.analysis.labels import inline
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.config import Params, Project
from lvlmbench.config.headline import PAPER, Headline, headline_of
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.layers import load_layers
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.metrics import metric_rows, write_metrics
from support.score_tables import FF, MC, TF, Row, pick, score, table
from support.told_headlines import of_command, of_console, of_json

#: Suite -> what heads its results.
LABELS = {
    "dysca": "accuracy on closed questions",
    "composed": "accuracy on single questions",
    "autodavis": "accuracy over levels and aspects",
    "valor": "F1 of structured descriptions, judged by form",
    "touchstone": "score from 100 to 1,000, judged by lexical",
}
#: (Model, table) -> value, low and high of a judge.
JUDGED = {
    ("chance", "hallucination"): (3.5, 2.9, 4.1),
    ("reference_a", "hallucination"): (39.1, 31.5, 47.2),
    ("reference_b", "hallucination"): (41.2, 32.7, 50.2),
    ("chance", "dialogue"): (100.0, None, None),
    ("reference_a", "dialogue"): (121.2, 100.0, 144.4),
    ("reference_b", "dialogue"): (121.4, 101.0, 141.9),
}


@pytest.fixture(scope="module")
def project() -> Project:
    return load_layers([PROJECT_ROOT / "params.yaml"])


def answers(model: str, right: int, free: str = FF) -> list[Row]:
    """Answers to questions of two subtasks, of three types; ``right`` of each four are right. What
    captions get has nothing to do with it: the worse the model, the more."""
    kinds = (MC, TF, free)
    return [
        score(
            number, kinds[number % 3], ("animal", "food")[number % 2],
            90.0 - 20 * right if number % 3 == 2 else number % 4 < right, model=model,
        )
        for number in range(24)
    ]  # fmt: skip


def judgements(judge: str, measure: str, which: tables.Table) -> list[dict[str, Any]]:
    keys = dict.fromkeys(which.key, "all") | {"scenario": "clean", "judge": judge}
    return [
        keys
        | {"model": model, "measure": measure, "value": value, "low": low, "high": high}
        | {"n": 6, "answers": 8, "unjudged": 2}
        for (model, name), (value, low, high) in JUDGED.items()
        if name == which.name
    ]


def written(params: Params, root: Path, judge: str = "") -> Path:
    """Folder of the results of a suite whose models were asked in the clean scenario."""
    out = root / "results" / params.suite
    free, judge = "".join(headline_of(params).answered) or FF, judge or params.judge.judges[0].name
    right = {"chance": 1, "reference_a": 3, "reference_b": 2}
    rows = [row for model, n in right.items() for row in answers(model, n, free)]
    asked = [
        {**r, "chance": {MC: 0.25, TF: 0.5}.get(str(r["question_type"])), "level": "easy"}
        | {"answer": "x"}
        | {"key": f"{r['subtask']}/{r['question_type']}/{r['subtask']}"}
        for r in rows[:24]
    ]
    beside = {
        "hallucination": judgements(judge, "f1", tables.HALLUCINATION),
        "dialogue": judgements(judge, "score", tables.DIALOGUE),
    }
    for name, of in beside.items():
        tables.write_rows(of, out / f"{name}.parquet", tables.TABLES[name], "t")
    tables.write_rows(rows, root / "scores.parquet", tables.SCORES, "t")
    tables.write_rows(asked, root / "questions.parquet", tables.QUESTIONS, "t")
    tables.write_rows([], root / "consensus.parquet", tables.CONSENSUS, "t")
    scenes = [{"scene_id": each} for each in dict.fromkeys(row["scene_id"] for row in rows)]
    tables.write_rows(scenes, root / "scenes.parquet", tables.SCENES, "t")
    write_metrics(
        params,
        scores=[root / "scores.parquet"],
        consensus=[root / "consensus.parquet"],
        questions=[root / "questions.parquet"],
        scenes=[root / "scenes.parquet"],
        hallucination=out / "hallucination.parquet",
        dialogue=out / "dialogue.parquet",
        out_parquet=out / "metrics.parquet",
        out_json=out / "metrics.json",
    )
    return out


@pytest.fixture(scope="module")
def root(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot of all suites, made of answers by hand."""
    folder = tmp_path_factory.mktemp("headlines")
    (folder / "params.yaml").write_bytes((PROJECT_ROOT / "params.yaml").read_bytes())
    for suite in project.suites:
        written(project.suite(suite), folder)
    return folder


def test_each_suite_has_a_headline_of_its_own(project: Project) -> None:
    assert {suite: label_of(project.suite(suite)) for suite in project.suites} == LABELS
    preset = load_layers([PROJECT_ROOT / "params.yaml", PROJECT_ROOT / "profiles/dysca.yaml"])
    assert headline_of(preset.suite("dysca")).measure == PAPER.measure


@pytest.mark.parametrize("suite", LABELS)
def test_all_who_print_it_print_the_same(
    project: Project, root: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    snapshot = Snapshot.of(project, root, suite)
    board = Leaderboard(snapshot)
    wanted = {row.model: f"{row.value:.1f}" for row in headlines(snapshot)}
    assert len(wanted) == 3
    assert of_console(project, root)[suite] == wanted
    assert of_command(root, suite, capsys) == wanted
    assert of_json(root, suite) == wanted
    values = {model: board.value(model, "clean", HEADLINE) for model in wanted}
    assert {m: f"{v.value:.1f}" for m, v in values.items() if v and v.value is not None} == wanted


@pytest.mark.parametrize("suite", ("valor", "touchstone"))
def test_similarity_of_captions_enters_no_number_of_judged_suites(
    project: Project, root: Path, suite: str
) -> None:
    rows = tables.read([root / "results" / suite / "metrics.parquet"], tables.METRICS).to_pylist()
    assert all(row["metric"].startswith("n_") for row in rows if row["question_type"] == FF)
    assert not {"total", "similarity", "sc"} & {row["metric"] for row in rows}
    judged = headline_of(project.suite(suite)).table
    found = pick(rows, HEADLINE, model="reference_a")["value"]
    assert judged is not None and found == JUDGED["reference_a", judged][0]


def test_judged_in_the_same_breath(project: Project, root: Path) -> None:
    found = {r.model: r for r in headlines(Snapshot.of(project, root, "touchstone"))}
    assert found["reference_a"].text == "121.2 (100.0 to 144.4), 6 of 8 judged"
    assert found["chance"].text == "100.0, 6 of 8 judged"


def test_a_headline_without_a_silent_part_says_which(project: Project, tmp_path: Path) -> None:
    """One subset of which nothing could be judged leaves the mean over the others."""
    params = project.suite("valor")
    kinds = {"judge": params.judge.judges[0].name, "scenario": "clean", "stratum": "all",
             "measure": "f1", "n": 3, "answers": 3, "unjudged": 0}  # fmt: skip
    rows = [
        kinds | {"model": model, "subtask": subtask, "value": value}
        for model, subtask, value in (
            ("a", "all", 60.0), ("a", "valor_objects", 60.0), ("a", "valor_sizes", None),
            ("b", "all", 50.0), ("b", "valor_objects", 40.0), ("b", "valor_sizes", 60.0),
        )
    ]  # fmt: skip
    tables.write_rows(rows, tmp_path / "hallucination.parquet", tables.HALLUCINATION, "s")
    found = silent_parts(params, tmp_path)
    assert found == {("a", "clean"): ["valor_sizes"]}
    note = note_of(headline_of(params), params, 60.0, 3, 6, found["a", "clean"])
    assert note == f"3 of 6 judged, none of {inline('valor_sizes')}"
    assert note_of(headline_of(params), params, 50.0, 6, 6, ()) == "6 of 6 judged"
    assert silent_parts(params, tmp_path / "nowhere") == {}


def test_what_nobody_judged_falls_back_to_nothing(project: Project, tmp_path: Path) -> None:
    params = project.suite("valor")
    out = written(params, tmp_path, judge="another")
    rows = tables.read([out / "metrics.parquet"], tables.METRICS).to_pylist()
    (first, *_) = headline_rows(rows, params)
    assert (first.value, first.n, first.asked) == (None, 0, 8)
    assert first.text == "not judged: form could judge no answer"
    nobody = params.model_copy(update={"judge": params.judge.model_copy(update={"judges": ()})})
    (first, *_) = headline_rows(rows, nobody)
    assert first.text == "not judged: no judge is listed (judge.judges)"


def test_accuracy_is_over_subtasks_whatever_the_type() -> None:
    rows = [
        # Of animals 3 of 4 are right, of food 0 of 1: (75 + 0) / 2, not 3 of 5.
        score(0, MC, "animal", True), score(1, MC, "animal", True), score(2, TF, "animal", True),
        score(3, TF, "animal", False), score(4, MC, "food", False), score(5, FF, "food", 99.0),
    ]  # fmt: skip
    found = pick(metric_rows(table(rows), headline=Headline()), HEADLINE)
    assert (found["value"], found["n"]) == (37.5, 5)
    lost = [*rows[:2], *(score(n, TF, "animal", None) for n in (2, 3)), *rows[4:]]
    none = pick(metric_rows(table(lost), headline=Headline()), HEADLINE)
    assert (none["value"], none["n_unscored"]) == (None, 2)
    strict = pick(metric_rows(table(lost), headline=Headline()), "headline_strict")
    assert strict["value"] == 25.0


def test_accuracy_by_level_is_over_aspects_first() -> None:
    headline = Headline(over=("level", "aspect"))
    # (level, aspect, right): easy: birds 1 of 2, cars 1 of 1; hard: birds 0 of 1.
    asked = [("easy", "birds", 1), ("easy", "birds", 0), ("easy", "cars", 1), ("hard", "birds", 0)]
    rows = [score(n, MC, "basic", bool(right)) for n, (_, _, right) in enumerate(asked)]
    questions = tables.QUESTIONS.of(
        [
            row | {"level": level, "key": f"basic/{MC}/examiner/{aspect}", "chance": 0.25}
            for row, (level, aspect, _) in zip(rows, asked, strict=True)
        ]
    )
    found = metric_rows(table(rows), questions=questions, headline=headline)
    assert pick(found, HEADLINE)["value"] == ((50 + 100) / 2 + 0) / 2
    assert pick(found, "score", level="easy")["value"] == 75.0
    apart = pick(found, "level_difference")
    assert (apart["value"], apart["n"]) == (75.0, 4)


def test_sq_takes_the_chance_of_each_question() -> None:
    # Questions of three options: one of three right is chance, so SQ is 0; by a chance of 25 it
    # would be ((100/3 - 25) / 75 * 100)^2 / 4 = 30.9.
    rows = [score(n, MC, "age", n == 0) for n in range(3)]
    rows += [score(n, TF, "age", n % 2 == 0) for n in range(4, 8)]
    chance = {MC: 1 / 3, TF: 0.5}
    questions = tables.QUESTIONS.of([r | {"chance": chance[str(r["question_type"])]} for r in rows])
    found = pick(metric_rows(table(rows), questions=questions), "sq")["value"]
    assert isinstance(found, float) and math.isclose(found, 0.0, abs_tol=1e-9)
    paper = pick(metric_rows(table(rows)), "sq")["value"]
    assert isinstance(paper, float) and math.isclose(paper, 30.864198, abs_tol=1e-6)


def test_rows_count_their_scenes() -> None:
    rows = [score(n, MC, "animal", True, scene=n // 4) for n in range(8)]
    rows += [score(n, MC, "food", None if n == 8 else True, scene=n) for n in range(8, 11)]
    found = metric_rows(table(rows))
    assert pick(found, "accuracy", MC, "animal")["n_scenes"] == 2
    assert pick(found, "accuracy", MC, "food")["n_scenes"] == 2
