"""A project holds suites side by side; a job is given the parameters of one."""

from __future__ import annotations

import json

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.layers import merge
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.suites.suite import SUITES, Suite

TWO = {
    "suites": {
        "dysca": {"corpus": {"scenes_per_subtask": 3}},
        "more": {"kind": "dysca", "scenarios": {"names": ["clean"]}},
    },
    "render": {"size": 128},
}


def test_a_suite_has_its_own_settings_and_those_that_all_share() -> None:
    project = validate_project(TWO)
    one, other = project.suite("dysca"), project.suite("more")
    assert list(project.suites) == ["dysca", "more"]
    assert (one.suite, one.kind, other.suite, other.kind) == ("dysca", "dysca", "more", "dysca")
    assert one.corpus.scenes_per_subtask == 3
    assert other.corpus.scenes_per_subtask == 10
    assert (len(one.scenarios.names), other.scenarios.names) == (7, ("clean",))
    assert one.render is other.render
    assert one.render.size == 128


def test_the_name_may_be_left_out_where_there_is_one_suite_alone() -> None:
    assert validate_project({}).suite().suite == "dysca"
    with pytest.raises(KeyError, match="dysca, more"):
        validate_project(TWO).suite()
    with pytest.raises(KeyError):
        validate_project(TWO).suite("third")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"corpus": {"scenes_per_subtask": 3}}, "corpus: stands in a suite now; write 'suites: {"),
        ({"scenarios": {}}, "scenarios: stands in a suite now"),
        ({"render": {"rework": {}}}, "render.rework: is called 'retries' now; write 'retries:'"),
        (
            {"statistics": {"permutations": 999}},
            "statistics.permutations: is not needed any more; delete it",
        ),
        ({"suites": {"a": {"corpus": {"subtsks": []}}}}, "did you mean 'subtasks'?"),
        ({"suites": ["dysca"]}, "should be a section"),
        ({"suites": {}}, "at least 1"),
        ({"suites": {"dysca": None}}, "at least 1"),
        ({"suites": {"a.b": {}}}, "suites.a.b"),
        (
            {"suites": {"dysca": {"corpus": {"subtasks": ["depth"]}}}},
            "file.yaml: suites.dysca.corpus: 'depth' is not a subtask of dysca; use some of: style",
        ),
        (
            {"suites": {"mine": {"kind": "composed", "corpus": {"scenes": {"deepth": 2}}}}},
            "suites.mine.corpus: 'deepth' is not a subtask of composed; did you mean 'depth'?",
        ),
        ({"suites": {"composed": {"corpus": {"subtasks": []}}}}, "suites.composed.corpus.subtasks"),
    ],
)
def test_mistakes_are_one_line(data: dict[str, object], told: str) -> None:
    with pytest.raises(UserError) as caught:
        validate_project(data, "file.yaml")
    assert told in str(caught.value)
    assert str(caught.value).startswith("file.yaml: ")
    assert "\n" not in str(caught.value)


def test_suites_are_laid_over_each_other_by_name() -> None:
    over = {"suites": {"more": {"corpus": {"scenes_per_subtask": 1}}, "dysca": None}}
    merged = validate_project(merge(TWO, over))
    assert list(merged.suites) == ["more"]
    more = merged.suite("more")
    assert (more.kind, more.corpus.scenes_per_subtask) == ("dysca", 1)
    assert more.scenarios.names == ("clean",)


def test_subtasks_are_those_of_the_kind_where_none_are_named() -> None:
    few = {"kind": "composed", "corpus": {"subtasks": ["size", "depth"]}}
    project = validate_project({"suites": {"dysca": {}, "composed": {}, "few": few}})
    for name in ("dysca", "composed"):
        assert project.suite(name).corpus.subtasks == subtasks_of(name)
        assert project.suite(name).corpus.n_scenes == 10 * len(subtasks_of(name))
    assert project.suite("few").corpus.subtasks == ("size", "depth")
    dumped = json.loads(project.model_dump_json())
    assert validate_project(dumped) == project


def test_of_an_unknown_kind_all_is_taken_and_its_name_is_what_is_told() -> None:
    params = validate_project({"suites": {"dyska": {"corpus": {"subtasks": ["x"]}}}}).suite()
    assert params.corpus.subtasks == ("x",)
    with pytest.raises(UserError, match="did you mean 'dysca'"):
        check_names(params, "file.yaml")


def test_a_kind_without_subtasks_is_one_line_before_anything_runs() -> None:
    own = dict.fromkeys(("scenes", "questions", "prompt"), lambda self: None)
    with SUITES.temporarily({"bare": SUITES.of("bare", type("Bare", (Suite,), own))}):
        params = validate_project({"suites": {"bare": {}}}).suite()
        with pytest.raises(UserError, match=r"suites\.bare\.corpus\.subtasks: .* has no subtask"):
            check_names(params, "file.yaml")


def test_twins_need_even_numbers_of_scenes() -> None:
    def checked(**corpus: object) -> None:
        check_names(validate_project({"suites": {"composed": {"corpus": corpus}}}).suite(), "f")

    checked(scenes_per_subtask=4)
    checked(scenes_per_subtask=3, shard_scenes=5, composed={"twins": False})
    with pytest.raises(
        UserError, match=r"^f: suites\.composed\.corpus\.scenes_per_subtask: is 3, .*4"
    ):
        checked(scenes_per_subtask=3)
    with pytest.raises(UserError, match=r"corpus\.shard_scenes: is 5"):
        checked(shard_scenes=5)
    with pytest.raises(UserError, match=r"corpus\.scenes\.depth: is 1"):
        checked(scenes={"depth": 1})
