"""The code that an item runs: of the kinds that parameters name, and of suites, its own alone.

Where a text does not tell, an item depends on all of a kind: one dependency too many makes a thing
again to the same bytes, one too few would keep a wrong one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from lvlmbench.analysis.labels import in_tables
from lvlmbench.config import SUBTASKS, Params
from lvlmbench.core.registry import Registry, kinds_of, registry_of
from lvlmbench.core.seeding import digest
from lvlmbench.engine.asking import ASKED, LABELS, RUN_ALONE, SUBJECTS, SUITES
from lvlmbench.engine.imports import Needed, boxes, opened, run_alone
from lvlmbench.scene.subtasks import Subtask, subjects
from lvlmbench.stages.stage import Stage, Values, lies_in

#: Whose kinds say what scenarios are, wherever numbers of scenarios are shown.
_SCENARIOS = "scenarios"
#: Facts that mean the same in each process.
_PLAIN = (str, int, float, type(None))

#: A kind by its registry and the module that it stands in.
Homes = frozenset[tuple[str, str]]


class Code(NamedTuple):
    """What an item runs.

    Attributes
    ----------
    paths
        Folders and files of the package, rules, scripts.
    sees
        What it sees of kinds whose code it may not depend on, as hashes by what that is called in
        its seal: the subtasks about one subject, whatever suite they are of, names for readers,
        and what kinds of scenarios declare.
    """

    paths: list[str]
    sees: Mapping[str, str] = MappingProxyType({})


def code_of(root: Path, stage: Stage) -> list[str]:
    """Return the code that the jobs of a stage run, with all kinds."""
    return [*_boxes(root, tuple(stage.sources)), *stage.sources]


def code_alone(root: Path, stage: Stage, params: Params, values: Values) -> Code:
    """Return the code that an item runs, of a stage and of parameters of its suite."""
    whole, folders = code_of(root, stage), _kinds_folders()
    listed, named = _listed(params), _named(params, values)
    run = [named[axis] for axis in stage.axes if axis in named]
    run += [each for axis in stage.all_of for each in listed[axis]]
    run = [e for e in run if any(lies_in(folders[e.registry], box) for box in whole)]
    own = [(each.registry, _of_kind(each)) for each in run]
    if not all(homes for _, homes in own):
        return Code(whole)
    modules = {(registry, home) for registry, homes in own for home in homes}
    modules |= {(each.behind, "") for each in run if each.behind}  # has none of its names
    closed, seen = {*ASKED, *(RUN_ALONE if own else stage.runs_none)}, _subjects()
    if "suite" in stage.axes and seen and (suites := _of_suite(params.kind)):
        modules |= suites
        closed.add(SUITES)
    found = _needed(root, tuple(stage.sources), frozenset(modules), frozenset(closed))
    paths = opened(root, whole, found.kinds)
    sees = {}
    if SUBJECTS in found.asks and folders[SUITES] in found.kinds:
        sees["subtasks of all suites"] = seen
    if LABELS in found.asks:
        sees["names for readers"] = _names()
    if _SCENARIOS in found.asks and "scenario" not in stage.axes:  # else it runs its own
        sees["kinds of scenarios"] = _scenarios(params)
    return Code(paths, sees)


@cache
def _boxes(root: Path, sources: tuple[str, ...]) -> list[str]:
    scripts = [path for path in sources if path.startswith("scripts/")]
    return sorted({box for script in scripts for box in boxes(root, root / script)})


@cache
def _needed(root: Path, sources: tuple[str, ...], own: Homes, closed: frozenset[str]) -> Needed:
    """What an item of a stage needs of the kinds in closed folders, of which it runs ``own``."""
    files: dict[str, list[str]] = {registry: [] for registry, _ in own}
    for registry, module in sorted(each for each in own if each[1]):
        path = module.replace(".", "/")
        files[registry] += [f"{path}.py", f"{path}/__init__.py"]
    folders = {name: folder for name, folder in _kinds_folders().items() if name in closed}
    return run_alone(root, sources, folders, files)


@cache
def _kinds_folders() -> dict[str, str]:
    return {name: kinds_of(name).package.replace(".", "/") for name in (*RUN_ALONE, SUITES, *ASKED)}


def _listed(params: Params) -> dict[str, Sequence[Any]]:
    """What parameters list, by the axis whose values are their names."""
    return {"filter": params.filter.filters, "model": params.answer.models,
            "judge": params.judge.judges}  # fmt: skip


def _named(params: Params, values: Values) -> dict[str, Any]:
    """What parameters say of an item's own filter, scenario, model and judge."""
    found = {
        axis: next((each for each in listed if each.name == values.get(axis)), None)
        for axis, listed in _listed(params).items()
    }
    if "scenario" in values:
        found["scenario"] = params.scenarios.spec(values["scenario"])
    return {axis: each for axis, each in found.items() if each is not None}


def _of_kind(item: Any) -> set[str]:
    """The homes of the kind of an item of the parameters."""
    kind = item.made_by()
    return _homes(registry_of(item.registry), item.registered, getattr(kind, "make", None))


def _homes(registry: Registry[Any], name: str, made: Any) -> set[str]:
    """The modules that a kind stands in: what registers it and what makes it.

    None where one is no file of the folder of kinds: another package's, a function from elsewhere,
    a call that does not say who calls.
    """
    found = {registry.home(name), str(getattr(made, "__module__", ""))}
    inside = all(home.startswith(f"{registry.package}.") for home in found)
    return found if inside and not isinstance(made, functools.partial) else set()


def _of_suite(kind: str) -> Homes:
    """The homes of a kind of suite and of its subtasks; none where one is not known."""
    suites = registry_of(SUITES)
    found = [_homes(suites, kind, getattr(suites.find(kind), "make", None))]
    found += [
        _homes(SUBTASKS.registry, name, SUBTASKS.registry.find(name))
        for name, each in SUBTASKS.items()
        if kind in each.suites
    ]
    return frozenset((SUITES, home) for homes in found for home in homes if all(found))


def _subjects() -> str:
    """A hash of what the subtasks about one subject declare; empty where their code says more."""
    found = subjects()
    if any(type(each) is not Subtask for each in found.values()):
        return ""
    said = [[getattr(each, field.name) for field in fields(each)] for each in found.values()]
    return digest("subjects", repr(said), size=8).hex()


def _names() -> str:
    """A hash of the names for readers that kinds and subtasks declare."""
    known: list[Mapping[str, Any]] = [SUBTASKS]
    known += [{each.name: each for each in registry.ordered()} for registry in in_tables()]
    said = [sorted((n, each.label) for n, each in kinds.items() if each.label) for kinds in known]
    return digest("names", repr(said), size=8).hex()


def _scenarios(params: Params) -> str:
    """A hash of what the kinds declare that a suite's scenarios are of, and of those columns of
    published results that kinds are held against."""
    known, said = kinds_of(_SCENARIOS), []
    for spec in params.scenarios.noisy:
        kind = known.find(spec.registered)
        if kind is not None:
            facts = [getattr(kind, field.name) for field in fields(kind)]
            plain = [fact if isinstance(fact, _PLAIN) else callable(fact) for fact in facts]
            said.append((spec.name, plain, kind.scale and list(kind.scale(spec))))
    columns = [(each.name, each.column, each.paper) for each in known.ordered() if each.column]
    return digest(_SCENARIOS, repr(said), repr(columns), size=8).hex()


def without(paths: Iterable[str], unless: Iterable[str]) -> list[str]:
    """Return code without the folders that an item does not run with its parameters."""
    left_out = [*unless]
    return [path for path in paths if not any(lies_in(path, folder) for folder in left_out)]
