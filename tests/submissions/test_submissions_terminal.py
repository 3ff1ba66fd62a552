"""What the terminal says of submitted models."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.stages.answer.asked import Asked
from support.submissions_snapshot import answers, asked, home, wrong


def test_the_terminal_counts_the_questions_that_the_report_counts(
    finished: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (voted,) = finished.parts(tables.CONSENSUS)
    rows = tables.read([voted], tables.CONSENSUS).to_pylist()
    voted.unlink()
    rows[0] |= {"keep": False, "verdict": "dropped", "expected_bad": 0.95}
    tables.write_rows(rows, voted, tables.CONSENSUS, "s")
    over = tmp_path / "over.yaml"
    over.write_text("statistics: {questions: consensus}\n")
    where = ["--snapshot", str(home(finished)), "--config", str(over)]
    given = answers(tmp_path / "a.csv", asked(finished), wrong)
    main(["score", *where, "--answers", str(given), "--model", "second"])
    shown = capsys.readouterr().out
    table = tables.read([finished.results / "submissions/metrics.parquet"], tables.METRICS)
    totals = {
        which: {
            r["model"]: [r["value"], r["n"]] for r in table.to_pylist()
            if (r["questions"], r["metric"], r["question_type"]) == (which, "headline", "all")
        }
        for which in ("all", "consensus")
    }  # fmt: skip
    assert totals["all"] != totals["consensus"]
    (head,) = [line for line in shown.splitlines() if line.startswith("Clean")]
    assert head.startswith("Clean: accuracy on closed questions, without questions that the cons")
    lines = [line.removeprefix("*").split() for line in shown.splitlines() if " to " in line]
    told = {line[0]: line for line in lines if line[0] in totals["all"]}
    assert {*told} == {*totals["consensus"]}
    for model, (value, n) in totals["consensus"].items():
        assert told[model][1] == ("-" if value is None else f"{value:.1f}")
        assert told[model][-5] == f"{n:,}"
