"""An item depends on the kinds that it runs: a new engine has no other model asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.config import Project, load_project
from lvlmbench.engine.stages import Pipeline, pipeline
from lvlmbench.stages.stage import lies_in

ROOT = Path(__file__).parents[2]

#: An item, a file of a kind that it does not run, and one that it runs or that all kinds share.
ALONE = [
    ("scenario/dysca/clean", "scenario/kinds/blind.py", "scenario/kinds/clean.py"),
    ("scenario/dysca/clean", "scenario/kinds/corruption", "scenario/scenario.py"),
    ("scenario/dysca/corruption", "scenario/kinds/adversarial", "scenario/kinds/corruption"),
    ("answer/dysca/chance/clean", "answer/kinds/reference.py", "answer/kinds/chance.py"),
    ("answer/dysca/chance/clean", "filter/kinds/clip.py", "answer/engine.py"),
    ("filter/dysca/ocr", "filter/kinds/clip.py", "filter/kinds/ocr.py"),
    ("judge/dysca/lexical/chance/clean", "answer/kinds/openai_chat", "judge/kinds/lexical"),
]


@pytest.fixture(scope="module")
def default() -> Project:
    return load_project(ROOT / "params.yaml")


@pytest.fixture(scope="module")
def found(default: Project) -> Pipeline:
    """The default run, with a model that is made of another one."""
    leaked = {"name": "leaked", "engine": "memorizer", "memorizer": {"leaked": "dysca"}}
    answer = default.answer.model_validate(
        {"models": [{"name": "chance", "engine": "chance"}, leaked]}
    )
    return pipeline(default.model_copy(update={"answer": answer}), ROOT)


def runs(found: Pipeline, item: str, file: str) -> bool:
    deps = found.items[item].deps
    return any(lies_in(f"lvlmbench/stages/{file}", dep) for dep in deps)


@pytest.mark.parametrize(("item", "other", "own"), ALONE)
def test_an_item_depends_on_the_kinds_that_it_runs_alone(
    found: Pipeline, item: str, other: str, own: str
) -> None:
    assert runs(found, item, own) and not runs(found, item, other)
    assert runs(found, "report", other), "who tells of all kinds reads all"


def test_a_kind_that_asks_its_registry_depends_on_all_kinds(found: Pipeline) -> None:
    """The engine ``memorizer`` has another one answer, which it finds by its name."""
    assert runs(found, "answer/dysca/leaked/clean", "answer/kinds/reference.py")
