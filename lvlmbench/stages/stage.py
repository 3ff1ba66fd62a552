"""What a stage is: what it reads and makes, what decides it, what it needs and promises.

Each stage declares itself in ``lvlmbench/stages/<name>/stage.py``. dvc.yaml, the tables in docs,
the picture and the paths that jobs are given follow from the declarations.

Paths are templates. ``{suite}``, ``{filter}``, ``{examiner}``, ``{planner}``, ``{validator}``,
``{model}``, ``{judge}``, ``{scenario}`` and ``{reference}`` are axes: a stage has an item for each
value of its axes. ``{vocabulary.folder}`` and the like, with a dot, are parameters.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lvlmbench.config import Params, Project
from lvlmbench.config.shards import image_range, image_shards, parts_overlapping, scene_shards
from lvlmbench.core.exactness import NOTHING, Promise
from lvlmbench.core.registry import kinds_of
from lvlmbench.tables import part_name

#: Axis -> value, e.g. ``{"suite": "dysca", "model": "chance", "scenario": "clean"}``.
Values: TypeAlias = Mapping[str, str]

#: The boxes of the picture, in the order in which things are made; the last three side by side.
PICTURE = (
    "scenes", "render", "filter", "questions", "scenario", "answer", "judge", "score", "metrics",
    "figures", "exports", "report",
)  # fmt: skip

#: What a stage reads that puts questions into words, or shows how they are put: the set that the
#: parameters name, and the one that it is laid over.
TEMPLATES = ("data/templates/default", "{templates.folder}")

#: What a stage reads that looks words up itself, beside those that its tables hold.
VOCABULARY = "{vocabulary.folder}"

_HOLE = re.compile(r"\{([^}]+)\}")


def lies_in(path: str, folder: str) -> bool:
    """Return whether ``path`` is ``folder`` or lies below it."""
    return path == folder or path.startswith(f"{folder}/")


def holes(template: str) -> list[str]:
    """Return the names in a template's braces."""
    return _HOLE.findall(template)


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its holes filled; those that have no value stay."""
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), template)


class Needs(NamedTuple):
    """What a job asks of its machine."""

    memory_mb: int = 2000
    minutes: int = 30
    threads: int = 1
    #: None for a job that needs none, so that none is asked for.
    gpus: int | None = None


class Axis(NamedTuple):
    """What a stage can have items for.

    Attributes
    ----------
    items
        Values by name, as plain data, of a suite's parameters.
    listed
        Key of the list in params.yaml; empty where the list stands inside a suite.
    plain
        Whether that list holds names, and not sections with one.
    added
        Whether suites add values of their own to that list, so that DVC cannot list them.
    """

    items: Callable[[Params], Mapping[str, Any]]
    listed: str = ""
    plain: bool = False
    added: bool = False


def _named(items: Sequence[Any]) -> dict[str, Any]:
    return {item.name: item.model_dump(mode="json") for item in items}


def _models(params: Params) -> dict[str, Any]:
    """Models without what only tables show of them: their answers are the same."""
    return _named([m.model_copy(update=dict.fromkeys(m.shown, None)) for m in params.answer.models])


def _scenarios(params: Params) -> dict[str, Any]:
    described = _named(params.scenarios.noisy)
    return {name: described.get(name, {"name": name}) for name in params.scenarios.names}


#: Axes beside ``suite``.
AXES: dict[str, Axis] = {
    "filter": Axis(lambda params: _named(params.filter.filters), "filter.filters"),
    "examiner": Axis(lambda params: _named(params.examiner.examiners), "examiner.examiners"),
    "validator": Axis(lambda params: _named(params.validator.validators), "validator.validators"),
    "planner": Axis(
        lambda params: {n: n for n in params.examiner.planners}, "examiner.planners", plain=True
    ),
    "model": Axis(_models, "answer.models"),
    "judge": Axis(lambda params: _named(params.judge.judges), "judge.judges", added=True),
    "reference": Axis(
        lambda params: {n: n for n in params.reference.models}, "reference.models", plain=True
    ),
    "scenario": Axis(_scenarios),
}


def _scene_parts(params: Params, shard: int | None) -> Sequence[int]:
    if shard is None:
        return range(scene_shards(params))
    return parts_overlapping(*image_range(params, shard), params.corpus.shard_scenes)


#: How a table is split -> the numbers of its parts: all, or those about an image shard.
SPLITS: dict[str, Callable[[Params, int | None], Sequence[int]]] = {
    "scenes": _scene_parts,
    "images": lambda params, shard: range(image_shards(params)) if shard is None else [shard],
    "one": lambda params, shard: [0],
}


@dataclass(frozen=True)
class Out:
    """A folder or file that a stage makes.

    Attributes
    ----------
    path
        Template of its path.
    split
        How the parts of a table lie in the folder, one of :data:`SPLITS`; empty for what is none.
    names
        Files that jobs make in a folder that is no table; a file has none.
    metric
        Whether ``dvc metrics`` shows it.
    """

    path: str
    split: str = ""
    names: Callable[[Params], Sequence[str]] | None = None
    metric: bool = False

    def files(self, params: Params, values: Values, shard: int | None = None) -> list[str]:
        """Return the paths of its files: all, or those about an image shard."""
        path = filled(self.path, values)
        if self.split:
            return [f"{path}/{part_name(n)}" for n in SPLITS[self.split](params, shard)]
        return [path] if self.names is None else [f"{path}/{n}" for n in self.names(params)]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A declared stage.

    Attributes
    ----------
    name
        That of its folder, its rules and its seals.
    words
        What it does, in a few words for the picture and the list of stages.
    artifact
        What it makes, in a word or two.
    axes
        What it has an item for each value of.
    all_of
        Axes of which one job runs all that the parameters list.
    also
        Items of an axis that are there even where the parameters do not list them.
    reads
        Templates of what it reads: what other stages make, and what the project or the user gives.
    unless
        Of what it reads, by template, of the code that it runs, by folder, and of what decides it,
        by key: a key of the parameters and the value at which it does not after all.
    spares
        Of what it reads, by template, what the jobs of an item do without, by parameters and item.
    runs_none
        Registries of whose kinds its jobs run none, though code that they share with others may.
    elsewhere, other
        Templates of what some items alone read, e.g. of another suite, and the values that fill
        them by parameters and item; None where it reads nothing there.
    makes
        What it makes.
    params
        Keys that decide it: sections, or keys in them, that all suites share; ``suite.corpus`` is
        a section of the suite, ``item.model`` what is listed for the item's own model.
    needs
        What its jobs ask of a machine, by parameters and item.
    kinds
        Registry of its kinds, which say themselves what they promise.
    promises, exact
        How exactly what it makes can be made again: every promise, with the words that tell when
        it holds, and the one that holds for parameters and item (the first where None).
    weights
        Engine or the like whose weights an item's jobs read, if it is a reference model.
    scripts
        Those that its jobs run; empty: the one of its name.
    at_home
        Whether its jobs make more files than they declare, so that no storage can take them.
    """

    name: str
    words: str
    artifact: str
    axes: tuple[str, ...] = ("suite",)
    all_of: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    unless: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    spares: Callable[[Params, Values], Collection[str]] = lambda params, values: ()
    runs_none: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    other: Callable[[Params, Values], Values | None] = lambda params, values: None
    makes: tuple[Out, ...] = ()
    params: tuple[str, ...] = ()
    needs: Callable[[Params, Values], Needs] = lambda params, values: Needs()
    kinds: str = ""
    promises: tuple[Promise, ...] = ()
    exact: Callable[[Params, Values], Promise] | None = None
    weights: Callable[[Params, Values], str | None] = lambda params, values: None
    scripts: tuple[str, ...] = ()
    at_home: bool = False

    @property
    def sources(self) -> list[str]:
        """The rules and scripts that its jobs run."""
        scripts = self.scripts or (self.name,)
        return [f"rules/{self.name}.smk", *(f"scripts/{script}.py" for script in scripts)]

    def values(self, project: Project) -> Iterator[dict[str, str]]:
        """Yield the values of each item."""
        suites = list(project.suites)
        for suite in suites if "suite" in self.axes else suites[:1]:
            params = project.suite(suite)
            axes = [axis for axis in self.axes if axis != "suite"]
            lists = [
                dict.fromkeys([*self.also.get(axis, ()), *AXES[axis].items(params)])
                for axis in axes
            ]
            for combination in itertools.product(*lists):
                yield dict(zip(("suite", *axes), (suite, *combination), strict=True))

    def item(self, values: Values) -> str:
        """Return the name of an item, which is the path of its seal below the folder of seals."""
        return "/".join([self.name, *(values[axis] for axis in self.axes)])

    def rows(self) -> list[tuple[str, Promise]]:
        """Return what it and the kinds that the package brings promise, with words for when."""
        found = [(promise.when, promise) for promise in self.promises]
        if self.kinds:
            known = kinds_of(self.kinds)
            ours = [kind for kind in known.ordered() if kind.name in known.ours()]
            for kind in ours:
                for promise in kind.exactness:
                    joined = promise.when if promise.when.startswith(",") else f" {promise.when}"
                    found.append((f"`{kind.name}`{joined.rstrip()}", promise))
        return found

    def promise(self, params: Params, values: Values) -> Promise:
        """Return what it promises of an item."""
        return self.promises[0] if self.exact is None else self.exact(params, values)


