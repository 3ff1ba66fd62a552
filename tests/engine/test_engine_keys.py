"""A key that is missing is told when a run begins, where the run may need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_keys, keys_of
from lvlmbench.engine.preflight.servers import key_lines
from lvlmbench.engine.process import RUN
from lvlmbench.engine.setup import Dag
from support.answer_tables import KEY, endpoint


@pytest.fixture
def dag(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Dag:
    """A run of two served models, of which one needs a key, that has nothing made yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.delenv("TEST_KEY", raising=False)
    served = {"engine": "openai_chat", "endpoint": endpoint("http://h/v1", "x")}
    free = {"engine": "openai_chat", "endpoint": endpoint("http://h/v1", "x", api_key_env=None)}
    models = [{"name": "served", **served}, {"name": "free", **free}]
    config = {
        "answer": {"models": [*models, {"name": "chance", "engine": "chance"}]},
        "reference": {"models": []},
        "filter": {"filters": []},
        "suites": {
            "dysca": {"scenarios": {"names": ["clean"], "noisy": []}},
            "composed": None,
            "autodavis": None,
            "valor": None,
            "touchstone": None,
        },
    }
    return Dag.open(root, config, None)


def look_at(dag: Dag, model: str) -> None:
    """What Snakemake does with a job of the model: it asks what the job reads."""
    dag.given(f"answer/dysca/{model}/clean", "data/dysca/images/clean/part-00000.parquet")


def test_it_is_told_where_the_model_may_be_asked(dag: Dag, monkeypatch: pytest.MonkeyPatch) -> None:
    assert key_lines(dag.project, dag.asking()) == []  # e.g. who only renders
    for model in ("free", "chance"):
        look_at(dag, model)
    assert key_lines(dag.project, dag.asking()) == []
    look_at(dag, "served")
    (line,) = key_lines(dag.project, dag.asking())
    assert line.startswith("model 'served': the environment variable TEST_KEY is not set; unless")
    monkeypatch.setenv("TEST_KEY", " ")
    assert key_lines(dag.project, dag.asking()) == [line]
    monkeypatch.setenv("TEST_KEY", KEY)
    assert key_lines(dag.project, dag.asking()) == []


@pytest.mark.parametrize(("role", "stage"), [("examiner", "examiner"), ("validator", "check")])
def test_it_is_told_of_a_role(
    role: str, stage: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.delenv("TEST_KEY", raising=False)
    one = {"name": "gpt", "engine": "openai_chat", "endpoint": endpoint("http://h/v1", "x")}
    dag = Dag.open(root, {role: {f"{role}s": [one]}}, None)
    assert key_lines(dag.project, dag.asking()) == []
    dag.given(f"{stage}/dysca/gpt", ["data/dysca/scenes/part-00000.parquet"])
    (line,) = key_lines(dag.project, dag.asking())
    assert line.startswith(f"{role} 'gpt': the environment variable TEST_KEY is not set; unless")
    assert "TEST_KEY" in keys_of(dag.project).values()
    with pytest.raises(UserError, match=rf"{role}\.{role}s: gpt: endpoint\.api_key_env"):
        check_keys(dag.project, "params.yaml")


def test_it_is_told_of_a_planner(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.delenv("TEST_KEY", raising=False)
    one = {"name": "gpt", "engine": "openai_chat", "endpoint": endpoint("http://h/v1", "x")}
    dag = Dag.open(root, {"examiner": {"examiners": [one], "planners": ["gpt"]}}, None)
    dag.given("planner/dysca/gpt", [])
    (line,) = key_lines(dag.project, dag.asking())
    assert line.startswith("planner 'gpt': the environment variable TEST_KEY is not set; unless")


def test_it_is_not_told_where_all_answers_are_made(dag: Dag) -> None:
    look_at(dag, "served")
    item = "answer/dysca/served/clean"
    files = dag.plan.made(item, dag.paths.of(item))
    for file in files:
        assert len(key_lines(dag.project, dag.asking())) == 1
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).touch()
    assert key_lines(dag.project, dag.asking()) == []
