"""What users ask for in words: parameters that ask for it, or one line with the nearest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.commands.main import main
from lvlmbench.config import load_params
from lvlmbench.config.layers import load_layers
from lvlmbench.suites.autodavis.check_plan import check_plan

ROOT = Path(__file__).resolve().parents[3]


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(["exam", *words, "--base", str(ROOT / "params.yaml")])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def corpus(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text)["suites"]["autodavis"]["corpus"]
    return found


def test_a_request_and_a_level_are_parameters_that_can_be_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = asked(capsys, "request", "spatial understanding, hard", "--images", "240")
    assert (code, err) == (0, "")
    mine = tmp_path / "my.yaml"
    mine.write_text(out)
    project = load_layers([ROOT / "params.yaml", mine])
    assert list(project.suites) == ["autodavis"]
    params = project.suite()
    check_plan(params, "my.yaml")
    assert params.corpus.n_scenes == 240
    assert corpus(out)["autodavis"] == {"at": ["hard"]}
    assert load_params(ROOT / "params.yaml", "dysca").suite == "dysca"


@pytest.mark.parametrize(
    ("words", "subtasks", "own"),
    [
        ("spatial", ["spatial_understanding"], {}),
        ("Reasoning capacity and basic", ["basic_understanding", "reasoning_capacity"], {}),
        ("hard; Left and right", ["spatial_understanding"],
         {"at": ["hard"], "only": ["left_and_right"]}),
        ("easy and hard, spatial, counting", ["basic_understanding", "spatial_understanding"],
         {"at": ["easy", "hard"]}),
    ],
)  # fmt: skip
def test_words_are_requests_aspects_and_levels(
    words: str, subtasks: list[str], own: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = asked(capsys, "request", words)
    found = corpus(out)
    assert code == 0 and found["subtasks"] == subtasks
    mine = found.get("autodavis", {})
    assert own.items() <= mine.items()


def test_of_a_whole_request_and_an_aspect_of_another_all_aspects_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = corpus(asked(capsys, "request", "counting, spatial, hard")[1])
    assert len(found["autodavis"]["only"]) == 25
    assert found["scenes"] | {"basic_understanding": found["scenes_per_subtask"]} == {
        "basic_understanding": 1, "spatial_understanding": 24,
    }  # fmt: skip


def test_a_number_that_does_not_fit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(capsys, "request", "spatial, hard", "--images", "250")
    assert code == 0 and corpus(out)["scenes_per_subtask"] == 240
    assert err.startswith("240 images:")


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("spatail understanding, hard", "'spatial'"),
        ("colours of things", "'Colors of things'"),
        ("poetry", "the nearest are '"),
        ("countin", "nearest are 'counting', "),
        ("object counting", "nearest are 'counting', "),
        ("spatial understading, hrad", "nearest are 'spatial', "),
        ("basic undestanding", "nearest are 'basic', "),
        ("resoning", "nearest are 'reasoning', "),
        ("moods", "nearest are 'shared_mood', "),
        ("very hard", "nearest are 'hard', "),
        ("left rihgt", "nearest are 'Left and right', "),
        ("semantic; difficult", "levels are easy, medium, hard"),
        ("spatial, hrad", "'hard'"),
        ("spatial'; rm -rf", "is neither a request nor an aspect nor a level"),
        ("spatial, 空间", "is neither a request nor an aspect nor a level"),
        ("!?", "is neither a request nor an aspect nor a level"),
    ],
)
def test_what_is_not_known_ends_in_one_line_with_the_nearest(
    words: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = asked(capsys, "request", words)
    assert code and not out
    assert err.count("\n") == 1 and near in err and "exam show" in err


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        ("hard spatial", "put commas between: 'hard, spatial'"),
        ("spatial understanding hard", "put commas between: 'spatial, hard'"),
        ("reasoning, medium, 20 images", "leave it out, and add: --images 20"),
    ],
)
def test_what_is_meant_is_said(words: str, fix: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(capsys, "request", words)
    assert code == 2 and not out
    assert err.count("\n") == 1 and fix in err


SUITE = {"kind": "autodavis", "corpus": {"scenes_per_subtask": 3}}


@pytest.mark.parametrize(
    ("suites", "name"),
    [
        (None, "autodavis"),
        ({"dysca": {}, "more": {"kind": "composed"}}, "autodavis"),
        ({"composed": None, "valor": None}, "autodavis"),
        ({"autodavis": SUITE}, "autodavis"),
        ({"mine": SUITE}, "mine"),
        ({"autodavis": None, "mine": SUITE}, "mine"),
    ],
)
def test_nothing_but_the_exam_is_asked_for(
    suites: dict[str, Any] | None, name: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Whatever the base says: its models, which may be paid, answer the exam alone."""
    base, mine = tmp_path / "base.yaml", tmp_path / "my.yaml"
    given = {"answer": {"models": [{"name": "chance", "engine": "chance"}]}}
    base.write_text(yaml.safe_dump(given | ({} if suites is None else {"suites": suites})))
    monkeypatch.chdir(ROOT)
    assert main(["exam", "request", "counting, hard", "--base", str(base)]) == 0
    mine.write_text(capsys.readouterr().out)
    for files in ([base, mine], [mine]):  # as the command says, and without the base
        project = load_layers([Path("params.yaml"), *files])
        assert [*project.suites] == [name]
    assert len(project.suite().corpus.subtasks) == 1


def test_all_is_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    for words, same in (("all", ""), ("everything, hard", "hard")):
        found, wanted = (corpus(asked(capsys, "request", each)[1]) for each in (words, same))
        assert found == wanted and len(found["subtasks"]) == 5


def test_show_prints_aspects_and_who_asks(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = asked(capsys, "show", "spatial")
    assert code == 0 and "spatial_understanding: 24 aspects, 24 of them" in out
    assert sum(line.startswith("    ") for line in out.splitlines()) == 24
    _, whole, _ = asked(capsys, "show")
    assert "cannot be planned yet" in whole and whole.count(" aspects, ") == 5


@pytest.mark.parametrize("n", ["0", "9999999999999"])
def test_images_are_a_number_that_can_be_drawn(n: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = asked(capsys, "request", "spatial", "--images", n)
    assert code and err.count("\n") == 1 and "--images" in err
