"""Whether results are of what the parameters say now, by the seals: no data is read."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.config import Project, validate_project
from lvlmbench.config.layers import BASE, merge
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.seals import Seal, read_seal
from lvlmbench.engine.stages import SEALS, params_by_item
from lvlmbench.engine.under_way import given
from lvlmbench.stages.stage import AXES
from lvlmbench.versions.differences.settings import params_changes

#: Keys that are told.
_TOLD = 3
#: An entry of a list, by its name, with the keys in it.
_ITEM = re.compile(r"(\[[^]]*\]).*")


@dataclass(frozen=True)
class Given:
    """Parameters that the results of a folder may be of: files, and what was laid over them."""

    folder: Path
    files: tuple[Path, ...]
    config: Mapping[str, Any]
    project: Project

    @property
    def words(self) -> str:
        """The files, as one types them."""
        more = [*map(_typed, self.files), *(["--config"] if self.config else [])]
        return " with ".join(filter(None, (more[0], ", ".join(more[1:]))))

    @property
    def command(self) -> str:
        """What makes these results anew."""
        if self.config:
            return "run it with --config again"
        files = " ".join(shlex.quote(_typed(file)) for file in self.files[1:])
        if self.files[0].parent.resolve() == self.folder.resolve() == Path.cwd():
            if len(self.files) < 3:
                return f"run 'make report{' CONFIG=' if files else ''}{files}'"
            return f"run 'snakemake --configfile {files}'"
        over = f" --configfile {files}" if files else ""
        return f"run 'snakemake{over} --directory {shlex.quote(str(self.folder))}'"


def _typed(file: Path) -> str:
    here = os.path.relpath(file)
    return str(file.resolve()) if here.startswith("..") else here


def parameters(folder: Path) -> list[Given]:
    """Return what the last run in a folder was given, as its files are now, and params.yaml alone.

    What cannot be read, or is no longer there, is left out.
    """
    base = folder / BASE
    tried = [] if (noted := given(folder)) is None else [noted]
    alone = [file.resolve() for file in tried[0][0]] == [base.resolve()] if tried else False
    if base.is_file() and not (alone and not tried[0][1]):
        tried.append(([base], {}))
    found = []
    for files, config in tried:
        merged: dict[str, Any] = {}
        try:
            for file in files:
                merged = merge(merged, _mapping(read_yaml(file)))
            project = validate_project(merge(merged, dict(config)))
        except UserError:
            continue
        found.append(Given(folder, tuple(files), config, project))
    return found


def _mapping(layer: object) -> dict[str, Any]:
    return layer if isinstance(layer, dict) else {}


def outdated(folder: Path, suite: str, told: list[Given] | None = None) -> str | None:
    """Return in one line which parameters differ from those that a suite's numbers are of.

    Nothing is said where the numbers are of what the last run was given, or of params.yaml alone.

    Parameters
    ----------
    told
        What :func:`parameters` has found.
    """
    seals = _seals_above(folder, f"metrics/{suite}")
    told = parameters(folder) if told is None else told
    where = folder / "results" / suite
    noted = given(folder)
    known = noted is not None and bool(told) and [*told[0].files] == noted[0]  # it can be read
    if known and all(suite not in each.project.suites for each in told):
        gone = f"{told[0].words} has no suite '{suite}'"
        return f"{where}: is left from an earlier run: {gone}; list it there to make it anew"
    keys: list[str] = []
    for each in told if seals else ():
        changed = list(dict.fromkeys(_changed(seals, each.project, suite)))
        if not changed:
            return None
        keys = keys or changed
    if not keys:
        return None
    last = told[0]
    more = f" and {amount(len(keys) - _TOLD, 'other key')}" if len(keys) > _TOLD else ""
    what = f"{', '.join(keys[:_TOLD])}{more} {'differ' if len(keys) > 1 else 'differs'}"
    return f"{where}: is of another state than {last.words}: {what}; {last.command} to make it anew"


def _seals_above(folder: Path, name: str) -> dict[str, Seal]:
    """The seals of an item and of all that it is made from; none where it has none."""
    seals: dict[str, Seal] = {}
    for path in sorted((folder / SEALS).rglob("*.json")):
        if (seal := read_seal(path)) is not None:
            seals[str(path.relative_to(folder / SEALS).with_suffix(""))] = seal
    makers = {out: maker for maker, seal in seals.items() for out in seal["outs"]}
    found, ahead = dict[str, Seal](), [name]
    while ahead:
        if (one := ahead.pop()) in seals and one not in found:
            found[one] = seals[one]
            ahead += [makers[out] for out in seals[one]["inputs"] if out in makers]
    return found


def _changed(seals: Mapping[str, Seal], project: Project, suite: str) -> Iterator[str]:
    """Dotted keys of parameters that differ from those of the seals."""
    if suite not in project.suites:
        yield f"suites.{suite}"
        return
    for name, now in params_by_item(project, Path(), seals).items():
        before = seals[name]["params"]
        for key, value in now.items():
            if json.dumps(before.get(key), sort_keys=True) != json.dumps(value, sort_keys=True):
                where, of_item = _in_file(key, suite), key.startswith("item.")
                sides = ([old] if of_item else old for old in (before.get(key), value))
                for each in params_changes(*({where: side} for side in sides)):
                    yield _ITEM.sub(r"\1", each["key"])


def _in_file(key: str, suite: str) -> str:
    """Where a parameter by which an item is decided stands in params.yaml."""
    section, _, rest = key.partition(".")
    if section == "suite":
        return f"suites.{suite}.{rest}"
    if section == "item":
        return AXES[rest].listed or f"suites.{suite}.scenarios.noisy"
    return key
