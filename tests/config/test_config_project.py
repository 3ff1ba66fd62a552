"""A project holds suites side by side; a job is given the parameters of one."""

from __future__ import annotations

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.layers import merge
from lvlmbench.core.errors import UserError

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
    assert other.corpus.scenes_per_subtask == 20
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
        ({"suites": {"a": {"corpus": {"subtsks": []}}}}, "did you mean 'subtasks'?"),
        ({"suites": ["dysca"]}, "should be a section"),
        ({"suites": {}}, "at least 1"),
        ({"suites": {"dysca": None}}, "at least 1"),
        ({"suites": {"a.b": {}}}, "suites.a.b"),
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
