"""Answers of models that ran elsewhere are submitted to the leaderboard, and leave it."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config.models import Answer, Model
from lvlmbench.engine.process import take_lock
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.metrics.agreement import write_agreement
from lvlmbench.stages.metrics.comparisons import write_comparisons
from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
from lvlmbench.stages.score.run import score_files
from lvlmbench.submissions import leaderboard as leaderboard_module
from support.report_snapshot import HOSTILE
from support.submissions_snapshot import (
    SCENARIOS,
    Toy,
    answers,
    asked,
    build,
    copy,
    files_below,
    home,
    perfect,
    score,
    values,
    write,
    wrong,
)

Row = dict[str, Any]
#: What only depends on the question as it is asked, in the words of the example runner.
RULE = (
    'return "(" + "ABCD"[sum(hashlib.sha256(prompt.encode() + (image or b"")).digest()) % 4] + ")"'
)


pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("snapshot"))


def usual(finished: Asked) -> None:
    """The toy as a model of the snapshot itself, through the steps of the pipeline."""
    for scenario in SCENARIOS:
        rows = answer_rows(Toy(), list(finished.items(scenario, True)), None, "toy", scenario)
        given = finished.data / "answers/toy" / scenario / "part-00000.parquet"
        tables.write_rows(rows, given, tables.ANSWERS, "s")
        score_files(
            finished.params,
            answers=[given],
            questions=finished.parts(tables.QUESTIONS),
            scenes=finished.parts(tables.SCENES),
            images=finished.parts(tables.IMAGES, scenario=scenario),
            out=finished.data / "scores/toy" / scenario / "part-00000.parquet",
            cache=home(finished) / "vectors.sqlite",
        )
    toy = Model(name="toy", engine="toy")  # type: ignore[call-arg]
    models = Answer(models=(*finished.params.answer.models, toy))
    params = finished.params.model_copy(update={"answer": models})
    names = [model.name for model in models.models]
    pairs = [{"model": m, "scenario": s} for m in names for s in SCENARIOS]
    scores = [path for each in pairs for path in finished.parts(tables.SCORES, **each)]
    write_metrics(
        params,
        scores=scores,
        consensus=finished.parts(tables.CONSENSUS),
        questions=finished.parts(tables.QUESTIONS),
        scenes=finished.parts(tables.SCENES),
        out_parquet=finished.results / "metrics.parquet",
        out_json=finished.results / "metrics.json",
    )
    write_costs(params, finished.data, finished.results / "costs.parquet")
    voted = finished.parts(tables.CONSENSUS)
    write_agreement(
        params,
        scores=scores,
        consensus=voted,
        questions=finished.parts(tables.QUESTIONS),
        out=finished.results / "agreement.parquet",
    )
    out, scenes = finished.results / "comparisons.parquet", finished.parts(tables.SCENES)
    asked = finished.parts(tables.QUESTIONS)
    write_comparisons(
        params, scores=scores, consensus=voted, questions=asked, scenes=scenes, out=out
    )


@pytest.mark.long
def test_there_and_back_is_as_if_asked_here(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exported, answered by the example runner, submitted: the same numbers as by the pipeline."""
    finished = copy(made, tmp_path / "snapshot")
    before = files_below(home(finished))
    place, out = str(home(finished)), str(tmp_path / "q")
    main(["export-questions", "--snapshot", place, "--out", out, "--scenario", *SCENARIOS])
    runner = tmp_path / "q/run.py"
    text = runner.read_text().replace('return "(A)"  # put your model here', RULE)
    runner.write_text(text.replace("import csv", "import csv\nimport hashlib"))
    subprocess.run([sys.executable, "-I", runner], check=True, timeout=300)
    capsys.readouterr()
    score(finished, tmp_path / "q/answers.jsonl", "toy")

    submissions = finished.results / "submissions"
    after = files_below(home(finished))
    assert {k: v for k, v in after.items() if k in before} == before
    assert {k for k in after if k not in before} - {".lvlmbench/submissions.lock"} == {
        f"results/dysca/submissions/{name}"
        for name in (
            "metrics.parquet", "metrics.json", "agreement.parquet", "comparisons.parquet",
            "costs.parquet", "report.html", "toy/intake.csv", "toy/submission.json",
            *(f"toy/{t}/{s}/part-00000.parquet" for t in ("answers", "scores") for s in SCENARIOS),
        )
    }  # fmt: skip

    other = copy(made, tmp_path / "usual")
    usual(other)
    found = values(submissions, "headline").values()
    assert sum(1 for v in found if v is not None) > len(SCENARIOS)
    for name, schema in (
        ("metrics", tables.METRICS), ("agreement", tables.AGREEMENT),
        ("comparisons", tables.COMPARISONS),
    ):  # fmt: skip
        here, there = (
            tables.read([folder / f"{name}.parquet"], schema).to_pylist()
            for folder in (submissions, other.results)
        )
        assert len(here) == len(there)
        assert here or name == "agreement", "no examiner asked, so there is none to agree with"
        assert [a for a in here if a not in there] == [b for b in there if b not in here] == []
    assert json.loads((submissions / "metrics.json").read_text())["toy"]["clean"]["headline"]

    shown = capsys.readouterr().out
    n = len(asked(finished, *SCENARIOS))
    assert shown.startswith(
        f"{tmp_path}/q/answers.jsonl: {n} rows, for {n} questions (clean, print"
    )
    assert shown.count("\n*  toy ") == len(SCENARIOS) and shown.count("model-a ") == len(SCENARIOS)
    html = (submissions / "report.html").read_text()
    assert "answers_file" in html and "toy" in html and "model-a" in html


