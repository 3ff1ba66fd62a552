"""A request in words of one's own, from words to pictures and questions, by a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config import validate
from lvlmbench.config.layers import load_layers
from lvlmbench.core.errors import UserError
from lvlmbench.stages.examiner.run import Files
from lvlmbench.stages.metrics.independent import dependent
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.autodavis.check_plan import check_plan
from lvlmbench.suites.suite import suite_of
from support.answer_tables import running_server
from support.examined import EXAMINER_SERVER, at, proposed
from support.planned_exam import KIND, plan, planned, planned_params
from support.render_scenes import vocabulary

ROOT = Path(__file__).resolve().parents[3]
WORDS = "reading traffic situations"


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Parameters with a model that plans."""
    model = {"name": "gpt", "engine": "openai_chat", "endpoint": {"base_url": "http://h/v1",
             "model": "m", "api_key_env": None}}  # fmt: skip
    path = tmp_path / "base.yaml"
    path.write_text(yaml.safe_dump({"examiner": {"examiners": [model], "planners": ["gpt"]}}))
    return path


def test_from_words_to_pictures_and_questions(tmp_path: Path) -> None:
    with running_server("--ways", "valid", script=EXAMINER_SERVER) as url:
        own = {"words": WORDS, "general": 2, "fine": 2, "at": ["easy", "medium"]}
        params = planned_params(at(url), 2, **own)
        check_plan(params, "params.yaml")
        outs = plan(params, tmp_path)
        suite, known, n = suite_of(params), vocabulary(), params.corpus.n_scenes
        scenes, described = suite.planned_by(params, known, 0, n, planned(outs))
        images, _, _, layouts = render_shard(params, known, scenes)
        paths = [tmp_path / "scenes.parquet", tmp_path / "layouts.parquet"]
        tables.write(scenes, paths[0], tables.SCENES, "s")
        tables.write(layouts, paths[1], tables.LAYOUTS, "s")
        asked = proposed(params, Files(paths[:1], paths[1:], [outs.aspects]), tmp_path)
    rows = tables.read([asked.proposals], tables.PROPOSALS)
    questions = suite.proposed(params, known, scenes, layouts, rows).to_pylist()
    aspects = {row["aspect"]: row for row in planned(outs).aspects.to_pylist()}
    told = described.to_pylist()
    assert n == len(scenes) == 16 and len(aspects) == 4
    assert {(r["aspect"], r["called"]) for r in told} == {
        (name, row["called"]) for name, row in aspects.items()
    }
    made = {r["scene_id"] for r in told if r["status"] == "made"}
    assert len(made) >= 14 and {r["family"] for r in told} == {None}
    # What is drawn is what was described, and each is asked about by the model.
    assert {row["scene_id"] for row in images.to_pylist() if row["image"]["bytes"]} == made
    labels = {r["scene_id"]: {o["label"] for o in r["objects"]} for r in scenes.to_pylist()}
    drawn: dict[str, set[str]] = {}
    for row in layouts.to_pylist():
        drawn.setdefault(row["scene_id"], set()).add(row["label"])
    assert drawn == {scene: labels[scene] for scene in made}
    assert {q["scene_id"] for q in questions} == made
    assert {(q["subtask"], q["examiner"]) for q in questions} == {("own_request", "gpt")}


def test_other_requests_are_thought_about_too(tmp_path: Path) -> None:
    with running_server("--ways", "valid", script=EXAMINER_SERVER) as url:
        params = planned_params(at(url), 1, think=True, general=2, fine=2, at=["easy"])
        found = planned(plan(params, tmp_path))
    assert found.aspects["subtask"].unique().to_pylist() == ["semantic_understanding"]
    assert found.aspects["aspect"].to_pylist()[-1] == "semantic_understanding_2_2"
    assert len(found.descriptions) == 4


