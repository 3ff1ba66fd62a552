"""An item depends on the suite that its parameters are of: another suite costs it nothing."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.analysis.labels import in_tables
from lvlmbench.config import SUBTASKS, Project, load_project
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.registry import LAST, kinds_of
from lvlmbench.engine import imports
from lvlmbench.engine.imports import run_alone
from lvlmbench.engine.stages import Pipeline, pipeline
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.stage import lies_in
from lvlmbench.suites.suite import SUITES, Suite

ROOT = Path(__file__).parents[2]
FOLDER = "lvlmbench/suites"

#: An item, a suite that it does not run, and what it runs or all suites share.
ALONE = [
    ("scenes/composed", "dysca", "composed/skills"),
    ("scenes/dysca", "composed", "dysca/subtasks"),
    ("render/valor", "autodavis", "valor"),
    ("questions/autodavis", "dysca", "graphs"),
    ("filter/composed/clip", "dysca", "composed"),
    ("scenario/dysca/clean", "graphs", "dysca"),
    ("answer/composed/reference_a/clean", "dysca", "instructions.py"),
    ("judge/touchstone/lexical/chance/clean", "dysca", "touchstone"),
    ("score/composed/chance/clean", "dysca", "composed"),
    ("scenes/touchstone", "dysca", "composed"),  # of which it imports some
    ("consensus/composed", "dysca", "composed"),
    ("metrics/valor", "touchstone", "valor"),
    ("exports/composed", "dysca", "composed"),
    ("validity/dysca", "autodavis", "dysca"),
    ("figures/dysca", "composed", "dysca"),
    ("examine/dysca", "valor", "dysca"),
    ("hallucination/valor", "touchstone", "valor"),
    ("dialogue/touchstone", "autodavis", "touchstone"),
]


@pytest.fixture(scope="module")
def default() -> Project:
    return load_project(ROOT / "params.yaml")


@pytest.fixture(scope="module")
def found(default: Project) -> Pipeline:
    return pipeline(default, ROOT)


def runs(found: Pipeline, item: str, path: str) -> bool:
    return any(lies_in(f"{FOLDER}/{path}", dep) for dep in found.items[item].deps)


def draws(found: Pipeline, item: str) -> bool:
    return "lvlmbench/stages/render" in found.items[item].deps


@pytest.mark.parametrize(("item", "other", "own"), ALONE)
def test_an_item_depends_on_the_suite_that_it_is_of(
    found: Pipeline, item: str, other: str, own: str
) -> None:
    assert runs(found, item, own) and not runs(found, item, other)
    assert runs(found, "report", other), "who tells of all suites reads all"


PLAIN = """
from lvlmbench.scene.subtasks import SUBTASKS, Subtask, registered
from lvlmbench.suites.suite import SUITES, suite_of
SUITES.register("one")(object)
SUBTASKS.register("one_task")(lambda: None)
def of(params, row):
    own = kinds_of("suites").get(params.kind, "where").make()
    return own, suite_of(params), SUBTASKS[row["subtask"]], registered()
