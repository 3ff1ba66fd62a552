"""From files of answers to files of what a judge says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.judge import run
from lvlmbench.stages.judge.judge import JUDGES
from lvlmbench.suites.suite import build_shard, suite_of
from support.corpus_sample import sample_vocabulary
from support.scripted_judge import Scripted

OUTS = ("claims", "matches", "judgements", "pairwise", "requests")


def params(answer: dict[str, Any] | None = None, **judge: Any) -> Params:
    judges = [{"name": "told", "engine": "scripted"}]
    return validate(
        {
            "corpus": {"subtasks": ["animal", "food"], "scenes_per_subtask": 6},
            "judge": {"judges": judges, **judge},
            **({} if answer is None else {"answer": answer}),
        }
    )


def files(folder: Path, config: Params, **changed: Any) -> run.Files:
    """Scenes, questions, truth, and an answer to each question."""
    scenes, questions = build_shard(config, sample_vocabulary(), 0, 12)
    layouts = tables.LAYOUTS.empty_table()
    truth = suite_of(config).truth(config, sample_vocabulary(), scenes, layouts)
    animal = dict(
        zip(scenes["scene_id"].to_pylist(), scenes["foreground"].to_pylist(), strict=True)
    )
    answers = tables.ANSWERS.of(
        {
            "model": "m", "scenario": "clean", "question_id": row["question_id"],
            "image_id": f"i{row['scene_id']}", "status": "answered",
            "text": animal[row["scene_id"]].split()[-1] + " unicorn",
        }
        | changed
        for row in questions.to_pylist()
    )  # fmt: skip
    found = {}
    for table, rows in (
        (tables.ANSWERS, answers), (tables.QUESTIONS, questions), (tables.SCENES, scenes),
        (tables.LAYOUTS, layouts), (tables.TRUTH, truth),
    ):  # fmt: skip
        found[table.name] = [folder / table.name / tables.part_name(0)]
        tables.write(rows, found[table.name][0], table, "s")
    return run.Files(*(found[name] for name in run.Files._fields))


def judged(
    folder: Path, config: Params, given: run.Files, judge: Scripted | None = None
) -> dict[str, list[dict[str, Any]]]:
    scripted = judge or Scripted()
    kind = JUDGES.of("scripted", lambda params, judge: scripted)
    outs = run.Outs(*(folder / "out" / f"{name}.parquet" for name in OUTS))
    with JUDGES.temporarily({"scripted": kind}):
        run.judge_files(config, "told", ("m", "clean"), given, outs)
    return {
        name: tables.read([path], tables.TABLES[name]).to_pylist()
        for name, path in zip(OUTS, outs, strict=True)
    }


def test_free_answers_alone_are_judged(tmp_path: Path) -> None:
    config = params()
    given = files(tmp_path, config)
    found = judged(tmp_path, config, given)
    asked = tables.read(given.questions, tables.QUESTIONS).to_pylist()
    free = [row["question_id"] for row in asked if row["question_type"] == "free_form"]
    assert free and [row["question_id"] for row in found["judgements"]] == free
    assert {row["status"] for row in found["judgements"]} == {"judged"}
    assert {row["judge"] for row in found["claims"]} == {"told"}
    assert {row["wrong_claims"] for row in found["judgements"]} <= {1, 2}
    assert not found["pairwise"] and not found["requests"]


def test_windows_change_no_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = params(pairs=True)
    given = files(tmp_path, config)
    made = {}
    for size in (1, 2, 2048):
        monkeypatch.setattr(run, "WINDOW", size)
        judged(tmp_path, config, given)
        made[size] = [(tmp_path / "out" / f"{name}.parquet").read_bytes() for name in OUTS]
    assert made[1] == made[2] == made[2048]


def test_no_free_answer_needs_no_judge(tmp_path: Path) -> None:
    config = params()
    given = files(tmp_path, config)
    tables.write(tables.ANSWERS.empty_table(), given.answers[0], tables.ANSWERS, "s")
    outs = run.Outs(*(tmp_path / "out" / f"{name}.parquet" for name in OUTS))
    run.judge_files(config, "nobody", ("m", "clean"), given, outs)
    for name, path in zip(OUTS, outs, strict=True):
        assert not tables.read([path], tables.TABLES[name]).num_rows


@pytest.mark.parametrize(("model", "scenario"), [("other", "clean"), ("m", "blind")])
def test_answers_of_others_are_one_line(tmp_path: Path, model: str, scenario: str) -> None:
    config = params()
    given = files(tmp_path, config, model=model, scenario=scenario)
    with pytest.raises(UserError, match="holds answers of the"):
        judged(tmp_path, config, given)


def test_an_unknown_judge_is_one_line(tmp_path: Path) -> None:
    config = params()
    given = files(tmp_path, config)
    outs = run.Outs(*(tmp_path / "out" / f"{name}.parquet" for name in OUTS))
    with pytest.raises(UserError, match="there is no judge 'nobody'"):
        run.judge_files(config, "nobody", ("m", "clean"), given, outs)


def test_who_guesses_cannot_judge(tmp_path: Path) -> None:
    config = params(judges=[{"name": "told", "engine": "chance"}])
    given = files(tmp_path, config)
    with pytest.raises(UserError, match="can judge nothing"):
        judged(tmp_path, config, given)


def test_a_judge_leaves_models_to_others(tmp_path: Path) -> None:
    def given(*leaves: str) -> Params:
        models = [{"name": name, "engine": "chance"} for name in ("m", "other")]
        told = {"name": "told", "engine": "scripted", "leaves": leaves}
        return params(answer={"models": models}, judges=[told], pairs=True)

    config = given("other")
    wanted = files(tmp_path, config)
    found = judged(tmp_path, config, wanted)
    assert {row["status"] for row in found["judgements"]} == {"judged"}
    found = judged(tmp_path, given("m"), wanted)
    assert found["judgements"] and not found["claims"] and not found["requests"]
    for row in (*found["judgements"], *found["pairwise"]):
        assert row["status"] == "unjudged" and "leaves" in row["why"]
    with pytest.raises(UserError, match="leaves 'mm', which is no model; did you mean 'm'"):
        given("mm")
