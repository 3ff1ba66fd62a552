"""An item depends on the kinds that it runs: a new engine has no other model asked again."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import pytest

from lvlmbench.config import Project, load_project
from lvlmbench.engine.imports import opened, run_alone
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


KIND = """
from lvlmbench.stages.answer.engine import MODELS
{0}
"""
CHANCE = "answer/kinds/chance.py"
#: Ways to have another kind answer that no name in the parameters tells.
ASKING = [
    "known = MODELS\nother = known.get('chance')",
    "from lvlmbench.stages.answer.engine import MODELS as M\nother = M.get('chance')",
    "from lvlmbench.core.registry import kinds_of\nother = lambda name: kinds_of(name)",
    "import importlib\nother = importlib.import_module('lvlmbench.stages.answer.kinds.chance')",
    "from lvlmbench.core.registry import kinds_of\nother = kinds_of('models').get('chance')",
    "from importlib import import_module as load\nload('lvlmbench.stages.answer.kinds.chance')",
    "import importlib\nimportlib.import_module(name='lvlmbench.stages.answer.kinds.chance')",
    "import importlib\nload = importlib.import_module",
    "from lvlmbench.stages.answer import kinds\nother = kinds.chance",
    "import lvlmbench.stages.answer.kinds",
    "from . import chance",
    "from ..kinds.chance import make",
]


@pytest.mark.parametrize("asks", ASKING)
def test_code_that_does_not_say_which_kind_it_runs_depends_on_all(
    tmp_path: Path, asks: str
) -> None:
    folder = "lvlmbench/stages/answer/kinds"
    (tmp_path / folder).mkdir(parents=True)
    for name, text in {"probed": KIND.format(asks), "plain": KIND.format("")}.items():
        (tmp_path / folder / f"{name}.py").write_text(text)
    for name, whole in (("probed", True), ("plain", False)):
        own = {"models": [f"{folder}/{name}.py"]}
        assert (run_alone(tmp_path, [], {"models": folder}, own).kinds == {}) is whole


def test_data_beside_a_kind_is_read_by_it(tmp_path: Path) -> None:
    folder = tmp_path / "kinds"
    (folder / "data").mkdir(parents=True)
    for name in ("__init__.py", "one.py", "two.py", "one.json", "data/more.json"):
        (folder / name).write_text("")
    found = opened(tmp_path, ["kinds"], {"kinds": {"one.py"}})
    assert {Path(path).name for path in found} == {"__init__.py", "one.py", "one.json", "data"}


@pytest.mark.parametrize("made", ["of another package", "by a function from elsewhere"])
def test_a_kind_that_stands_in_no_file_of_its_folder_depends_on_all(made: str) -> None:
    from lvlmbench.stages.answer.engine import MODELS

    kind = MODELS.get("chance", "here")
    make = functools.partial(kind.make) if made.startswith("of") else load_project
    other = dataclasses.replace(kind, name="foreign", make=make)
    params = load_project(ROOT / "params.yaml")
    answer = params.answer.model_validate({"models": [{"name": "own", "engine": "foreign"}]})
    with MODELS.temporarily({"foreign": other}):
        found = pipeline(params.model_copy(update={"answer": answer}), ROOT)
    assert runs(found, "answer/dysca/own/clean", CHANCE)