def asked(capsys: pytest.CaptureFixture[str], words: str, base: Path) -> tuple[int, str, str]:
    try:
        code = main(["exam", "request", words, "--base", str(base)])
    except SystemExit as end:
        code = int(end.code or 0)
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "own", "n"),
    [
        (WORDS, {"words": WORDS}, 72),
        (f"{WORDS}, hard", {"words": WORDS, "at": ["hard"]}, 24),
        ("Signs of danger and of haste; hard", {"words": "Signs of danger and of haste"}, 24),
    ],
)
def test_words_are_taken_as_they_are_where_a_model_plans(
    words: str, own: dict[str, Any], n: int, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = asked(capsys, words, base)
    corpus = yaml.safe_load(out)["suites"][KIND]["corpus"]
    assert code == 0 and corpus["subtasks"] == ["own_request"]
    assert own.items() <= corpus[KIND].items() and corpus["scenes_per_subtask"] == n
    (mine := base.with_name("my.yaml")).write_text(out)
    params = load_layers([base, mine]).suite()
    check_plan(params, "my.yaml")
    assert params.corpus.n_scenes == n


def test_own_words_stand_beside_an_aspect(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = asked(capsys, f"counting, {WORDS}, hard", base)[1]
    (mine := base.with_name("my.yaml")).write_text(out)
    params = load_layers([base, mine]).suite()
    check_plan(params, "my.yaml")
    assert params.corpus.n_scenes == 25


def test_what_is_misspelled_is_not_taken_for_words_of_ones_own(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = asked(capsys, "spatail understanding, hard", base)
    assert code == 2 and "'spatial'" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (f"{WORDS}, 20 images", "--images 20"),
        ("ab", "words of your own: "),
        ("x" * 401, "words of your own: "),
        ("reading\u200btraffic", "without control characters"),
        ("own_request, hard", "write the words themselves"),
    ],
)
def test_words_that_parameters_would_not_take_are_one_line(
    words: str, line: str, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = asked(capsys, words, base)
    assert (code, out) == (2, "") and line in err and err.count("\n") == 1


def test_the_printed_command_names_the_file_that_it_lies_on(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"--configfile {base} my.yaml\n" in asked(capsys, WORDS, base)[1]


@pytest.mark.parametrize("key", ["twins", "atomic"])
def test_what_rules_alone_can_do_is_refused_where_models_ask(key: str) -> None:
    params = planned_params({"base_url": "http://h/v1", "model": "m"}, 2, **{key: True})
    with pytest.raises(UserError, match=f"write '{key}: false'"):
        check_plan(params, "params.yaml")


@pytest.mark.parametrize("family", ["gpt", "claude"])
def test_what_a_model_of_a_family_planned_is_not_independent_of_it(family: str) -> None:
    """Whoever of the examiners asks about it."""
    params = planned_params({"base_url": "http://h/v1", "model": "m"}, 1, words=WORDS)
    given = params.model_dump(mode="json", exclude_unset=True)
    first = given["examiner"]["examiners"][0] | {"family": "gpt"}
    second = first | {"name": "other", "family": "qwen"}
    given["examiner"]["examiners"] = [first, second]
    given["answer"] = {"models": [{"name": "m", "engine": "chance", "family": family}]}
    found = dependent(validate(given))
    assert found == ({"m": ("rules", first["name"], "other")} if family == "gpt" else {})


def test_without_a_model_words_are_one_line_that_says_how(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = asked(capsys, WORDS, ROOT / "params.yaml")
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "the nearest are" in err and "examiner.planners" in err


@pytest.mark.parametrize(
    ("own", "subtasks", "planners", "line"),
    [
        ({"words": WORDS}, ["own_request"], [], "needs a model that thinks of aspects"),
        ({"think": True}, ["reasoning_capacity"], [], "needs a model that thinks of aspects"),
        ({}, ["own_request"], ["gpt"], "autodavis.words: are not there"),
        ({"words": WORDS}, ["reasoning_capacity"], ["gpt"], "autodavis.words: ask for nothing"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    own: dict[str, Any], subtasks: list[str], planners: list[str], line: str
) -> None:
    params = planned_params({"base_url": "http://h/v1", "model": "m"}, 1, words=WORDS)
    given = params.model_dump(mode="json", exclude_unset=True)
    given["corpus"] |= {"subtasks": subtasks, KIND: own}
    given["examiner"]["planners"] = planners
    with pytest.raises(UserError, match=line) as caught:
        check_plan(validate(given), "params.yaml")
    assert "\n" not in str(caught.value)


def test_a_planner_is_one_of_the_examiners() -> None:
    with pytest.raises(UserError, match="'other' is no examiner; listed are: none"):
        validate({"examiner": {"planners": ["other"]}})