def promise_of(item: Any, params: Params) -> Promise:
    """Return what the kind of an item of the parameters promises; nothing of one not installed."""
    kind = item.made_by()
    return NOTHING if kind is None else kind.promise(params, item)


def wordless(item: Any) -> tuple[str, ...]:
    """Return the vocabulary where the kind of an item of the parameters reads nothing of it."""
    kind = item.made_by()
    return () if kind is None or kind.vocabulary else (VOCABULARY,)


def weights_of(item: Any) -> str | None:
    """Return the reference model that the kind of an item needs."""
    kind = item.made_by()
    return None if kind is None or kind.weights is None else kind.weights(item)


def in_words() -> str:
    """Return the boxes of the picture in one line, the last three side by side."""
    return " → ".join([*PICTURE[:-3], ", ".join(PICTURE[-3:])])


@cache
def declared() -> dict[str, Stage]:
    """Return all stages by name: makers before readers, else in the order of the picture."""
    package = importlib.import_module(__package__)
    found: dict[str, Stage] = {}
    for folder in sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg):
        if Path(package.__path__[0], folder, "stage.py").is_file():
            stage = importlib.import_module(f"{__package__}.{folder}.stage").STAGE
            found[stage.name] = stage
    return in_order(found)


def in_order(stages: Mapping[str, Stage]) -> dict[str, Stage]:
    """Return stages with makers before readers, else in the order of the picture."""

    def place(name: str) -> tuple[int, str]:
        return PICTURE.index(name) if name in PICTURE else len(PICTURE), name

    makers = [(name, out.path) for name, stage in stages.items() for out in stage.makes]
    above = {
        name: {
            maker
            for maker, out in makers
            for read in stage.reads
            if lies_in(out, read) or lies_in(read, out)
        }
        for name, stage in stages.items()
    }
    found: dict[str, Stage] = {}
    while left := [name for name in stages if name not in found]:
        ready = [name for name in left if above[name] <= found.keys()]
        if not ready:
            raise ValueError(f"these stages read each other: {', '.join(left)}")
        name = min(ready, key=place)
        found[name] = stages[name]
    return found
