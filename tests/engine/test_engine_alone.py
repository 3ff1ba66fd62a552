"""An item depends on the kinds that it runs: a new engine has no other model asked again."""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
from pathlib import Path

import pytest

from lvlmbench.config import Project, load_project
from lvlmbench.config.judging import Judge
from lvlmbench.core.registry import HOMES, kinds_of
from lvlmbench.engine import asking
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
    # One job examines all judges, and asks no model.
    ("examine/dysca", "answer/kinds/openai_chat", "judge/kinds/lexical"),
    # What few ask: formats of prompts for local weights, engines that read or look, strategies.
    ("answer/dysca/chance/clean", "answer/local/kinds", "answer/engine.py"),
    ("answer/dysca/chance/clean", "filter/ocr/kinds", "answer/engine.py"),
    ("judge/dysca/lexical/chance/clean", "score/kinds", "judge/judge.py"),
    ("filter/dysca/clip", "filter/ocr/kinds", "filter/filter.py"),
    ("filter/dysca/ocr", "filter/safety/kinds", "filter/ocr/kinds"),
    ("figures/dysca", "score/kinds", "figures/figure.py"),
    # What runs no kind at all of what others run, as its stage says.
    ("exports/dysca", "answer/kinds/openai_chat", "exports/kinds"),
    ("exports/dysca", "judge/kinds/lexical", "answer/asked.py"),
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


def test_who_examines_a_model_as_a_judge_depends_on_all_kinds(default: Project) -> None:
    served = {"name": "served", "engine": "openai_chat",
              "endpoint": {"base_url": "http://localhost:1/v1", "model": "m"}}  # fmt: skip
    judge = default.judge.model_copy(
        update={"judges": (*default.judge.judges, Judge.model_validate(served))}
    )
    found = pipeline(default.model_copy(update={"judge": judge}), ROOT)
    assert runs(found, "examine/dysca", "answer/kinds/openai_chat")


def test_who_asks_for_what_few_ask_depends_on_all_of_it(found: Pipeline) -> None:
    assert runs(found, "score/dysca/chance/clean", "score/kinds/new.py")
    # It looks at each image as it is drawn with filters that it asks for, and one of them reads.
    assert runs(found, "render/dysca", "filter/ocr/kinds/new.py")


def test_an_engine_for_local_weights_depends_on_all_formats(default: Project) -> None:
    engine = "transformers_vlm"
    local = {"name": "own", "engine": engine, "transformers": {"model": "/models/own"}}
    answer = default.answer.model_validate({"models": [local]})
    found = pipeline(default.model_copy(update={"answer": answer}), ROOT)
    assert runs(found, "answer/dysca/own/clean", "answer/local/kinds/new.py")


#: Ways to find any kind of any registry without a word of which.
FINDING = [
    "from lvlmbench.core.registry import kinds_of\nother = lambda name: kinds_of(name)",
    "from lvlmbench.core.registry import registry_of\nother = lambda name: registry_of(name)",
    "from lvlmbench.core.registry import registry_of\nother = map(registry_of, NAMES)",
    "from lvlmbench.core.registry import either\nother = lambda a, b: either(a, b)",
    "from lvlmbench.core.registry import either\nother = lambda b: either('metrics', second=b)",
    "from lvlmbench.core.registry import either as both\nother = lambda a, b: both(a, b)",
    "import lvlmbench.core.registry\nother = lvlmbench.core.registry._MADE",
    "from lvlmbench.core.registry import _MADE\nother = _MADE",
    "import sys\nother = sys.modules",
    "import sys as system\nother = system.modules",
    "from sys import modules\nother = modules",
    "from importlib.metadata import entry_points\nother = entry_points(group=GROUP)",
    "import runpy\nother = lambda name: runpy.run_module(name)",
]

