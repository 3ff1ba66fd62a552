"""dvc.yaml, generated from the declared stages; :mod:`lvlmbench.engine.documentation` writes it.

DVC reads it with parameters from params.yaml. Its matrices run over lists of that file, so items of
an axis that lies inside a suite, such as its scenarios, share a stage of DVC; the engine still
builds each of them for itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.config import Project, validate_project
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.registry import kinds_of
from lvlmbench.engine.alone import code_of
from lvlmbench.engine.stages import CORPUS, SEALS, lookup
from lvlmbench.stages.stage import AXES, Stage, declared, holes, lies_in

NAME = "dvc.yaml"
LOCK = "dvc.lock"

#: Keys that DVC 3 takes for sizes of files and leaves out of the run cache's key, params' too.
_NOT_COMPARED = ("size", "nfiles")

_HEAD = """\
# Generated from lvlmbench/stages/*/stage.py; 'make docs' writes it anew. docs/running.md tells
# what a seal is. What a command has after `--` is there for DVC to compare.
"""

_PLOTS = """\

# 'dvc plots show' and 'dvc plots diff REVISION'; the templates are in .dvc/plots. A file of a model
# that is not trained, or of a suite that is not there, is left out.
"""


def axes_of(stage: Stage) -> list[str]:
    """Return the axes that DVC has a stage for each value of: the first ones, as long as
    params.yaml itself lists all values."""
    return [*itertools.takewhile(_known, stage.axes)]


def _known(axis: str) -> bool:
    return axis == "suite" or bool(AXES[axis].listed and not AXES[axis].added)


def listed(axis: str) -> str:
    """Return the key in params.yaml of the list that an axis has its values from."""
    return "suites" if axis == "suite" else AXES[axis].listed


def _named(axis: str) -> str:
    """How a stage of DVC names its value of an axis."""
    plain = axis == "suite" or AXES[axis].plain
    return f"${{item.{axis}}}" if plain else f"${{item.{axis}.name}}"


def addresses(project: Project) -> dict[str, str]:
    """How DVC calls the stage that makes an item, for each item."""
    plain, found = project.model_dump(mode="json"), dict[str, str]()
    for stage in declared().values():
        axes = axes_of(stage)
        for values in stage.values(project):
            parts = []
            for axis in axes:
                value = values[axis]
                if axis != "suite" and not AXES[axis].plain:
                    names = [each["name"] for each in lookup(plain, listed(axis))]
                    value = f"{axis}{names.index(value)}" if value in names else value
                parts.append(value)
            found[stage.item(values)] = "@".join(filter(None, (stage.name, "-".join(parts))))
    return found


def drop_from_lock(root: Path, project: Project) -> int:
    """Take stages that parameters do not have out of dvc.lock below ``root``; returns how many.

    DVC keeps them for good, and reads and writes the file whole for each stage that it runs. What
    its caches hold stays there.
    """
    file, here = root / LOCK, {*addresses(project).values()}
    try:
        lock = yaml.load(file.read_bytes(), yaml.CSafeLoader)
        gone = [name for name in lock["stages"] if name not in here]
    except (OSError, yaml.YAMLError, TypeError, LookupError):  # DVC says what is wrong with it
        return 0
    for name in gone:
        del lock["stages"][name]
    if gone:
        atomic_bytes(file, yaml.dump(lock, Dumper=yaml.CSafeDumper, sort_keys=False).encode())
    return len(gone)


def _left_out(value: Any, key: str) -> Iterator[str]:
    """Dotted keys below ``key`` that DVC's run cache does not compare."""
    if isinstance(value, list):
        for each in value:
            if found := list(_left_out(each, key)):
                raise ValueError(f"{key}: DVC compares no '{found[0]}': call it otherwise")
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _left_out(each, f"{key}.{name}")
    elif key.rpartition(".")[2] in _NOT_COMPARED:
        yield key


