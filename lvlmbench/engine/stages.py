"""The stages of dvc.yaml with their templates filled in: deps, outs and parameters of each.

dvc.yaml is the only place where they stand. DVC reads it with parameters from params.yaml; this
reads it with the parameters of the run at hand, so that it holds for ``--configfile`` too. Of
DVC's templates it knows what our file uses: ``${a.b}``, ``matrix`` over lists and ``${item.x.y}``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.core.errors import UserError

SEALS = "data/seals"

#: Keys that DVC 3 takes for sizes of files and leaves out of the run cache's key, params' too.
_NOT_COMPARED = ("size", "nfiles")

_TEMPLATE = re.compile(r"\$\{([^}]+)\}")


@dataclass(frozen=True)
class Stage:
    """One stage, or one item of a matrix.

    Attributes
    ----------
    name
        The seal's path below data/seals without its suffix, e.g. ``"answer/chance/clean"``.
    deps, outs
        Paths as declared; ``outs`` without the seal.
    params
        Everything declared that a parameter file decides: key or template -> value.
    """

    name: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]
    params: Mapping[str, Any]

    @property
    def seal(self) -> str:
        """Path of the seal."""
        return f"{SEALS}/{self.name}.json"


def lies_in(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or lies below it."""
    return path == folder or path.startswith(f"{folder}/")


def lookup(values: Mapping[str, Any], key: str) -> Any:
    """Value at a dotted key.

    Raises
    ------
    UserError
        There is no such key.
    """
    found: Any = values
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise UserError(f"dvc.yaml: {key}", "is not a parameter", "see docs/configuration.md")
        found = found[part]
    return found


def _fill(text: str, values: Mapping[str, Any], used: dict[str, Any]) -> str:
    """``text`` with its templates filled in; which values it took goes to ``used``."""

    def value(match: re.Match[str]) -> str:
        used[match[0]] = lookup(values, match[1])
        return str(used[match[0]])

    return _TEMPLATE.sub(value, text)


def _paths(entries: list[Any]) -> list[str]:
    """Paths of a list whose entries are paths or mappings of one path to its options."""
    return [e if isinstance(e, str) else next(iter(e)) for e in entries]


def _items(matrix: Mapping[str, str], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Items of a matrix, each axis a template that names a list."""
    axes = [lookup(params, _TEMPLATE.sub(r"\1", axis)) for axis in matrix.values()]
    return [dict(zip(matrix, values, strict=True)) for values in itertools.product(*axes)]


def _left_out(value: Any, key: str) -> list[str]:
    """Dotted keys below ``key`` that DVC's run cache does not compare."""
    if not isinstance(value, Mapping):
        return [key] if key.rpartition(".")[2] in _NOT_COMPARED else []
    return [found for name, each in value.items() for found in _left_out(each, f"{key}.{name}")]


def _stage(entry: Mapping[str, Any], params: Mapping[str, Any]) -> Stage:
    used: dict[str, Any] = {}

    def paths(*keys: str) -> list[str]:
        found = [path for key in keys for path in _paths(entry.get(key, []))]
        return [_fill(path, params, used) for path in found]

    deps, outs = paths("deps"), paths("outs", "metrics", "plots")
    _fill(entry["cmd"], params, used)
    seals = [out for out in outs if lies_in(out, SEALS)]
    if len(seals) != 1:
        raise ValueError(f"dvc.yaml: '{entry['cmd']}' declares {len(seals)} seals, not one")
    declared = {key: lookup(params, key) for key in entry.get("params", [])}
    for key in [k for name, value in declared.items() for k in _left_out(value, name)]:
        if f"${{{key}}}" not in used:
            raise ValueError(f"dvc.yaml: '{entry['cmd']}' must name ${{{key}}} after '--'")
    return Stage(
        name=seals[0].removeprefix(f"{SEALS}/").removesuffix(".json"),
        deps=tuple(deps),
        outs=tuple(out for out in outs if out not in seals),
        params={**declared, **used},
    )


def read_stages(path: Path, params: Mapping[str, Any]) -> dict[str, Stage]:
    """Stages of a dvc.yaml by name, in the order of the file, which is the order to run them in.

    Raises
    ------
    UserError
        A template names no parameter.
    ValueError
        The file is not of the form this project keeps to: a stage without a seal, two outs that
        overlap, a dep that only a later stage makes.
    """
    found: dict[str, Stage] = {}
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["stages"].values():
        for item in _items(entry["matrix"], params) if "matrix" in entry else [{}]:
            stage = _stage(entry, {**params, "item": item})
            found[stage.name] = stage
    makers = [(out, name) for name, stage in found.items() for out in stage.outs]
    for (a, _), (b, _) in itertools.combinations(makers, 2):
        if lies_in(a, b) or lies_in(b, a):
            raise ValueError(f"dvc.yaml: the outs {a} and {b} overlap")
    order = list(found)
    for stage in found.values():
        for maker, _ in upstream(stage, found):
            if order.index(maker.name) >= order.index(stage.name):
                raise ValueError(f"dvc.yaml: {stage.name} stands before {maker.name}")
    return found


def matrix_folders(path: Path) -> list[str]:
    """Folders of a dvc.yaml in which each item of some matrix has its own files, sorted."""
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))["stages"].values()
    outs = [o for e in entries for k in ("outs", "metrics", "plots") for o in _paths(e.get(k, []))]
    return sorted({out.split("/${item.")[0] for out in outs if "/${item." in out})


def shared_folders(stages: Mapping[str, Stage], path: Path) -> list[str]:
    """Folders in which several stages of the dvc.yaml at ``path`` have their files, sorted.

    What no stage makes any more must not stay there: stages read such folders whole.
    """
    outs = [out for stage in stages.values() for out in stage.outs]
    deps = {dep for stage in stages.values() for dep in stage.deps}
    shared = {d for d in deps if d not in outs and any(lies_in(out, d) for out in outs)}
    return sorted({*shared, SEALS, *matrix_folders(path)})


def upstream(stage: Stage, stages: Mapping[str, Stage]) -> list[tuple[Stage, str]]:
    """The stages and their outs that lie in a dep of ``stage``."""
    return [
        (maker, out)
        for maker in stages.values()
        for out in maker.outs
        if any(lies_in(out, dep) for dep in stage.deps)
    ]


def source_deps(stage: Stage, stages: Mapping[str, Stage]) -> list[str]:
    """Deps that no stage makes: code and vocabulary."""
    outs = [out for maker in stages.values() for out in maker.outs]
    return [dep for dep in stage.deps if not any(lies_in(out, dep) for out in outs)]
