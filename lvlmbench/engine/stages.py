"""The items of the declared stages for the parameters at hand: what each reads, makes, depends on.

The declarations (:mod:`lvlmbench.stages.stage`) are the only place where stages stand. The engine
has an item for each value of a stage's axes; dvc.yaml, which is generated from the same
declarations (:mod:`lvlmbench.engine.dvc_file`), may hold several of them in one stage.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.config import Project
from lvlmbench.core.errors import UserError
from lvlmbench.engine.alone import code_alone, without
from lvlmbench.engine.packages import code_of_package, packages, run_by
from lvlmbench.stages.stage import AXES, Stage, Values, declared, filled, holes, lies_in

__all__ = ["SEALS", "Item", "Makers", "Pipeline", "lies_in", "lookup", "pipeline"]

SEALS = "data/seals"

#: What a stage is decided by that reads, too, what a suite's own settings name.
CORPUS = "suite.corpus"


#: Where the tables of a suite lie.
_OWN = "data/{suite}/"


@dataclass(frozen=True)
class Item:
    """A stage, or one item of it.

    Attributes
    ----------
    name
        The seal's path below data/seals without its suffix, e.g. ``"answer/dysca/chance/clean"``.
    deps, outs
        Paths as declared; ``outs`` without the seal.
    params
        What of the parameters decides it, by key.
    """

    name: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]
    params: Mapping[str, Any]

    @property
    def seal(self) -> str:
        """Path of the seal."""
        return f"{SEALS}/{self.name}.json"


@dataclass(frozen=True)
class Pipeline:
    """All items, makers before readers, and the folders in which several have their files.

    What no item makes any more must not stay in those folders: stages read them whole.
    """

    items: Mapping[str, Item]
    shared: tuple[str, ...] = ()

    @property
    def folders(self) -> list[str]:
        """Return those folders, sorted; that of the seals is always one."""
        outs = [out for item in self.items.values() for out in item.outs]
        deps = {dep for item in self.items.values() for dep in item.deps}
        read = {d for d in deps if d not in outs and any(lies_in(out, d) for out in outs)}
        return sorted({*read, *self.shared, SEALS})


def lookup(values: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted key.

    Raises
    ------
    UserError
        There is no such key.
    """
    found: Any = values
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise UserError(
                f"params.yaml: {key}", "is not a parameter", "see docs/configuration.md"
            )
        found = found[part]
    return found


class _Expansion:
    """Fills the templates of declarations in."""

    def __init__(self, project: Project, root: Path, stages: Iterable[Stage]) -> None:
        self._root, self._suites = root, list(project.suites)
        #: What each stage makes -> whether it has an item.
        self._makes = {
            out.path: next(stage.values(project), None) is not None
            for stage in stages
            for out in stage.makes
        }
        self._plain = project.model_dump(mode="json")
        self._own = {name: project.suite(name) for name in self._suites}
        #: Folders that the settings of a suite name, by suite.
        self._read = {name: each.corpus.read(each.kind) for name, each in self._own.items()}
        self._packages = packages()
        self._digests = {name: code_of_package(name) for name in self._packages}
        self._items = {
            (suite, axis): found.items(self._own[suite])
            for suite in self._suites
            for axis, found in AXES.items()
        }

    def _paths(self, stage: Stage, template: str, values: Values) -> list[str]:
        """Paths that a template stands for: those of all suites where the stage has no suite."""
        every = "suite" not in stage.axes and "{suite}" in template
        known = {h: str(lookup(self._plain, h)) for h in holes(template) if "." in h}
        return [
            filled(template, {**values, "suite": suite, **known})
            for suite in (self._suites if every else [values["suite"]])
        ]

    def params(self, stage: Stage, values: Values) -> dict[str, Any]:
        """What of the parameters decides an item, by key."""
        found = {}
        for key in stage.params:
            if not self._is_read(stage, key):
                continue
            section, _, name = key.partition(".")
            if section == "item":
                listed = self._items[values["suite"], name]
                found[key] = listed.get(values[name], {"name": values[name]})
            elif section == "suite":
                found[key] = self._plain["suites"][values["suite"]][name]
            else:
                found[key] = lookup(self._plain, key)
        return found

    def item(self, stage: Stage, values: Values) -> Item:
        spared = stage.spares(self._own[values["suite"]], values)
        reads = (r for r in stage.reads if r not in spared and self._is_read(stage, r))
        read = [path for dep in reads for path in self._paths(stage, dep, values)]
        read += self._read[values["suite"]] if CORPUS in stage.params else []
        other = stage.other(self._own[values["suite"]], values)
        read += [] if other is None else [filled(path, other) for path in stage.elsewhere]
        own = code_alone(self._root, stage, self._own[values["suite"]], values)
        unread = [path for path in stage.unless if not self._is_read(stage, path)]
        code, params = without(own.paths, unread), self.params(stage, values)
        params |= own.sees
        if others := run_by(code, self._packages):
            params["packages"] = {name: self._digests[name] for name in others}
        return Item(
            name=stage.item(values),
            deps=tuple(dict.fromkeys([*read, *code])),
            outs=tuple(filled(out.path, values) for out in stage.makes),
            params=params,
        )

    def _is_read(self, stage: Stage, read: str) -> bool:
        """Whether a stage reads, with these parameters, what it declares."""
        key, value = stage.unless.get(read, ("", ""))
        return not self._unmade(read) and not (key and lookup(self._plain, key) == value)

    def _unmade(self, read: str) -> bool:
        """Whether stages without items alone would make what a template stands for, e.g. as no
        examiner is listed."""
        makers = [there for out, there in self._makes.items() if lies_in(out, read)]
        return bool(makers) and not any(makers)

    def shared(self, stage: Stage) -> list[str]:
        """Folders in which items of one suite, or of all, stand beside each other."""
        found = []
        for out in stage.makes:
            before, axis, _ = out.path.replace("{suite}", "<suite>").partition("/{")
            if axis and "." not in axis:
                found += [before.replace("<suite>", suite) for suite in self._suites]
        return found


