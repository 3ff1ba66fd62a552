"""``lvlmbench scores``, and the example with pandas in the documentation."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.commands.constants import CONSTANT_COLUMNS
from lvlmbench.commands.main import main
from lvlmbench.commands.scores import CONSENSUS_NOTE, ONE_SCENE_NOTE, note, select_measures
from lvlmbench.core.errors import UserError
from lvlmbench.stages.metrics.metrics import metric_rows
from support.answer_tables import params
from support.documents.reading import blocks
from support.documents.reading import commands as typed
from support.score_tables import FF, MC, TF, Row, pick, score, table

DROPPED = "0001"


def answers(model: str, shift: int) -> list[Row]:
    """Two subtasks, two scenarios; food is asked about in one scene alone."""
    rows = []
    for scenario, done in (("clean", None), ("corruption", "gaussian_noise")):
        for n in range(12):
            kind = (MC, TF, FF)[n % 3]
            value = 10.0 * n if kind == FF else (n + shift) % 4 > 0
            about = {"style": ("oil", "ink")[n % 2], "scenario": scenario, "done": done}
            rows.append(score(n, kind, "animal", value, model=model, **about))
        rows.append(score(12, MC, "food", True, model=model, scenario=scenario, done=done))
    return rows


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    return metric_rows(table([*answers("seer", 1), *answers("chance", 2)]), [DROPPED])


@pytest.fixture(scope="module")
def snapshot(rows: list[dict[str, object]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("snapshot")
    tables.write_rows(
        rows, folder / "results" / "dysca" / "metrics.parquet", tables.METRICS, "0" * 64
    )
    return folder


def said(capsys: pytest.CaptureFixture[str], snapshot: Path, *arguments: str) -> str:
    assert main(["scores", "--snapshot", str(snapshot), *arguments]) == 0
    return capsys.readouterr().out


def found(capsys: pytest.CaptureFixture[str], snapshot: Path, *arguments: str) -> list[Row]:
    return list(json.loads(said(capsys, snapshot, *arguments, "--format", "json")))


def refused(capsys: pytest.CaptureFixture[str], snapshot: Path, *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["scores", "--snapshot", str(snapshot), *arguments])
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


ASKED = (
    "--model", "seer", "--subtask", "animal", "--scenario", "corruption",
    "--question-type", MC, "--metric", "accuracy",
)  # fmt: skip


def test_a_number_is_found_by_what_it_is_about(
    capsys: pytest.CaptureFixture[str], snapshot: Path, rows: list[dict[str, object]]
) -> None:
    """The accuracy of a model in a subtask under corruption: one row, of all questions."""
    wanted = pick(rows, "accuracy", MC, "animal", model="seer", scenario="corruption")
    (row,) = found(capsys, snapshot, *ASKED)
    assert row == {**wanted, "note": ""}
    (line,) = csv.DictReader(io.StringIO(said(capsys, snapshot, *ASKED, "--format", "csv")))
    assert float(line["value"]) == wanted["value"] and line["questions"] == "all"
    head, shown = said(capsys, snapshot, *ASKED).splitlines()
    assert head.split() == [
        "model", "scenario", "question_type", "subtask", "metric",
        "value", "low", "high", "n", "n_unscored",
    ]  # fmt: skip
    assert f"{wanted['value']:.2f}" in shown and shown.startswith("seer")


@pytest.mark.parametrize("left_out", range(0, len(ASKED), 2))
def test_a_filter_left_out_mixes_nothing(
    capsys: pytest.CaptureFixture[str], snapshot: Path, left_out: int
) -> None:
    """No biased rows, and no wholes beside their parts."""
    got = found(capsys, snapshot, *ASKED[:left_out], *ASKED[left_out + 2 :])
    assert got and {row["questions"] for row in got} == {"all"}
    names = ("question_type", "subtask", "style", "perturbation", "severity")
    for name in names:
        assert len({row[name] == "all" for row in got}) == 1
    assert all(row["style"] == "all" for row in got)


def test_without_a_filter_it_is_the_headlines(
    capsys: pytest.CaptureFixture[str], snapshot: Path
) -> None:
    got = found(capsys, snapshot)
    assert {row["metric"] for row in got} == {"headline", "difference"}
    assert len(got) == 6 and {row["model"] for row in got} == {"seer", "chance"}


def test_each_and_several_names(capsys: pytest.CaptureFixture[str], snapshot: Path) -> None:
    got = found(capsys, snapshot, "--style", "each", "--metric", "score", "--model", "seer,chance")
    assert {(row["model"], row["style"]) for row in got} == {
        (model, style) for model in ("seer", "chance") for style in ("oil", "ink")
    }


def test_biased_rows_and_rows_on_one_scene_are_marked(
    capsys: pytest.CaptureFixture[str], snapshot: Path
) -> None:
    got = found(capsys, snapshot, *ASKED, "--consensus")
    assert [row["note"] for row in got] == [CONSENSUS_NOTE]
    food = ("--subtask", "each", "--question-type", MC, "--scenario", "clean", "--model", "seer")
    marks = {row["subtask"]: row["note"] for row in found(capsys, snapshot, *food)}
    assert marks == {"animal": "", "food": ONE_SCENE_NOTE}
    text = said(capsys, snapshot, *food, "--consensus")
    assert f"[2] {CONSENSUS_NOTE}; {ONE_SCENE_NOTE}" in text and "100.00 [2]" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--model", "sear"), "--model: 'sear' is not in the table; did you mean seer?"),
        (("--subtask", "animals"), "did you mean animal?"),
        (("--scenario", "clean,zzz"), "there are: clean, corruption"),
        (("--metric", "Accuracy"), "did you mean accuracy"),
        (("--metric", "headline", "--style", "oil"), "no row is of --style oil, --metric headline"),
        (("--submissions",), "run 'lvlmbench score' first"),
    ],
)
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str], snapshot: Path, arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused(capsys, snapshot, *arguments)


def test_a_missing_headline_says_why(rows: list[dict[str, object]]) -> None:
    total = next(row for row in rows if row["metric"] == "headline")
    of = params([{"name": "m", "engine": "chance"}])
    assert "none: one type of question" in note({**total, "value": None}, of)
    assert "none" not in note({**total, "value": 50.0}, of)


def test_all_answers_without_a_score_are_told_with_their_reason() -> None:
    counts = {"n_unscored": 12, "n_refused": 4, "n_truncated": 0, "n_failed": 4}
    row = {"questions": "all", "metric": "count", "value": 1.0, "stderr": 1.0}
    assert "not scored: 4 refused, 4 failed, 4 could not be read (" in note({**row, **counts})
    assert "could not be read" not in note({**row, **counts, "n_unscored": 8})
    uncounted = dict.fromkeys(counts, None) | {"n_unscored": 12}
    assert note({**row, **uncounted}) == ""  # nobody counted why


def test_the_example_with_pandas_runs(
    snapshot: Path, rows: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """As docs/metrics.md prints it; it finds what the command finds."""
    (code,) = (each.text for each in blocks("docs/metrics.md", "python"))
    said = "\n".join(typed("docs/metrics.md"))
    (command,) = re.findall(r"^lvlmbench (scores --suite \w+ --model reference_a.*)$", said, re.M)
    monkeypatch.chdir(snapshot)
    (place,) = re.findall(r'"(results/.*?)"', code)
    (table,) = (snapshot / "results").rglob(Path(place).name)  # the fixture's own place
    exec(code.replace("reference_a", "seer").replace(place, str(table)), names := {})
    printed = capsys.readouterr().out
    wanted = pick(rows, "accuracy", MC, "animal", model="seer", scenario="corruption")
    assert names["found"]["value"].tolist() == [wanted["value"]] and printed
    alone = re.sub(r" --suite \w+", "", command)  # the fixture has one suite
    assert main(alone.replace("reference_a", "seer").split()) == 0
    assert f"{wanted['value']:.2f}" in capsys.readouterr().out


def test_numbers_of_judges_are_found_as_well(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def row(model: str, subtask: str, measure: str, value: float) -> dict[str, object]:
        names = {"judge": "j", "model": model, "scenario": "clean", "stratum": "all"}
        return {**names, "subtask": subtask, "measure": measure, "value": value, "n": 3}

    made = [
        row(model, subtask, measure, 10.0 * len(model) + len(subtask))
        for model in ("a", "bb")
        for subtask in ("all", "people")
        for measure in ("coverage", "f1")
    ]
    place = tmp_path / "results" / "x" / "hallucination.parquet"
    tables.write_rows(made, place, tables.HALLUCINATION, "s")
    table = ("--table", "hallucination")
    assert [r["value"] for r in found(capsys, tmp_path, *table, "--measure", "f1")] == [13, 23]
    of_people = (*table, "--measure", "f1", "--model", "a", "--subtask", "people")
    (line,) = said(capsys, tmp_path, *of_people).splitlines()[1:]
    assert line.split()[:6] == ["j", "a", "clean", "people", "f1", "16.00"]
    assert "there are: coverage, f1" in refused(capsys, tmp_path, *table, "--measure", "f2")
    assert "has no such column" in refused(capsys, tmp_path, *table, "--style", "oil")


@pytest.mark.parametrize("table", ["hallucination", "dialogue"])
@pytest.mark.parametrize("flag", ["--consensus", "--submissions"])
def test_what_tables_of_judges_do_not_have_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: str, flag: str
) -> None:
    line = refused(capsys, tmp_path, "--table", table, flag)
    assert line.startswith(f"{flag}: the table '{table}' has no ") and "leave it out" in line


def test_a_table_of_measures_without_such_a_row_is_one_line() -> None:
    rows = [
        {"model": model, "scenario": "clean", "measure": measure, "questions": "all"}
        for model, measure in (("a", "coverage"), ("b", "faithfulness"))
    ]
    for given in (rows, []):
        with pytest.raises(UserError, match="no row is of --model a, --measure faithfulness"):
            select_measures(given, {"model": "a", "measure": "faithfulness"})


def test_what_counts_pairs_says_so_and_not_why() -> None:
    row = {"questions": "all", "value": 1.0, "stderr": 1.0, "n_unscored": 9, "n_refused": 4,
           "n_truncated": 0, "n_failed": 0}  # fmt: skip
    assert note(row | {"metric": "difference"}).startswith("not scored: 9 pairs of answers (")
    assert note(row | {"metric": "difference", "n_unscored": 0}) == ""
    told = "not scored: 4 refused, 5 could not be read"
    assert note(row | {"metric": "headline"}).startswith(told)


def test_constant_answers_are_listed_without_a_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: Path
) -> None:
    from lvlmbench.snapshot.guessing import Constant

    known = [Constant(MC, "always (A)", 30.0, 3, 10), Constant(MC, "always (B)", 20.0, 2, 10)]
    known.append(Constant(TF, "always True", 50.0, 5, 10))
    table = ("--table", "constants")
    assert "--submissions" in refused(capsys, snapshot, *table, "--submissions")
    rows = [
        dict(zip(CONSTANT_COLUMNS, ("clean", *vars(each).values()), strict=True)) for each in known
    ]
    monkeypatch.setattr("lvlmbench.commands.scores.constant_rows", lambda *_: rows)
    assert "no such column" in refused(capsys, snapshot, *table, "--model", "seer")
    lines = said(capsys, snapshot, *table, "--question-type", MC).splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["clean", MC, "always", "(A)", "30.00", "3", "10"],
        ["clean", MC, "always", "(B)", "20.00", "2", "10"],
    ]
