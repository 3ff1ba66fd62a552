"""Atomic checks are asked in one scenario; nothing else counts, ranks, shows or exports them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis import replay
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.errors import UserError
from lvlmbench.labelling.kinds.questions import questions as sheet
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.answer.kinds.memorizer import known
from lvlmbench.stages.exports.check import check_exports
from lvlmbench.stages.exports.source import Source
from lvlmbench.stages.metrics.agreement import write_agreement
from lvlmbench.stages.metrics.comparisons import write_comparisons
from lvlmbench.stages.metrics.metrics import write_metrics
from lvlmbench.stages.scenario.scenario import SCENARIOS
from lvlmbench.versions.content import Scenes, questions_of
from support.exam.checked import Site, checked, scenario_name, shown_in
from support.exam.made import params_of


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = checked(tmp_path_factory.mktemp("checked") / "snapshot")
    for at, model in enumerate(("one", "two", "three", "four")):
        ids = [row["question_id"] for row in made.questions]
        made.answer(model, lambda row, n=at, k=ids: k.index(row["question_id"]) % 4 >= n,
                    lambda row: False)  # fmt: skip
    return made


@pytest.fixture(scope="module")
def ids(site: Site) -> set[str]:
    return {row["question_id"] for row in site.checks}


def test_a_snapshot_holds_checks_apart(site: Site, ids: set[str]) -> None:
    found = site.snapshot
    assert len(ids) > len(site.questions) > 0
    assert {*found.checks["question_id"].to_pylist()} == ids
    assert {*found.asked} == {*found.images} == {"clean"}
    for questions in (found.questions, *found.asked.values()):
        assert not {*questions["question_id"].to_pylist()} & ids
    assert found.params.scenarios.counted == found.params.scenarios.conditions == ("clean",)
    assert found.params.scenarios.checking == (site.scenario,)


def test_each_scenario_asks_its_own(site: Site, ids: set[str]) -> None:
    asked = Asked(site.params, site.snapshot.data, site.snapshot.results)
    plain = [item.question_id for item in asked.items("clean")]
    assert sorted(plain) == sorted(row["question_id"] for row in site.questions)
    checks = [*asked.items(site.scenario)]
    assert sorted(item.question_id for item in checks) == sorted(ids)
    scene = site.checks[0]["scene_id"]
    assert not {item.question_id for item in asked.items_about("clean", [scene])} & ids
    assert {item.question_id for item in asked.items_about(site.scenario, [scene])} <= ids


def test_other_scenarios_are_made_without_them(site: Site) -> None:
    moved = {"name": "moved", "kind": "reordered"}
    scenarios = type(site.params.scenarios).model_validate(
        {"names": ["clean", "moved"], "noisy": [moved]}
    )
    exam = site.exam.__class__(
        **vars(site.exam) | {"params": site.params.model_copy(update={"scenarios": scenarios})}
    )
    shown = shown_in(exam, "moved")["question_id"].to_pylist()
    assert {*shown} == {row["question_id"] for row in site.questions}


def test_metrics_are_those_of_a_run_without_checks(site: Site, tmp_path: Path) -> None:
    data = site.snapshot.data
    made = {}
    for name, scenarios in (("with", ("clean", site.scenario)), ("without", ("clean",))):
        scores = [
            path
            for model in ("one", "two", "three", "four")
            for scenario in scenarios
            for path in tables.SCORES.shards(data, model=model, scenario=scenario)
        ]
        given: dict[str, Any] = {"scores": scores, "consensus": tables.CONSENSUS.shards(data)}
        questions, scenes = tables.QUESTIONS.shards(data), tables.SCENES.shards(data)
        out = tmp_path / name
        write_metrics(
            site.params, **given, questions=questions, scenes=scenes,
            out_parquet=out / "metrics.parquet", out_json=out / "metrics.json",
        )  # fmt: skip
        write_comparisons(
            site.params, **given, questions=questions, scenes=scenes,
            out=out / "comparisons.parquet",
        )  # fmt: skip
        write_agreement(
            site.params, **given, questions=questions, out=out / "agreement.parquet"
        )  # fmt: skip
        made[name] = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
    assert made["with"] == made["without"] and len(made["with"]) == 4


def test_tables_and_exports_and_sheets_do_not_know_them(site: Site, ids: set[str]) -> None:
    source = Source(site.params, site.snapshot.data, site.snapshot.results)
    assert not {each.question_id for each in source.examples("clean")} & ids
    for where in ("exports.scenarios", "--scenario"):
        with pytest.raises(UserError, match="use some of: clean"):
            site.snapshot.check_scenarios([site.scenario], where)
    exports = site.params.exports.model_copy(
        update={"formats": ("huggingface",), "scenarios": (site.scenario,)}
    )
    with pytest.raises(UserError, match="no scenario that models are asked in"):
        check_exports(site.params.model_copy(update={"exports": exports}), "here")
    said = [str(item.lines) for item in sheet(site.snapshot)]
    assert all(any(row["question"] in each for each in said) for row in site.questions)
    own = {check["question"] for check in site.checks} - {q["question"] for q in site.questions}
    assert own and not any(words in each for each in said for words in own)


def test_adaptive_tests_and_overlap_and_leaks_do_not_know_them(site: Site, ids: set[str]) -> None:
    found = site.snapshot
    stored = replay.stored_of(found, ["one", "two"], set())
    assert sorted(stored.ids) == sorted(row["question_id"] for row in site.questions)
    rows = questions_of([site.exam.questions], Scenes.of([site.exam.scenes]))
    assert len(rows.ids) == len(site.questions) and not {*rows.ids} & ids
    folders = [
        tables.QUESTIONS.folder(found.data),
        tables.IMAGES.folder(found.data, scenario="clean"),
    ]
    leaked = known(*folders, 3, 1.0)
    assert len(leaked) == len({(q["scene_id"], q["question"]) for q in site.questions})


def test_the_leaderboard_has_no_row_for_them(site: Site) -> None:
    data, results = site.snapshot.data, site.snapshot.results
    results.mkdir(parents=True, exist_ok=True)
    scores = [p for m in ("one", "two") for s in ("clean", site.scenario)
              for p in tables.SCORES.shards(data, model=m, scenario=s)]  # fmt: skip
    write_metrics(
        site.params, scores=scores, consensus=tables.CONSENSUS.shards(data),
        questions=tables.QUESTIONS.shards(data), scenes=tables.SCENES.shards(data),
        out_parquet=site.snapshot.folder(tables.METRICS), out_json=results / "metrics.json",
    )  # fmt: skip
    board = Leaderboard(site.snapshot)
    assert board.scenarios == ["clean"] and board.curves == []


def test_a_suite_without_checks_has_no_such_scenario() -> None:
    name = scenario_name()
    kind = SCENARIOS.get(name, "here")
    params = params_of(requests=("spatial_understanding",))
    both = {"names": ["clean", name], "noisy": [{"name": name}]}
    scenarios = type(params.scenarios).model_validate(both)
    params = params.model_copy(update={"scenarios": scenarios})
    assert kind.check is not None
    with pytest.raises(UserError, match="this suite makes none"):
        kind.check(params, scenarios.spec(name), "suites.autodavis.scenarios.noisy")
    alone = type(scenarios).model_validate({"names": [name], "noisy": [{"name": name}]})
    params = params_of(requests=("spatial_understanding",), atomic=True)
    params = params.model_copy(update={"scenarios": alone})
    with pytest.raises(UserError, match="no other scenario asks"):
        kind.check(params, alone.spec(name), "here")