class _Writer:
    """Entries of dvc.yaml.

    Parameters
    ----------
    root
        The project, whose code the stages run.
    stages
        By name, makers before readers.
    """

    def __init__(self, root: Path, stages: Mapping[str, Stage]) -> None:
        self._root, self._stages = root, stages
        self._plain = validate_project({}).model_dump(mode="json")

    def _path(self, stage: Stage, template: str) -> str:
        """A template with DVC's holes, cut off where an axis begins that DVC does not know."""
        known, kept = axes_of(stage), []
        for part in template.split("/"):
            names = holes(part)
            if any("." not in name and name not in known for name in names):
                break
            for name in names:
                filled = f"${{{name}}}" if "." in name else _named(name)
                part = part.replace(f"{{{name}}}", filled)
            kept.append(part)
        return "/".join(kept)

    def _deps(self, stage: Stage) -> list[str]:
        """What DVC compares of what a stage reads.

        Where a stage reads what there is of all suites, or may read of any, those are the seals of
        its makers: they hold the hashes of all that was made, in one folder whatever suites there
        are.
        """
        found = [dep for read in stage.reads for dep in self._read(stage, read)]
        for read in stage.elsewhere:
            absent = self._absent(read)
            seals = (f"{SEALS}/{maker}" for maker in self._makers(read))
            found += self._read(stage, read) if absent else seals
        if CORPUS in stage.params:
            found += _read_by_suites()
        code = (code_of(self._root, each) for each in (stage, *self._through(stage)))
        return sorted({*found, *_whole(self._root, set(itertools.chain(*code)))})

    def _read(self, stage: Stage, read: str) -> Iterator[str]:
        """What DVC compares of one thing that a stage reads."""
        if makers := self._absent(read):
            for maker in makers:
                for each in maker.reads:
                    yield from self._read(stage, each)
        elif "{suite}" in read and "suite" not in stage.axes:
            yield from (f"{SEALS}/{maker}" for maker in self._makers(read))
        else:
            yield self._path(stage, read)

    def _absent(self, read: str) -> list[Stage]:
        """The makers of what is not there by default, as a list of the parameters is empty.

        DVC takes no path that may not exist: a reader depends on what it would be made from.
        """
        makers = [self._stages[name] for name in self._makers(read)]
        lists = ([lookup(self._plain, listed(a)) for a in axes_of(maker)] for maker in makers)
        return makers if makers and all([] in found for found in lists) else []

    def _through(self, stage: Stage) -> list[Stage]:
        """The makers of all that a stage reads and that is not there by default."""
        reads = (*stage.reads, *stage.elsewhere)
        found = {maker.name: maker for read in reads for maker in self._absent(read)}
        return list(found.values())

    def _makers(self, read: str) -> Iterator[str]:
        for maker, stage in self._stages.items():
            if any(lies_in(out.path, read) or lies_in(read, out.path) for out in stage.makes):
                yield maker

    def _params(self, stage: Stage) -> tuple[list[str], list[str]]:
        """Keys of parameters that DVC compares, and what goes into the command for the others."""
        keys, told = [], []
        inner = [axis for axis in stage.axes if axis not in axes_of(stage)]
        more = [key for maker in self._through(stage) for key in maker.params]
        if "suite" not in stage.axes:
            more = [key for key in more if not key.startswith("suite.")]
        for key in dict.fromkeys((*stage.params, *more)):
            section, _, name = key.partition(".")
            if section == "item" and name not in inner:
                told.append(f"${{item.{name}}}")
            elif section == "suite":
                keys.append(f"suites.${{item.suite}}.{name}")
            elif section != "item":
                keys.append(key)
                told += [f"${{{k}}}" for k in _left_out(lookup(self._plain, key), key)]
        # Which items there are decides what such a stage makes.
        keys += [AXES[axis].listed or f"suites.${{item.suite}}.{axis}s" for axis in inner]
        return list(dict.fromkeys(keys)), told

    def entry(self, stage: Stage) -> dict[str, Any]:
        """Return the entry of a stage."""
        axes, whole = axes_of(stage), axes_of(stage) == list(stage.axes)
        name = "/".join([stage.name, *(_named(axis) for axis in axes)])
        params, told = self._params(stage)
        outs = [self._path(stage, out.path) for out in stage.makes if not out.metric]
        metrics = [self._path(stage, out.path) for out in stage.makes if out.metric]
        found: dict[str, Any] = {}
        if axes:
            found["matrix"] = {axis: f"${{{listed(axis)}}}" for axis in axes}
        found["cmd"] = f"python scripts/stage.py {name}" + (" -- " + " ".join(told) if told else "")
        found["deps"] = self._deps(stage)
        found["params"] = params
        found["outs"] = [*outs, f"{SEALS}/{name}" + (".json" if whole else "")]
        if metrics:
            found["metrics"] = metrics
        return found


def _read_by_suites() -> list[str]:
    """Folders that the settings of suites name where nothing is written: DVC compares them for all
    suites, the seals for those that read them."""
    kinds = kinds_of("suites").ordered()
    return [f for kind in kinds if kind.settings is not None for f in kind.settings().folders()]


def _whole(root: Path, code: set[str]) -> set[str]:
    """Code, where all of a folder is in it as that folder: DVC reads and writes dvc.lock whole for
    each stage that it runs, so what stands there costs time."""
    for folder in {str(Path(path).parent) for path in code if path.count("/") > 1}:
        inside = {f"{folder}/{path.name}" for path in (root / folder).iterdir()}
        if inside - {f"{folder}/__init__.py", f"{folder}/__pycache__"} <= code:
            code = code - inside | {folder}
    return code


def _plots(project: Project) -> list[dict[str, Any]]:
    loss = {f"results/reference/{n}/loss.csv": ["training_loss", "validation_loss"]
            for n in project.reference.models}  # fmt: skip
    found: list[dict[str, Any]] = [{"Training of the reference models": {"x": "step", "y": loss}}]
    for suite in project.suites:
        main = headline_of(project.suite(suite)).label
        for title, file, column, label in (
            ("Headlines by scenario", "headlines", "scenario", main),
            ("Scores by subtask", "subtasks", "subtask", "score (%)"),
        ):
            found.append(
                {
                    f"{title} ({suite})": {
                        "x": "value",
                        "y": {f"results/{suite}/plots/{file}.csv": column},
                        "template": f"by_{column}",
                        "x_label": label,
                    }
                }
            )
    return found


class _Indented(yaml.SafeDumper):  # type: ignore[misc]
    """Lists stand further in than their keys, as DVC's own files have them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _yaml(data: Any) -> str:
    return str(yaml.dump(data, Dumper=_Indented, sort_keys=False, width=1000, allow_unicode=True))


def text(root: Path = PROJECT_ROOT, stages: Mapping[str, Stage] | None = None) -> str:
    """Return dvc.yaml.

    Raises
    ------
    ValueError
        A parameter in a list has a name that DVC would not compare.
    """
    known = declared() if stages is None else stages
    writer = _Writer(root, known)
    entries = (_yaml({name: writer.entry(stage)}) for name, stage in known.items())
    plots = _yaml({"plots": _plots(validate_project({}))})
    body = "\n".join("".join(f"  {line}\n" for line in e.splitlines()) for e in entries)
    return f"{_HEAD}stages:\n{body}{_PLOTS}{plots}"