def test_a_perfect_file_scores_100(finished: Asked) -> None:
    submissions = finished.results / "submissions"
    for metric in ("headline", "headline_strict"):
        assert values(submissions, metric)["good", "clean"] == 100.0
        for kind in (*tables.OFFERING, "free_form"):
            score = metric.replace("headline", "score")
            assert values(submissions, score, kind)["good", "clean"] == 100.0
    scores = tables.read(submissions / "good/scores/clean", tables.SCORES)
    assert pc.all(scores["scored"]).as_py() and len(scores) == len(asked(finished))


@pytest.mark.long
def test_models_join_and_leave(
    finished: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    submissions = finished.results / "submissions"
    before = files_below(submissions)
    score(finished, answers(tmp_path / "a.csv", asked(finished), wrong), "second")
    for kind in ("multiple_choice", "true_false"):
        for metric in ("score", "score_strict"):
            assert values(submissions, metric, kind)["second", "clean"] == 0.0
    shown = capsys.readouterr().out
    rows = re.findall(r"^(\*?) +(\S+) +(\S+) +\S+ to ", shown, re.MULTILINE)
    totals = values(submissions, "headline")
    ranked = sorted(totals, key=lambda k: -1.0 if (v := totals[k]) is None else v, reverse=True)
    assert [name for _, name, _ in rows] == [model for model, _ in ranked]
    assert rows[0] == ("", "good", "100.0") and [n for mark, n, _ in rows if mark] == ["second"]
    comparisons = tables.read([submissions / "comparisons.parquet"], tables.COMPARISONS)
    assert {"good", "second", "model-a"} <= {
        *comparisons["model"].to_pylist(),
        *comparisons["baseline_model"].to_pylist(),
    }

    command = ["score", "--snapshot", str(home(finished)), "--remove", "--model"]
    main([*command, "second"])
    assert files_below(submissions) == before
    main([*command, "good"])
    assert not submissions.exists() and not list(finished.results.glob(".submissions*"))


def test_a_model_is_replaced_and_what_it_leaves_out_is_not_wrong(
    finished: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = asked(finished)
    lost = [next(row for row in rows if row["options"])]
    given = [row for row in rows if row not in lost]
    score(finished, answers(tmp_path / "a.csv", given, perfect), "good")
    submissions = finished.results / "submissions"
    assert values(submissions, "headline")["good", "clean"] == 100.0
    strict = values(submissions, "headline_strict")["good", "clean"]
    assert strict is not None and strict < 100.0
    table = tables.read([submissions / "metrics.parquet"], tables.METRICS).to_pylist()
    key = ("good", "headline", "all")
    closed = sum(bool(row["options"]) for row in given)
    (total,) = (r for r in table if (r["model"], r["metric"], r["questions"]) == key)
    assert [total[n] for n in ("n", "n_unscored", "n_failed", "n_refused")] == [closed, 1, 1, 0]
    shown = capsys.readouterr().out
    assert f"  1 question: no answer; not scored, never taken for wrong ({lost[0]['item_id']})" in (
        shown
    )
    assert f"all of them: {submissions}/good/intake.csv" in shown
    assert (submissions / "good/intake.csv").read_text().count("\nmissing,") == 1
    line = next(line for line in shown.splitlines() if line.startswith("*  good"))
    # scored, unscored, refused, truncated, failed
    assert line.split()[-5:] == [str(closed), "1", "0", "0", "1"]


@pytest.mark.long
def test_neither_order_nor_what_was_submitted_before_changes_a_byte(
    board: Path, finished: Asked, tmp_path: Path
) -> None:
    rows = [
        {"item_id": row["item_id"], "answer": text, "status": "answered"}
        for row, text in zip(asked(finished), filter(None, HOSTILE), strict=False)
    ]
    score(finished, write(tmp_path / "a.jsonl", rows), "good")
    (tmp_path / "again").mkdir()
    random.Random(1).shuffle(rows)
    other = copy(board, tmp_path / "again/snapshot")
    shutil.rmtree(other.results / "submissions")
    score(other, write(tmp_path / "again/a.jsonl", rows), "good")
    assert files_below(finished.results) == files_below(other.results)
    html = (other.results / "submissions/report.html").read_text()
    assert "<img src=x" not in html and "\x00" not in html


def test_models_of_other_questions_are_left_out(
    finished: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was scored before the snapshot changed is not compared with what is scored after."""
    for path in finished.parts(tables.IMAGES, scenario="clean"):
        rows = tables.read([path], tables.IMAGES).to_pylist()
        for row in rows:
            row["sha256"] = row["sha256"][::-1]
        tables.write_rows(rows, path, tables.IMAGES, "s")
    changed = Asked.open(home(finished))
    score(changed, answers(tmp_path / "b.csv", asked(changed), perfect), "after")
    assert "left out: good: it was scored on other questions" in capsys.readouterr().out
    models = {model for model, _ in values(finished.results / "submissions", "headline")}
    assert models >= {"after", "model-a"} and "good" not in models
    assert (finished.results / "submissions/good/answers").is_dir()


def test_a_name_that_the_snapshot_takes_later_is_left_out(finished: Asked) -> None:
    folder = finished.results / "submissions/good"
    assert leaderboard_module.why_not(finished, folder) is None
    named = Model(name="good", engine="chance")  # type: ignore[call-arg]
    models = Answer(models=(*finished.params.answer.models, named))
    params = finished.params.model_copy(update={"answer": models})
    reason = leaderboard_module.why_not(replace(finished, params=params), folder)
    assert reason is not None and "has this name now" in reason
    (folder / "submission.json").unlink()  # a link to the file of other tests
    (folder / "submission.json").write_text("{damaged")
    reason = leaderboard_module.why_not(finished, folder)
    assert reason is not None and "score them again" in reason


def refused(arguments: list[Any], capfd: pytest.CaptureFixture[str]) -> str:
    """What the command says of a mistake: one line."""
    with pytest.raises(SystemExit) as caught:
        main([str(a) for a in arguments])
    shown = capfd.readouterr()
    assert caught.value.code == 2 and shown.out == "" and shown.err.count("\n") == 1
    return shown.err


def test_mistakes_are_one_line_and_change_nothing(
    finished: Asked, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = asked(finished)
    good = answers(tmp_path / "a.csv", rows, perfect)
    damaged = tmp_path / "damaged.jsonl"
    lines = [json.dumps({"item_id": row["item_id"], "answer": "A"}) for row in rows]
    damaged.write_text("\n".join(lines) + '\n{"item_id": "')
    alien = write(tmp_path / "alien.csv", [{"item_id": "0" * 32, "answer": "A"}])
    before = files_below(home(finished))
    command = ["score", "--snapshot", home(finished)]
    for more, part in [
        (["--model", "m", "--answers", damaged], f"{damaged}:{len(rows) + 1}: is not JSON"),
        (["--model", "m", "--answers", alien], "answers nothing that is asked in this snapshot"),
        (["--model", "m", "--answers", tmp_path / "a.txt"], "does not say by its name how"),
        (["--model", "m", "--answers", tmp_path / "none.csv"], "none.csv: is not a file"),
        (["--model", "model-a", "--answers", good], "a model of the snapshot itself"),
        (["--model", "metrics.json", "--answers", good], "a file of the leaderboard"),
        (["--model", "../m", "--answers", good], "--model ../m: should be small letters"),
        (["--model", "M", "--answers", good], "should be small letters"),
        (["--model", "m\n", "--answers", good], "should be small letters"),
        (["--model", "m", "--answers", good, "--scenario", "fog"], "has no scenario 'fog'"),
        (["--model", "m", "--remove"], "--model m: was not submitted; use one of: good"),
        (["--model", "m"], "--answers"),
        (["--model", "m", "--answers", good, "--remove"], "--remove"),
    ]:
        assert part in refused([*command, *more], capfd)
        assert set(files_below(home(finished))) - set(before) <= {".lvlmbench/submissions.lock"}
        assert not list(finished.results.glob(".submissions*"))
    line = refused(["scores", "--snapshot", home(finished), "--model", "good"], capfd)
    assert "'good' was brought by 'lvlmbench score'; add --submissions" in line
    for table in ("scenes", "images/clean", "verdicts/clip", "consensus"):
        other = copy(home(finished), tmp_path / table.replace("/", "-"))
        for path in (other.data / table).glob("part-*.parquet"):
            path.unlink()
        there = ["score", "--snapshot", home(other), "--model", "m", "--answers"]
        assert "none.csv: is not a file" in refused([*there, tmp_path / "none.csv"], capfd)
        line = refused([*there, good], capfd)
        assert f"data/dysca/{table}/part-00000.parquet: is missing; if a file" in line
        assert "name that: --config FILE" in line and "dvc pull" in line
    (finished.results / "vocabulary_audit.csv").unlink()
    line = refused([*command, "--model", "m", "--answers", good], capfd)
    assert "vocabulary_audit.csv: is missing" in line


def test_a_leaderboard_of_submissions_outlives_a_failure(
    finished: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_below(finished.results)
    worse = answers(tmp_path / "b.csv", asked(finished), wrong)
    monkeypatch.setattr(leaderboard_module, "_report", _fail)
    with pytest.raises(ZeroDivisionError):
        score(finished, worse, "good")
    assert files_below(finished.results) == before
    monkeypatch.undo()

    # Killed between the two renames, with half a copy left.
    submissions, old = (finished.results / name for name in ("submissions", ".submissions.old"))
    submissions.rename(old)
    (finished.results / ".submissions.new/good").mkdir(parents=True)
    (empty := tmp_path / "empty.csv").write_text("item_id,answer\n")
    with pytest.raises(SystemExit):
        score(finished, empty, "other")
    assert files_below(finished.results) == before


def _fail(*arguments: object) -> None:
    raise ZeroDivisionError


def test_one_at_a_time(finished: Asked, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    descriptor = take_lock(home(finished) / ".lvlmbench/submissions.lock")
    good = answers(tmp_path / "a.csv", asked(finished), perfect)
    try:
        command = [
            "score",
            "--snapshot",
            home(finished),
            "--answers",
            good,
            "--model",
            "m",
        ]
        assert "another run is at work in this folder" in refused(command, capfd)
    finally:
        os.close(descriptor)


def test_a_snapshot_without_models_of_its_own_under_other_parameters(
    finished: Asked, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Questions and images are enough; parameters may be laid over those of the snapshot."""
    shutil.rmtree(finished.data / "answers")
    shutil.rmtree(finished.data / "scores")
    mine = answers(tmp_path / "a.csv", asked(finished), lambda row: "A cat")
    layer = tmp_path / "layer.yaml"
    layer.write_text("score: {strateg: dysca}\n")
    command = ["score", "--snapshot", home(finished), "--answers", mine, "--model", "m"]
    assert "did you mean 'strategy'?" in refused([*command, "--config", layer], capfd)
    layer.write_text("score: {strategy: dysca}\n")
    score(finished, mine, "m", "--config", str(layer))
    assert {model for model, _ in values(finished.results / "submissions", "n_error")} == {"m"}
    record = json.loads((finished.results / "submissions/m/submission.json").read_text())
    assert record["score"]["strategy"] == "dysca"
    assert "left out: good" in capfd.readouterr().out
