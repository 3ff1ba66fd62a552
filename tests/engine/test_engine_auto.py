"""What ``render.renderer: auto`` stands for is told when a run begins, where the run draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lvlmbench.engine import setup
from lvlmbench.engine.following import FOLLOWED
from lvlmbench.engine.process import RUN
from lvlmbench.engine.setup import Dag
from lvlmbench.stages.render.choice import Choice

Opened = Callable[[str], Dag]


@pytest.fixture
def opened(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Begins a run of a renderer in which nothing is made yet, where there is no GPU."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.setenv(FOLLOWED, "")
    choice(monkeypatch, "pictograph", "no GPU is in sight")

    def dag(renderer: str) -> Dag:
        config = {
            "render": {"renderer": renderer, "diffusion": {"model": "weights/sdxl"}},
            "reference": {"models": []},
            "filter": {"filters": []},
            "suites": {
                "dysca": {"scenarios": {"names": ["clean"], "noisy": []}},
                "composed": None,
                "autodavis": None,
                "valor": None,
                "touchstone": None,
            },
            "answer": {"models": [{"name": "chance", "engine": "chance"}]},
            "validity": {"kmmd": {"encoder": None}},
        }
        return Dag.open(root, config, None)

    return dag


def choice(monkeypatch: pytest.MonkeyPatch, renderer: str, why: str) -> None:
    """Has ``auto`` stand for a renderer."""
    monkeypatch.setattr(setup, "chosen", lambda _: Choice(renderer, why))


def look_at(dag: Dag) -> None:
    """What Snakemake does with a job that draws: it asks what the job reads."""
    dag.given("render/dysca", "data/dysca/scenes/part-00000.parquet")


@pytest.mark.long
def test_the_choice_and_its_reason_are_told(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = opened("auto")
    assert dag.who_draws() == [], "e.g. who only plans scenes"
    look_at(dag)
    line = "render.renderer: auto: pictograph draws: no GPU is in sight"
    assert dag.who_draws() == [line]
    choice(monkeypatch, "diffusion", "weights and a GPU were found")
    line = "render.renderer: auto: diffusion draws with weights/sdxl: weights and a GPU were found"
    assert dag.who_draws() == [line]


def test_nothing_is_told_where_all_is_drawn(opened: Opened) -> None:
    dag = opened("auto")
    look_at(dag)
    files = dag.plan.made("render/dysca", dag.paths.of("render/dysca"))
    for file in files:
        assert len(dag.who_draws()) == 1
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).touch()
    assert dag.who_draws() == []


def test_nothing_is_told_where_a_renderer_is_named(opened: Opened) -> None:
    dag = opened("pictograph")
    look_at(dag)
    assert dag.who_draws() == []


def test_jobs_on_other_machines_draw_with_what_the_run_chose(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened("auto").start()
    choice(monkeypatch, "diffusion", "weights and a GPU were found")
    node = opened("auto")
    node.follow()
    assert node.params.render.renderer == "pictograph"
    assert node.config == opened("auto").config, "the job is given the parameters as they are"


def test_a_renderer_that_is_named_is_followed_everywhere(opened: Opened) -> None:
    opened("pictograph").start()
    node = opened("pictograph")
    node.follow()
    assert node.params.render.renderer == "pictograph"


def test_jobs_on_other_machines_have_the_parameters_of_their_run(opened: Opened) -> None:
    """Whoever edits params.yaml while jobs wait changes no file of the run's build folders."""
    run = opened("pictograph")
    run.start()
    node = opened("diffusion")
    assert node.config == run.config and node.params == run.params
    assert node.build("render/dysca") == run.build("render/dysca")