def pipeline(project: Project, root: Path, stages: Mapping[str, Stage] | None = None) -> Pipeline:
    """Return the items of all stages, makers before readers.

    Raises
    ------
    UserError
        A template names no parameter, or a suite has the name of a folder that stages read.
    ValueError
        Two outs overlap.
    """
    known = declared() if stages is None else stages
    expansion = _Expansion(project, root, known.values())
    items = [expansion.item(s, values) for s in known.values() for values in s.values(project)]
    check_outs([out for item in items for out in item.outs])
    tables = {
        out.path.split("/")[2]
        for s in known.values()
        for out in s.makes
        if out.path.startswith(_OWN)
    }
    check_names(project.suites, {dep for item in items for dep in item.deps}, tables)
    shared = {folder for stage in known.values() for folder in expansion.shared(stage)}
    return Pipeline({item.name: item for item in items}, tuple(sorted(shared)))


def params_by_item(
    project: Project, root: Path, names: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return what of the parameters decides each item of ``names``, by key; reads no data."""
    known = declared()
    expansion = _Expansion(project, root, known.values())
    return {
        stage.item(values): expansion.params(stage, values)
        for stage in known.values()
        for values in stage.values(project)
        if stage.item(values) in names
    }


def check_outs(outs: Sequence[str]) -> None:
    """No out lies in another.

    Raises
    ------
    ValueError
        One does.
    """
    ordered = sorted(f"{out}/" for out in outs)
    for a, b in itertools.pairwise(ordered):
        if b.startswith(a):
            raise ValueError(f"the outs {a} and {b} overlap")


def check_names(suites: Iterable[str], deps: Iterable[str], tables: Collection[str]) -> None:
    """No suite has its tables in a folder of files that are given: they would be swept away.

    Parameters
    ----------
    deps, tables
        What stages read, and names of the folders that those of suites lie in.

    Raises
    ------
    UserError
        One does.
    """
    parts = [tuple(dep.split("/")[:3]) for dep in deps if dep.startswith("data/")]
    given = {part[1] for part in parts if part[2:] == () or part[2] not in tables}
    for name in suites:
        folder = f"data/{name}"
        if name in given:
            what = (
                f"stages read the folder '{folder}', and tables of a suite of this name lie there"
            )
            raise UserError(f"params.yaml: suites.{name}", what, "give the suite another name")


class Makers:
    """Which items make what others read.

    Parameters
    ----------
    items
        As :func:`pipeline` gives them, by name.
    """

    def __init__(self, items: Mapping[str, Item]) -> None:
        made = ((maker, out) for maker in items.values() for out in maker.outs)
        self._made = [*made]
        self._below: dict[str, list[int]] = {}
        for number, (_, out) in enumerate(self._made):
            parts = out.split("/")
            for n in range(1, len(parts) + 1):
                self._below.setdefault("/".join(parts[:n]), []).append(number)

    def upstream(self, item: Item) -> list[tuple[Item, str]]:
        """Return the items and their outs that lie in a dep of ``item``, in order."""
        numbers = {number for dep in item.deps for number in self._below.get(dep, ())}
        return [self._made[number] for number in sorted(numbers)]

    def sources(self, item: Item) -> list[str]:
        """Return the deps that no stage makes: code and vocabulary."""
        return [dep for dep in item.deps if dep not in self._below]
