"""The last words of a run: scores, what is not answered, what failed and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Project
from lvlmbench.config.models import Model
from lvlmbench.engine import outcome
from lvlmbench.engine.outcome import _number, failure_lines, outcome_lines, remarks

#: Columns of the metrics table that say which answers a row is about.
KEYS = ("question_type", "subtask", "style", "perturbation", "severity", "level")


def metric(model: str, value: float | None, **counts: int) -> dict[str, Any]:
    keys = dict.fromkeys(KEYS, "all")
    row = dict.fromkeys(tables.METRICS.names) | dict.fromkeys(
        ("n", "n_unscored", "n_refused", "n_truncated", "n_failed"), 0
    )
    named = {"questions": "all", "model": model, "scenario": "clean", "metric": "headline"}
    return row | keys | named | {"value": value} | counts


def test_a_finished_run_says_its_scores_and_what_is_not_answered(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "dvc.yaml").touch()  # a project's own folder, in which commands are typed
    rows = [
        metric("chance", 36.07, n=100),
        metric("mine", 71.5, n=60, n_unscored=40, n_truncated=30, n_failed=10),
        metric("mute", None, n=60, n_unscored=40, n_refused=1),
        metric("low", 0.0, n=100),
        metric("mine", 74.0, n=50) | {"questions": "consensus"},
    ]
    # Which answers there are tells a row over all of them, whatever the headline counts.
    counted = [row | {"metric": "n_refused", "value": 0.0} for row in rows]
    strict = {"chance": 36.07, "mine": 42.9, "mute": 0.5, "low": 0.0}
    rows += [metric(name, v, n=100) | {"metric": "headline_strict"} for name, v in strict.items()]
    table = tables.METRICS.of([*rows, *counted])
    tables.write(table, tmp_path / "results/dysca" / "metrics.parquet", tables.METRICS, "e2e")
    served = Model.model_validate(
        {
            "name": "mine",
            "engine": "openai_chat",
            "endpoint": {"base_url": "http://localhost:1/v1", "model": "m", "api_key_env": None},
        }
    )
    answer = project.answer.model_copy(update={"models": (served,)})
    mine = project.model_copy(update={"answer": answer})
    lines = list(outcome_lines(mine, tmp_path / "results/report.html"))
    none = "none: one type of question has no scored answer"
    scores = f"mine 71.5, 60 of 100 scored; chance 36.1; mute {none}; low 0.0"
    assert lines[0] == f"accuracy on closed questions (clean, percent): {scores}"
    assert lines.pop(1).startswith("models stand in the order of strict scores")
    counting = mine.statistics.model_copy(update={"questions": "consensus"})
    without = mine.model_copy(update={"statistics": counting})
    assert list(outcome_lines(without, tmp_path / "results/report.html")) == [
        "accuracy on closed questions (clean, percent, without questions that the consensus "
        "dropped): mine 74.0",
        *lines[1:],
    ]
    assert lines[1] == "mine: 40 of 100 answers are not scored: 30 cut off, 10 failed"
    assert lines[2] == (
        "mute: 40 of 100 answers are not scored: 1 refused, "
        "39 with no answer that could be read (docs/models.md)"
    )
    starts = (
        "open in a browser",
        "read on",
        "'lvlmbench retry --truncated --max-tokens N' (with a number above 512, the limit so far)",
    )
    assert [line.startswith(start) for line, start in zip(lines[3:], starts, strict=True)] == [
        True
    ] * 3
    (tmp_path / "dvc.yaml").unlink()  # of a run with --directory
    apart = list(outcome_lines(mine, tmp_path / "results/report.html"))
    assert apart[0] == lines[0]
    assert apart[-1].startswith(f"'lvlmbench retry --directory {tmp_path} --truncated --max-tok")


def test_a_limit_that_was_tried_in_vain_is_told(project: Project) -> None:
    asked = {"base_url": "http://localhost:1/v1", "model": "m", "sampling": {}}
    asked["sampling"] = {"max_tokens_if_cut": 2048}
    made = {"name": "mine", "engine": "openai_chat", "endpoint": asked}
    answer = project.answer.model_validate({"models": [made]})
    mine = project.model_copy(update={"answer": answer})
    assert _number(mine, {"mine"}) == "with a number above 2,048, the limit so far"
    assert _number(mine, {"other"}) == _number(project, {"chance"}) == "with a number"
    asked["sampling"] = {"max_tokens": 512}
    answer = project.answer.model_validate({"models": [made]})
    mine = project.model_copy(update={"answer": answer})
    assert _number(mine, {"mine"}) == "with a number above 512, the limit so far"


def test_the_last_lines_say_what_failed_of_whom_and_why(project: Project, tmp_path: Path) -> None:
    why = ["HTTP 500: hiccup"] * 3 + ["no reply within 60 s", None]
    rows = [
        dict.fromkeys(tables.ANSWERS.names)
        | {"model": "chance", "scenario": "clean", "question_id": f"q{n}", "error": each}
        | {"status": "error" if each else "answered", "attempts": 1}
        for n, each in enumerate(why)
    ]
    for n, row in enumerate(rows[:3]):  # one question of three pictures
        row |= {"question_id": "q", "image_id": str(n)}
    path = tmp_path / "data/dysca/answers/chance/clean/part-00000.parquet"
    tables.write(tables.ANSWERS.of(rows), path, tables.ANSWERS, "x")
    (apart,) = failure_lines(project, tmp_path)
    assert f"'lvlmbench retry --directory {tmp_path} --model chance' asks these again" in apart
    (tmp_path / "dvc.yaml").touch()
    (line,) = failure_lines(project, tmp_path)
    assert line.startswith(
        "chance: 5 questions asked, 4 failed: HTTP 500: hiccup (3); no reply within 60 s (1); "
        "'lvlmbench retry --model chance' asks these again, then the same command"
    )
    assert failure_lines(project, tmp_path, ["reference_a"]) == []
    again = tmp_path / ".lvlmbench/retried.json"
    again.parent.mkdir()
    hiccup, none = "HTTP 500: hiccup", "no reply within 60 s"

    def retried(*why: str, more: int = 0) -> str:
        """The line where these questions were asked again before, and so many more."""
        keys = [f"dysca/clean/{q}" for q in ("q/0", "q/1", "q/2", "q3/")]
        known = dict(zip(keys, why, strict=False)) | {
            f"dysca/clean/q{n}/": hiccup for n in range(more)
        }
        again.write_text(json.dumps({"chance": known}))
        return failure_lines(project, tmp_path)[0]

    assert retried(*["HTTP 503: loading"] * 4) == line  # for another reason
    assert "chance: 4 of 5 questions failed again: HTTP 500: hiccup (3); no reply" in retried(
        *[hiccup] * 4
    )
    said = retried(hiccup, hiccup, hiccup, none)
    assert "chance: 4 of 5 questions failed again, in the same way: HTTP 500: hiccup (3);" in said
    assert "retry" not in said and "look at the log of its server" in said
    assert retried(hiccup, hiccup, hiccup, none, more=5) == line  # it has helped
    assert retried(hiccup, hiccup) == line  # others are new


def test_a_suite_without_scores_says_so_and_the_rest_is_told(
    project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "dysca" / "metrics.parquet"
    tables.write(tables.METRICS.of([]), path, tables.METRICS, "e2e")  # and no data beside it
    lines = list(outcome_lines(project, tmp_path / "report.html"))
    assert lines[0] == "no scores: the report says what became of all questions"
    assert lines[1].startswith("open in a browser")


def test_where_nothing_was_asked_the_next_step_is_about_that(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "dysca" / "metrics.parquet"
    tables.write(tables.METRICS.of([]), path, tables.METRICS, "e2e")
    why = "no question could be asked about 12 planned scenes"
    monkeypatch.setattr(outcome, "nothing_asked", lambda _: why)
    *_, none, _, last = outcome_lines(project, tmp_path / "report.html")
    assert none == f"no scores: {why}"
    assert last.startswith("next: see in the report's funnel") and "filter.filters" in last


def test_replies_that_count_and_are_odd_are_told(project: Project, tmp_path: Path) -> None:
    made = {"name": "mine", "engine": "openai_chat", "endpoint": {"model": "m"}}
    answer = project.answer.model_validate({"models": [made]})
    mine = project.model_copy(update={"answer": answer})
    told = [
        ("(B)", "stop", None), ("(B)", "odd_one", None), ("(C)", "odd_one", None),
        ("", "stop", "it is blue"), (" \n", "stop", "it is red"), ("", "stop", None),
    ]  # fmt: skip
    rows = [
        dict.fromkeys(tables.ANSWERS.names)
        | {"model": "mine", "scenario": "clean", "question_id": f"q{n}", "status": "answered"}
        | {"text": text, "finish_reason": why, "reasoning": thought, "attempts": 1}
        for n, (text, why, thought) in enumerate(told)
    ]
    path = tmp_path / "data/dysca/answers/mine/clean/part-00000.parquet"
    tables.write(tables.ANSWERS.of(rows), path, tables.ANSWERS, "x")
    assert list(remarks(mine, tmp_path)) == [
        "mine: 2 answers ended with a finish reason that is not known: 'odd_one' (2); they count "
        "as whole; add it to data/replies/finish_reasons.yaml",
        "mine: 2 answers are empty, with text in the field for reasoning; set its server's "
        "reasoning parser, or its limit of tokens (docs/models.md)",
    ]
    assert list(remarks(project, tmp_path)) == []


def test_a_judge_that_judges_nothing_is_told(project: Project, tmp_path: Path) -> None:
    (judge, *_) = project.judge.judges
    path = tmp_path / f"data/dysca/judgements/{judge.name}/mine/clean/part-00000.parquet"

    def said(*statuses: str) -> list[str]:
        rows = [
            dict.fromkeys(tables.JUDGEMENTS.names)
            | {"judge": judge.name, "model": "mine", "scenario": "clean", "question_id": f"q{n}"}
            | {"scene_id": "s", "subtask": "object", "answer_status": "answered", "status": status}
            | {"why": None if status == "judged" else "the reply holds no JSON object"}
            for n, status in enumerate(statuses)
        ]
        tables.write(tables.JUDGEMENTS.of(rows), path, tables.JUDGEMENTS, "x")
        return list(remarks(project, tmp_path))

    line = (
        f"dysca: judge {judge.name}: judged none of 2 answers: the reply holds no JSON object (2)"
    )
    assert said("malformed", "malformed", "unanswered") == [line]
    assert said("malformed", "judged") == said("unanswered") == []
