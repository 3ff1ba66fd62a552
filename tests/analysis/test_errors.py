"""Why answers are wrong: models whose mistakes are planted are told apart by their checks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.errors import Errors, Line, build
from lvlmbench.core.seeding import generator
from lvlmbench.scene.asking import Key
from lvlmbench.stages.report.browser.checks import checks_of
from lvlmbench.stages.report.formatting import environment
from support.exam.checked import Site, checked, element
from support.report_pages import words

Row = dict[str, Any]
MODELS = ["blind_to_places", "thoughtless", "lucky", "broken", "silent"]


def _owner(check: Row) -> str:
    key, _ = tables.checked_by(check["key"])
    return Key.read(key).question_id(check["scene_id"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = checked(tmp_path_factory.mktemp("errors") / "snapshot")
    spatial = {_owner(check) for check in made.checks if element(check) == "spatial"}
    first = {_owner(check): check["question_id"] for check in reversed(made.checks)}
    hard = {row["question_id"] for row in made.questions if row["level"] == "hard"}

    def guessed(row: Row) -> bool:
        return bool(generator(1, "guess", row["question_id"]).random() < row["chance"])

    # Sees no place, and so errs wherever one is needed.
    made.answer(
        "blind_to_places", lambda q: q["question_id"] not in spatial,
        lambda c: element(c) != "spatial",
    )  # fmt: skip
    made.answer("thoughtless", guessed, lambda c: True)
    made.answer("lucky", lambda q: True, lambda c: c["question_id"] != first[_owner(c)])
    made.answer(  # a check of each hard question failed, its others are right
        "broken", lambda q: False,
        lambda c: None if _owner(c) in hard and c["question_id"] == first[_owner(c)] else True,
    )  # fmt: skip
    made.answer("silent", lambda q: None, lambda c: None)
    return made


@pytest.fixture(scope="module")
def found(site: Site) -> Errors:
    board = SimpleNamespace(models=MODELS, questions="all")
    made = build(site.snapshot, board)  # type: ignore[arg-type]
    assert made is not None
    return made


def of(lines: list[Line], model: str) -> tuple[float | None, ...]:
    line = next(each for each in lines if each.model == model)
    shares = (line.comprehension, line.reasoning, line.undecided, line.lucky)
    return tuple(None if each is None else round(each.value, 4) for each in shares)


def test_models_that_err_for_other_reasons_are_told_apart(site: Site, found: Errors) -> None:
    n = len(site.questions)
    assert (found.questions, found.without) == (n, 0) and found.checks == len(site.checks)
    assert of(found.lines, "blind_to_places") == (1.0, 0.0, 0.0, None)
    assert of(found.lines, "thoughtless") == (0.0, 1.0, 0.0, 0.0)
    assert of(found.lines, "lucky") == (None, None, None, 1.0)
    assert of(found.lines, "silent") == (None, None, None, None)
    comprehension = found.lines[0].comprehension
    assert comprehension and comprehension.n == n and 0.5 < comprehension.low < 1
    reasoning = found.lines[1].reasoning
    assert reasoning and 0 < reasoning.n < n  # some were guessed


def test_what_failed_is_undecided_and_no_cause(site: Site, found: Errors) -> None:
    hard = sum(row["level"] == "hard" for row in site.questions) / len(site.questions)
    assert of(found.lines, "broken") == (0.0, round(1 - hard, 4), round(hard, 4), None)
    by_level = [line for line in found.by_level if line.model == "broken"]
    assert [line.part for line in by_level] == ["easy", "medium", "hard"]
    assert of(by_level[2:], "broken") == (0.0, 0.0, 1.0, None)
    assert [line.part for line in found.by_request] == ["spatial_understanding"] * len(MODELS)


def test_which_facts_are_missed(found: Errors) -> None:
    missed = found.missed["blind_to_places"]
    assert {e for e, share in missed.items() if share and share.value == 1} == {"spatial"}
    assert all(share and not share.value for e, share in missed.items() if e != "spatial")
    assert all(share is None for share in found.missed["silent"].values())
    assert 0 < found.guessed < 0.1


def test_a_run_without_the_scenario_has_no_section(site: Site) -> None:
    scenarios = type(site.params.scenarios).model_validate({"names": ["clean"], "noisy": []})
    params = site.params.model_copy(update={"scenarios": scenarios})
    other = type(site.snapshot)(params, site.snapshot.data, site.snapshot.results)
    board = SimpleNamespace(models=MODELS, questions="all")
    assert build(other, board) is None  # type: ignore[arg-type]
    assert checks_of(other, board, ["s"]) == {}  # type: ignore[arg-type]


def test_the_section_says_it(found: Errors) -> None:
    page = environment().get_template("errors.html.j2")
    said = words(page.render(errors=found, scenario="clean", counting="all questions"))
    assert "Why answers are wrong" in said and "blind_to_places100.0" in said
    assert f"{found.checks} checks of {found.questions} questions" in said
    assert "The same by level" in said and "The same by request" not in said


def test_item_pages_have_each_question_s_checks_with_what_models_say(
    site: Site,
) -> None:
    scenes = [row["scene_id"] for row in site.questions]
    board = SimpleNamespace(kind=lambda model: "model", models=["thoughtless", "lucky"])
    made = checks_of(site.snapshot, board, scenes)  # type: ignore[arg-type]
    assert {*made} == {row["question_id"] for row in site.questions}
    owners: dict[str, list[str]] = {}
    for check in site.checks:
        owners.setdefault(_owner(check), []).append(check["question_id"])
    assert {q: [c.question_id for c in found] for q, found in made.items()} == owners
    first = next(iter(made.values()))[0]
    assert [answer.outcome for answer in first.answers] == ["right", "wrong"]
    assert first.answers[0].text.head == "It is <b>so</b>."