"""
#: Ways to have another suite or its subtasks at work that no parameter tells.
ASKING = [
    "other = SUITES.get('two')",
    "from lvlmbench.suites.suite import SUITES as S\nother = S.get('two')",
    "other = lambda of: suite_of(of.another)",
    "finds = suite_of",
    "from lvlmbench.suites.suite import suite_of as s\nother = lambda params: s(params)",
    "from lvlmbench.suites.suite import build_shard\nrows = lambda two: build_shard(two)",
    "from lvlmbench.core.registry import kinds_of\nother = lambda name: kinds_of(name)",
    "from lvlmbench.core.registry import kinds_of\nother = kinds_of('suites')",
    "from lvlmbench.core.registry import kinds_of\nother = kinds_of('suites').get(row.kind)",
    "from lvlmbench.core.registry import kinds_of\nother = kinds_of('suites').get('two')",
    "from lvlmbench.core.registry import registry_of\nother = registry_of('subtasks')",
    "from lvlmbench.core.registry import registry_of\nother = lambda name: registry_of(name)",
    "from lvlmbench.core.registry import either\nother = either('metrics', 'suites')",
    "from lvlmbench import suites\nother = suites.two",
    "import lvlmbench.suites\nother = lvlmbench.suites.two",
    "import importlib\nother = importlib.import_module('lvlmbench.suites.two')",
    "from lvlmbench.core.registry import import_modules\nimport_modules(NAME)",
    "task = SUBTASKS['two_task']",
    "task = SUBTASKS['two' + '_task']",
    "tasks = list(SUBTASKS)",
    "tasks = SUBTASKS",
    "from lvlmbench.scene import subtasks\ntasks = subtasks.SUBTASKS",
    "import lvlmbench.scene.subtasks as them",
    "from lvlmbench.scene.subtasks import *",
    "from lvlmbench.scene.subtasks import subtasks_of\ntasks = subtasks_of('two')",
    "from lvlmbench.scene.subtasks import aspects\ntasks = aspects()",
    "import lvlmbench.suites.suite\nfound = getattr(lvlmbench.suites.suite, 'SUITES')",
    "from ..two import hidden",
]


def project(folder: Path, **files: str) -> Path:
    """Two suites, one of which has more in it, and a script of a stage."""
    texts = {f"{FOLDER}/two/__init__.py": "", f"{FOLDER}/two/hidden.py": "", "scripts/it.py": ""}
    for path, text in (texts | {each.replace("__", "/"): files[each] for each in files}).items():
        file = folder / path.replace("SUITES", FOLDER)
        file = file if file.suffix == ".py" else file.with_name(f"{file.name}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def needed(root: Path) -> set[str] | None:
    """The suites that an item of the suite ``one`` needs; None where it needs all."""
    own = {"suites": [f"{FOLDER}/one.py", f"{FOLDER}/one/__init__.py"]}
    found = run_alone(root, ["scripts/it.py"], {"suites": FOLDER}, own).kinds
    return found.get(FOLDER)


def test_a_suite_that_asks_for_nothing_needs_itself(tmp_path: Path) -> None:
    assert needed(project(tmp_path, SUITES__one=PLAIN)) == {"one.py"}


#: A stage finds the kinds of others by names that parameters give. A script is in no package.
BY_NAME = ("kinds_of(name)", "registry_of(name)", "import_module", "from ..two")


@pytest.mark.parametrize(
    ("place", "asks"),
    [
        *(("SUITES__one", asks) for asks in ASKING),
        *(("scripts__it", asks) for asks in ASKING if not any(each in asks for each in BY_NAME)),
    ],
)
def test_code_that_does_not_say_which_suite_it_runs_depends_on_all(
    tmp_path: Path, place: str, asks: str
) -> None:
    files = {"SUITES__one": PLAIN} | {place: f"{PLAIN}\n{asks}\n"}
    assert needed(project(tmp_path, **files)) is None


@pytest.mark.parametrize(
    "how",
    [
        "from lvlmbench.suites.two import hidden",
        "def late():\n    import lvlmbench.suites.two",
        "import lvlmbench.core.registry as r\nr.import_modules('lvlmbench.suites.two')",
    ],
)
def test_a_suite_that_another_imports_is_needed_whole(tmp_path: Path, how: str) -> None:
    root = project(tmp_path, SUITES__one=how)
    assert needed(root) == {"one.py", "two"}
    (root / FOLDER / "two/hidden.py").write_text("from lvlmbench.suites.suite import SUITES as S")
    assert needed_again(root) is None, "it asks for suites itself, in a file that nobody imports"


def needed_again(root: Path) -> set[str] | None:
    for each in ("_told", "_by_name", "imported"):
        getattr(imports, each).cache_clear()
    return needed(root)


def test_a_suite_that_may_register_other_kinds_is_needed_by_all(tmp_path: Path) -> None:
    asks = "from lvlmbench.stages.score.strategy import STRATEGIES"
    root = project(tmp_path, SUITES__one=PLAIN, SUITES__two__hidden=asks)
    assert needed(root) == {"one.py", "two"}


def of_kind(default: Project, kind: str) -> Pipeline:
    """The items of a suite of a kind."""
    made = {**default.model_dump(mode="json"), "suites": {"own": {"kind": kind}}}
    return pipeline(Project.model_validate(made), ROOT)


class Foreign(Suite):
    """A suite that stands in no file of the folder."""


@pytest.mark.parametrize("made", ["of another package", "by a function of its own", "again"])
def test_a_suite_that_stands_in_no_file_of_the_folder_depends_on_all(
    default: Project, made: str
) -> None:
    own = SUITES.get("dysca", "here")
    make = {"of another package": Foreign, "again": own.make}.get(made, functools.partial(own.make))
    other = dataclasses.replace(own, name="foreign", settings=None, make=make)
    with SUITES.temporarily({"foreign": other}):
        found = of_kind(default, "foreign")
    assert all(runs(found, "scenes/own", suite) for suite in ("dysca", "composed", "valor"))


def added(**declared: Any) -> Mapping[str, Any]:
    """A subtask of a suite, which another file than one of the suite declares."""
    plain = {"foregrounds": (), "secondary": (), "suites": ("sights",)}
    task = Subtask("sight", 90, "fine", **{**plain, **declared})
    return {"sight": lambda: task}


def test_a_subtask_that_stands_elsewhere_opens_all_suites_to_its_own(default: Project) -> None:
    with SUBTASKS.temporarily(added(suites=("composed",))):
        found = pipeline(default, ROOT)
    assert runs(found, "scenes/composed", "dysca") and not runs(found, "scenes/dysca", "composed")


def test_an_own_copy_depends_on_the_suite_whose_subtasks_it_has(default: Project) -> None:
    found = of_kind(default, "valor_bench")
    assert runs(found, "scenes/own", "valor") and not runs(found, "scenes/own", "dysca")


#: What is seen of subtasks of other suites, with items that see it and some that do not.
SEES = ("answer/composed/chance/clean", "filter/composed/clip", "scenes/dysca")
SEES_NOT = ("scenes/composed", "questions/valor", "score/touchstone/chance/clean")


def test_items_that_see_all_subjects_depend_on_what_their_subtasks_declare(
    default: Project, found: Pipeline
) -> None:
    with SUBTASKS.temporarily(added()):
        assert pipeline(default, ROOT).items["scenes/dysca"] == found.items["scenes/dysca"]
    with SUBTASKS.temporarily(added(foregrounds=("animal",))):
        again = pipeline(default, ROOT)
    for item in (*SEES, *SEES_NOT):
        assert (again.items[item] == found.items[item]) is (item in SEES_NOT), item

    class Own(Subtask):
        """It may say more than it declares."""

    task = Own("sight", 90, "fine", ("animal",), suites=("sights",))
    with SUBTASKS.temporarily({"sight": lambda: task}):
        assert runs(pipeline(default, ROOT), "scenes/composed", "dysca")


def test_items_that_say_names_of_subtasks_depend_on_those_that_are_declared(
    default: Project, found: Pipeline
) -> None:
    """A key of a table may be called as a subtask of another suite."""
    with SUBTASKS.temporarily(added()):
        assert pipeline(default, ROOT).items["figures/dysca"] == found.items["figures/dysca"]
    with SUBTASKS.temporarily(added(label="Seen from afar")):
        again = pipeline(default, ROOT)
    assert again.items["figures/dysca"] != found.items["figures/dysca"]
    for item in (*SEES, *SEES_NOT, "hallucination/valor", "dialogue/touchstone"):
        assert again.items[item] == found.items[item], item


@pytest.mark.parametrize(
    "facts",
    [{"control": True}, {"column": "Seen"}, {"scale": lambda spec: ["a", "b"]}],
    ids=lambda facts: next(iter(facts)),
)
def test_items_that_say_what_a_scenario_is_depend_on_what_its_kind_declares(
    default: Project, found: Pipeline, facts: dict[str, Any]
) -> None:
    kinds = kinds_of("scenarios")
    kind = next(s.registered for s in default.suite("dysca").scenarios.noisy)
    with kinds.temporarily({kind: dataclasses.replace(kinds.get(kind, ""), **facts)}):
        again = pipeline(default, ROOT)
    for item in ("figures/dysca", "exports/dysca"):
        assert again.items[item] != found.items[item], item
    for item in ("hallucination/valor", "questions/dysca", "metrics/touchstone"):
        assert (again.items[item] == found.items[item]) or "column" in facts, item
    for item in ("scenario/dysca/clean", "answer/dysca/chance/clean", "score/dysca/chance/clean"):
        assert again.items[item] == found.items[item], "it runs its own scenario alone"
    with kinds.temporarily({"seen": kinds.of("seen", kinds.get(kind, "").make)}):
        assert pipeline(default, ROOT).items["figures/valor"] == found.items["figures/valor"]


@pytest.mark.parametrize("registry", [r.kind for r in in_tables()])
def test_items_that_say_names_of_kinds_depend_on_those_that_are_declared(
    default: Project, found: Pipeline, registry: str
) -> None:
    """They run none of these kinds; what a table calls a kind is said as it declares."""
    kinds = kinds_of(registry)
    own = kinds.ordered()[-1]
    plain = dataclasses.replace(own, name="seen", place=LAST)
    for label in ("", "Seen from afar"):
        seen = dataclasses.replace(plain, label=label)
        with kinds.temporarily({"seen": seen}):
            again = pipeline(default, ROOT)
        for item in ("figures/dysca", "figures/valor"):
            assert (again.items[item] != found.items[item]) == bool(label), item
        for item in ("metrics/dysca", "exports/valor", "hallucination/valor"):
            assert again.items[item] == found.items[item], item


def test_what_asks_for_all_subtasks_without_depending_on_them_was_looked_at() -> None:
    """It checks what users write, makes the registry, or looks up a row's own subtask."""
    asking = set()
    for folder in ("scene", "config", "core"):
        for file in (ROOT / "lvlmbench" / folder).rglob("*.py"):
            if {"suites", "subjects", "labels"} & {*imports._told(file)[2]}:
                asking.add(file.relative_to(ROOT / "lvlmbench").as_posix())
    assert asking == {
        "config/__init__.py",  # hands the subtasks on
        "config/headline.py",  # what the suite's own kind says of its headline
        "config/loading.py",  # parameters of a suite
        "config/project.py",  # what the kind of a suite says of its judges
        "config/sections.py",  # which subtasks parameters may name: they are in the parameters
        "config/shards.py",  # the own ones, in their order
        "scene/hiding.py",  # a row's own
        "scene/subtasks.py",  # the registry
        "scene/templates.py",  # names that templates may have
        "scene/vocabulary/keys.py",  # lists that must be there, names that keys may have
        "scene/vocabulary/unclear.py",  # names of lists that a file may have
    }


def test_pinned_reference_models_depend_on_no_suite(default: Project, found: Pipeline) -> None:
    for item in ("reference_scenes", "reference/reference_a"):
        assert not runs(found, item, "dysca") and not draws(found, item)
    data = default.model_dump(mode="json")
    data["reference"]["weights"] = "trained"
    trained = pipeline(Project.model_validate(data), ROOT)
    for item in ("reference_scenes", "reference/reference_a"):
        assert runs(trained, item, "dysca") and draws(trained, item)


def test_pinned_models_draw_no_scenes_and_ask_no_suite(
    default: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lvlmbench.stages.reference import scenes

    params = default.suite("dysca")
    vocabulary = load_vocabulary(vocabulary_dir(params))
    for name in ("suite_of", "drawable_subtasks"):
        monkeypatch.delattr(scenes, name)
    made = scenes.build_scenes(params, vocabulary, 0)
    assert isinstance(made, pa.Table) and made.num_rows == 0