KIND = """
from lvlmbench.stages.answer.engine import MODELS
{0}
"""
CHANCE = "answer/kinds/chance.py"
#: Ways to have another kind answer that no name in the parameters tells.
ASKING = [
    "known = MODELS\nother = known.get('chance')",
    "from lvlmbench.stages.answer.engine import MODELS as M\nother = M.get('chance')",
    *FINDING,
    "from lvlmbench.core.registry import either\nother = either('metrics', 'models')",
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


FEW = "lvlmbench/stages/answer/local/kinds"
HOME = """
from lvlmbench.core.registry import Kinds
FORMATS = Kinds("prompt_formats", "lvlmbench.stages.answer.local.kinds", object)
FORMATS.register("one")(object)
"""
#: Ways to have one of the kinds at work that few ask for.
ASKING_FEW = [
    "form = FORMATS.get('one')",
    "from lvlmbench.stages.answer.local.format import FORMATS as F\nform = F.get('one')",
    "from lvlmbench.stages.answer.local import format\nform = format.FORMATS",
    "from lvlmbench.core.registry import kinds_of\nform = kinds_of('prompt_formats')",
    *FINDING,
    "from lvlmbench.core.registry import either\nform = either('metrics', 'prompt_formats')",
    "from lvlmbench.stages.answer.local import kinds\nform = kinds.one",
    "class Own(Engined):\n    registry = 'prompt_formats'",
    "form = getattr(format, 'FORMATS')",
    "NAME = 'prompt_formats'",
]


#: A folder of kinds as a whole.
AS_A_WHOLE = [
    "from {0} import kinds",
    "from {0} import kinds as other",
    "import {0}.kinds",
    "import {0}.kinds as other",
    "import {0}\nother = {0}.kinds",
    "import {0} as it\nother = it.kinds",
]


@pytest.mark.parametrize("asks", AS_A_WHOLE)
@pytest.mark.parametrize("registry", [*asking.RUN_ALONE, *asking.ASKED])
def test_code_that_has_a_folder_of_kinds_as_a_whole_may_run_any(registry: str, asks: str) -> None:
    package = kinds_of(registry).package
    assert package.endswith(".kinds")
    text = asks.format(package.removesuffix(".kinds"))
    assert asking.ANY in asking.asked(text.encode(), ast.parse(text))


@pytest.mark.parametrize(
    ("made", "known"),
    [
        ('FORMATS = Kinds("prompt_formats", HERE, object)', True),
        ('FORMATS: Kinds[object] = Kinds("prompt_formats", HERE, object)', True),
        ('FORMATS = OTHER = Kinds("prompt_formats", HERE, object)', False),
        ('OTHER = FORMATS = Registry("prompt_formats", HERE)', False),
        ('_ALL = Kinds("prompt_formats", HERE, object)', False),
        ('STRATEGIES = Kinds("prompt_formats", HERE, object)', False),
        ('FORMATS, OTHER = 2 * [Kinds("prompt_formats", HERE, object)]', False),
        ('form = Kinds("prompt_formats", HERE, object).get("one", "here")', False),
        ('FORMATS = Kinds("prompt_formats", HERE, object)\nOTHER = FORMATS', False),
    ],
)
def test_a_registry_is_known_by_its_own_variable_alone(made: str, known: bool) -> None:
    assert (asking.asked(made.encode(), ast.parse(made)) == set()) is known


@pytest.mark.parametrize("asks", ["", *ASKING_FEW])
def test_code_that_asks_for_what_few_ask_depends_on_all_of_it(tmp_path: Path, asks: str) -> None:
    folders = {"prompt_formats": FEW}
    for path, text in {
        f"{FEW}/one.py": "",
        "lvlmbench/stages/answer/local/format.py": HOME,
        "scripts/it.py": "import lvlmbench.stages.answer.local.format\n" + asks,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = run_alone(tmp_path, ["scripts/it.py"], folders, {}).kinds
    assert found == ({} if asks else {FEW: set()})


def test_what_is_needed_as_a_whole_may_ask_for_more(tmp_path: Path) -> None:
    """A job asks for any engine, and one of the engines, which nothing names, for any format."""
    engines = "lvlmbench/stages/answer/kinds"
    for path, text in {
        f"{FEW}/one.py": "",
        f"{engines}/local.py": "form = FORMATS.get('one')",
        "lvlmbench/stages/answer/engine.py": f'MODELS = Kinds("models", "{engines}", object)',
        "scripts/plain.py": "import lvlmbench.stages.answer.engine",
        "scripts/asks.py": "import lvlmbench.stages.answer.engine\nother = MODELS.get('local')",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text.replace(f'"{engines}"', f'"{engines}"'.replace("/", ".")))
    folders = {"prompt_formats": FEW, "models": engines}
    needed = {s: run_alone(tmp_path, [f"scripts/{s}.py"], folders, {}) for s in ("plain", "asks")}
    assert needed["plain"].kinds == {FEW: set(), engines: set()} and needed["asks"].kinds == {}


def test_the_variables_of_registries_are_known() -> None:
    """Code asks a registry by its variable, so each must be known by the one that it has."""
    for variable, name in asking._NAMES.items():
        assert getattr(importlib.import_module(HOMES[name]), variable).kind == name


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
