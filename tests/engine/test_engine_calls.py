"""What a run says of the requests that it is going to make, and of what they may cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Params, Project, validate_project
from lvlmbench.config.layers import merge
from lvlmbench.config.shards import image_shards
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.calls import _EXAM, _examines, _judged, call_lines
from lvlmbench.engine.expected import Job
from lvlmbench.engine.messages import plan_lines
from lvlmbench.engine.seals import Seal, write_seal
from lvlmbench.stages.answer.engine import Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path
from lvlmbench.stages.judge.exam.run import calls
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.dysca import Dysca
from lvlmbench.suites.suite import suite_of
from support.exam.made import drawn, params_of
from support.judge_checks.asked import Asked

PRICED = {
    "base_url": "http://localhost:1/v1",
    "model": "served",
    "api_key_env": None,
    "price_per_million": [1.0, 10.0],
    "sampling": {"max_tokens": 1000},
}

_RATED = "touchstone_simple"


def _served(name: str, **endpoint: Any) -> dict[str, Any]:
    return {"name": name, "engine": "openai_chat", "endpoint": {**PRICED, **endpoint}}


def _project(root: Path, **judge: Any) -> Project:
    """The default with a served model beside chance, and a served judge beside the embedded."""
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    judges = [{"name": "lexical", "engine": "lexical"}, _served("paid", budget_usd=3.0)]
    free = _served("mine", price_per_million=None)
    models = [{"name": "chance", "engine": "chance"}, free]
    more = {"answer": {"models": models}, "judge": {"judges": judges, **judge}}
    return validate_project(merge(given, more))


def _jobs(project: Project, rule: str, **of: str) -> list[Job]:
    shards = image_shards(project.suite(of["suite"])) if rule == "answer" else 1
    return [Job(n, rule, f"{rule}-{n}", "", of) for n in range(shards)]


def test_a_model_behind_a_server_is_told_with_its_requests(root: Path) -> None:
    project = _project(root)
    asked = _jobs(project, "answer", suite="dysca", model="mine", scenario="clean")
    free = _jobs(project, "answer", suite="dysca", model="chance", scenario="clean")
    # 200 scenes of 3.34 questions.
    assert call_lines(project, [*asked, *free]) == [
        "asked: mine: about 670 requests, no price is known"
    ]
    assert call_lines(project, free) == []


def test_where_answers_are_kept_the_number_is_the_most_that_is_sent(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with AnswerCache(default_path()) as cache:
        cache.put("0" * 64, Reply("A", "answered", served_model="served"))
    project = _project(root)
    asked = _jobs(project, "answer", suite="dysca", model="mine", scenario="clean")
    most = "asked: mine: at most about 670 requests, no price is known; answers that are kept"
    assert call_lines(project, asked) == [f"{most} are not sent again"]
    rows = [
        dict.fromkeys(tables.ANSWERS.names)
        | {"model": "mine", "scenario": "clean", "question_id": f"q{n}", "attempts": 1}
        | {"status": "error" if n < 5 else "answered"}
        for n in range(40)
    ]
    path = Path("data/dysca/answers/mine/clean/part-00000.parquet")
    tables.write(tables.ANSWERS.of(rows), path, tables.ANSWERS, "x")
    assert call_lines(project, asked) == [
        f"{most} are not sent again (35 of the last run; 5 failed)"
    ]
    scenes = _jobs(project, "scenes", suite="dysca")  # as with another seed
    assert call_lines(project, [*scenes, *asked]) == [f"{most} are not sent again"]
    for seed, n in ((project.snapshot.seed + 1, 0), (project.snapshot.seed, 35)):
        of = Seal(params={"snapshot": {"seed": seed}}, code={}, inputs={}, outs={})
        write_seal(Path("data/seals/scenes/dysca.json"), of)
        told = f" ({n} of the last run; 5 failed)" if n else ""
        assert call_lines(project, asked) == [f"{most} are not sent again{told}"]
    another = Seal(params={"item.model": {"name": "mine"}}, code={}, inputs={}, outs={})
    write_seal(Path("data/seals/answer/dysca/mine/clean.json"), another)
    assert call_lines(project, asked) == [f"{most} are not sent again"]


def test_a_suite_says_itself_what_it_asks(root: Path) -> None:
    project = _project(root)
    asked = _jobs(project, "answer", suite="composed", model="mine", scenario="clean")
    # 360 scenes, a question of each of three types, and of two of these up to two more.
    (line,) = call_lines(project, asked)
    assert line == "asked: mine: about 1,600 requests, no price is known"


def test_a_judge_is_told_with_its_repairs_and_its_budget(root: Path) -> None:
    project = _project(root, repairs=1)
    of = {"judge": "paid", "model": "mine", "scenario": "clean"}
    asked = _jobs(project, "judge", suite="dysca", **of)
    # 126 free answers, each read and held; 2,000 and 1,000 tokens at 1 and 10 dollars a million.
    assert call_lines(project, asked) == [
        "asked: judge paid: about 250 to 500 requests, at most about $6.00 (budget $3.00)"
    ]
    # Of this suite none is answered freely.
    assert call_lines(project, _jobs(project, "judge", suite="composed", **of)) == []


def test_an_extractor_is_told_beside_its_judge_and_takes_half_of_the_claims(root: Path) -> None:
    other = {"extractor": {**_served("reader"), "name": "reader"}}
    project = _project(root)
    judges = [each.model_dump(mode="json") for each in project.judge.judges]
    judges[1] |= other
    project = _project(root, judges=judges)
    of = {"judge": "paid", "model": "mine", "scenario": "clean"}
    lines = call_lines(project, _jobs(project, "judge", suite="dysca", **of))
    assert [line.partition(" requests")[0] for line in lines] == [
        "asked: judge paid: about 130 to 380",
        "asked: judge paid: extractor: about 130 to 380",
    ]


def test_pairs_and_the_exam_count_and_the_embedded_judge_does_not(root: Path) -> None:
    project = _project(root, repairs=0, pairs=True, exam=10)
    of = {"model": "mine", "scenario": "clean"}
    judged = _jobs(project, "judge", suite="dysca", judge="paid", **of)
    exam = _jobs(project, "examine", suite="dysca")
    (line,) = call_lines(project, judged)
    assert line.startswith("asked: judge paid: about 500 requests, ")
    (line,) = call_lines(project, [*judged, *exam])
    assert line.startswith("asked: judge paid: about 1,400 requests, ")
    own = _jobs(project, "judge", suite="dysca", judge="lexical", **of)
    assert call_lines(project, own) == []


def test_examiners_share_the_pictures_of_suites_that_have_them(root: Path) -> None:
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    examiners = [_served("one", budget_usd=3.0), _served("two", price_per_million=None)]
    more = {"examiner": {"examiners": examiners, "adjust": 2, "repairs": 3}}
    project = validate_project(merge(given, more))
    jobs = [j for name in ("one", "two")
            for j in _jobs(project, "examiner", suite="autodavis", examiner=name)]  # fmt: skip
    # A question and two options about each of 720 pictures, each asked for four times at most.
    one, two = call_lines(project, jobs)
    assert one.startswith("asked: examiner one: about 1,100 to 4,300 requests, at most about $")
    assert one.endswith(" (budget $3.00)")
    assert two == "asked: examiner two: about 1,100 to 4,300 requests, no price is known"
    assert call_lines(project, _jobs(project, "examiner", suite="dysca", examiner="one")) == []


def test_validators_are_asked_each_check_and_planted_ones(root: Path) -> None:
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    more = {"validator": {"validators": [_served("one")], "planted": 2, "repairs": 1}}
    project = validate_project(merge(given, more))
    # Six checks of each of 720 pictures and two that are planted, each asked for twice at most.
    (line,) = call_lines(project, _jobs(project, "check", suite="autodavis", validator="one"))
    assert line.startswith("asked: validator one: about 5,800 to 12,000 requests, at most about $")
    assert call_lines(project, _jobs(project, "check", suite="dysca", validator="one")) == []


def test_atomic_checks_are_told_by_their_own_number(root: Path) -> None:
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    both = {"names": ["clean", "facts"], "noisy": [{"name": "facts", "kind": "atomic_checks"}]}
    suite = {"kind": "autodavis", "corpus": {"autodavis": {"atomic": True}}, "scenarios": both}
    more = {"answer": {"models": [_served("mine")]}, "suites": {"autodavis": suite}}

    def told(scenario: str, **also: Any) -> str:
        project = validate_project(merge(given, {**more, **also}))
        of = {"suite": "autodavis", "model": "mine", "scenario": scenario}
        return " ".join(call_lines(project, _jobs(project, "answer", **of)))

    # About one and a half questions about each of 720 pictures.
    assert told("clean").startswith("asked: mine: about 1,100 requests, ")
    # 2.6 of each of 810 questions: of 180 pictures rules ask none. What examiners ask has none.
    assert told("facts").startswith("asked: mine: about 2,100 requests, ")
    assert told("facts", examiner={"examiners": [_served("one")]}) == ""


def test_questions_have_about_as_many_checks_as_is_told() -> None:
    params = params_of(scenes=24, at=("medium",), atomic=True)
    made = tables.of_scenario(drawn(params).questions, checks=True)
    assert len(made) == pytest.approx(suite_of(params).planned_checks(params), rel=0.1)
    assert suite_of(params).planned_checks(params_of(scenes=24, at=("medium",))) == 0


def test_the_plan_of_a_run_ends_with_them(root: Path) -> None:
    project = _project(root)
    asked = _jobs(project, "answer", suite="dysca", model="mine", scenario="clean")
    assert plan_lines(project, asked, 2)[3:] == call_lines(project, asked)


def test_the_exam_asks_about_as_often_as_is_told() -> None:
    asked = calls(Asked(scenes=40).grounds, seed=1, per_kind=4)
    assert asked == pytest.approx(4 * _EXAM, rel=0.05)


def test_a_planner_is_asked_for_aspects_and_for_what_no_rules_plan(root: Path) -> None:
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    more = {"examiner": {"examiners": [_served("one", budget_usd=3.0)], "planners": ["one"]}}

    def lines(suite: dict[str, Any]) -> list[str]:
        suites = {"suites": {"autodavis": {"kind": "autodavis", **suite}}}
        project = validate_project(merge(given, {**more, **suites}))
        return call_lines(project, _jobs(project, "planner", suite="autodavis", planner="one"))

    # Twelve of the 24 aspects of meaning have no family: two rounds at three levels.
    corpus = {"subtasks": ["semantic_understanding"], "scenes_per_subtask": 144}
    assert lines({"corpus": corpus}) == [
        "asked: planner one: about 72 to 290 requests, at most about $3.77 (budget $3.00)"
    ]
    # And a call for general aspects, and one for each of the four.
    own = {"subtasks": ["own_request"], "scenes_per_subtask": 72, "autodavis": {"words": "traffic"}}
    assert lines({"corpus": own})[0].startswith("asked: planner one: about 77 to 310 requests")
    spatial = {"subtasks": ["spatial_understanding"], "scenes_per_subtask": 72}
    assert lines({"corpus": spatial}) == []


def _dialogue(root: Path, kind: str, **corpus: Any) -> Params:
    given = read_yaml(root / "params.yaml")
    assert isinstance(given, dict)
    project = validate_project(merge(given, {"suites": {"own": {"kind": kind, "corpus": corpus}}}))
    return project.suite("own")


def test_answers_of_dialogue_are_compared_and_descriptions_read_and_rated(root: Path) -> None:
    """Two requests a pair, and of a description two for its claims and one to rate it; tasks
    count by their scenes."""
    subtasks = ["touchstone_simple", "touchstone_story"]

    def asked(**more: Any) -> float:
        return _judged(_dialogue(root, "touchstone", subtasks=subtasks, **more))

    assert asked(scenes_per_subtask=10) == 10 * 5 + 10 * 2
    assert asked(scenes_per_subtask=10, scenes={"touchstone_story": 90}) == 10 * 5 + 90 * 2
    assert asked(scenes_per_subtask=10, scenes={"touchstone_simple": 90}) == 90 * 5 + 10 * 2


def test_of_a_table_of_ones_own_no_claims_are_asked_for_and_no_exam(root: Path) -> None:
    """Two requests a pair and one to rate a description: nobody lists what photographs show."""
    subtasks = ["touchstone_simple", "touchstone_meme"]
    params = _dialogue(root, "touchstone_bench", subtasks=subtasks, scenes_per_subtask=7)
    assert _judged(params) == 7 * 3 + 7 * 2
    assert not _examines(params) and _examines(_dialogue(root, "touchstone"))


def test_tasks_beside_those_of_dialogue_are_judged_as_ever(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claims of all of them are read; those of dialogue alone are compared."""
    tasks = {"animal": replace(TASKS[_RATED], rated=False)}
    monkeypatch.setattr(Dysca, "dialogue", lambda self, params: tasks)
    params = _project(root).suite("dysca")
    free = suite_of(params).planned(params)[1]
    share = params.corpus.count("animal") / params.corpus.n_scenes
    assert 0 < share < 1
    assert _judged(params) == pytest.approx(2 * free)
    monkeypatch.setattr(Dysca, "dialogue", lambda self, params: {"animal": TASKS[_RATED]})
    assert _judged(params) == pytest.approx(2 * free + 3 * free * share)


def test_pictures_of_a_server_and_who_looks_at_them_are_told(root: Path) -> None:
    section = {"base_url": "http://localhost:1/v1", "model": "painter", "api_key_env": None}
    exam = {"truth": "description", "words": "reading traffic", "general": 2, "fine": 2}
    suite = {
        "kind": "autodavis",
        "corpus": {"subtasks": ["own_request"], "scenes_per_subtask": 60, "autodavis": exam},
    }
    given = {
        "suites": {"exam": suite},
        "render": {
            "renderer": "openai_images",
            "openai_images": {**section, "price_per_image": 0.04},
        },
        "examiner": {"examiners": [_served("gpt")], "planners": ["gpt"]},
        "validator": {"validators": [_served("eye")]},
    }
    project = validate_project(given)
    lines = call_lines(project, _jobs(project, "render", suite="exam"))
    assert lines[0] == (
        "asked: openai_images: about 60 pictures, about $2.40; more where some are drawn anew"
    )
    assert lines[1].startswith("asked: validator eye: about 360 to ")
