"""Which stages are up to date, and where the others are built.

A stage whose seal holds is taken as it lies. Every other stage is built aside, in
``.lvlmbench/build/<hash of its parameters, code and inputs>``, below the same relative paths, and
:mod:`publish` moves whole stages into place. The name says what the files are made from, so a
file that is there is right: a killed run goes on where it was, another parameter or shard size
has another folder, and no time stamp decides.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.dag.builds import ABOVE, BUILDS, HASHES, PLAN, drop_copies, drop_spoilt
from lvlmbench.dag.hashing import Hashes, digest, source_digests
from lvlmbench.dag.seals import Seal, differences, read_seal
from lvlmbench.dag.stages import (
    SEALS,
    Stage,
    lies_in,
    matrix_folders,
    read_stages,
    source_deps,
    upstream,
)
from lvlmbench.errors import UserError
from lvlmbench.tables import atomic_bytes


@dataclass(frozen=True)
class Status:
    """How it stands with a stage.

    Attributes
    ----------
    valid
        Its files are what its parameters, code and inputs make.
    reuse
        Its seal holds, but a stage before it is to be rebuilt: if that gives the same bytes, the
        published files are still right.
    build
        Folder it is built in while it is not valid.
    why
        What changed, in words.
    seal
        The seal to be, outs as they lie now.
    """

    valid: bool
    reuse: bool
    build: str
    why: tuple[str, ...]
    seal: Seal


class Plan:
    """The state of all stages in the current directory.

    Parameters
    ----------
    root
        The project: dvc.yaml, code, vocabulary.
    params
        Resolved parameters as plain data.
    only
        Name of one stage to look at (DVC runs one at a time); the files of the others are then
        taken as given.
    """

    def __init__(self, root: Path, params: Mapping[str, Any], only: str | None = None) -> None:
        self.root, self.only = root, only
        self.stages = read_stages(root / "dvc.yaml", params)
        if only is not None and only not in self.stages:
            kind, _, item = only.partition("/")
            if kind == "scenario":
                raise UserError(
                    f"params.yaml: scenarios.noisy: {item}",
                    "is not among scenarios.names, so no model is asked in it",
                    "add it there, or take it out of scenarios.noisy",
                )
            raise UserError("dvc.yaml", f"has no stage '{only}'", f"use: {', '.join(self.stages)}")
        self._above = {name: upstream(stage, self.stages) for name, stage in self.stages.items()}
        self._hashes = Hashes(Path(HASHES))
        deps = {dep for s in self.stages.values() for dep in source_deps(s, self.stages)}
        self._code = source_digests(root, sorted(deps), self._hashes)
        self.status: dict[str, Status] = {}
        for stage in self.stages.values():
            if only is None or stage.name == only:
                self.status[stage.name] = self._look(stage)
        self._hashes.save()

    def stale(self, name: str) -> bool:
        """Whether a stage is to be built."""
        return name in self.status and not self.status[name].valid

    def _look(self, stage: Stage) -> Status:
        code = {dep: self._code[dep] for dep in source_deps(stage, self.stages)}
        above = self._above[stage.name]
        seal = Seal(
            params=dict(stage.params),
            code=code,
            inputs={out: self._hashes.tree(Path(out)) for _, out in above},
            outs={out: self._hashes.tree(Path(out)) for out in stage.outs},
        )
        changed = differences(read_seal(Path(stage.seal)), seal)
        stale = {maker.name for maker, _ in above if self.stale(maker.name)}
        intent: dict[str, Any] = {
            "stage": stage.name,
            "params": seal["params"],
            "code": code,
            "inputs": {
                out: self.status[maker.name].build if maker.name in stale else seal["inputs"][out]
                for maker, out in above
            },
        }
        return Status(
            valid=not changed and not stale,
            reuse=not changed and bool(stale),
            build=f"{BUILDS}/{digest(intent, size=8)}",
            why=tuple(changed),
            seal=seal,
        )

    def ancestors(self, name: str) -> list[Stage]:
        """Stages to be built for ``name``, itself included, in the order of dvc.yaml."""
        if not self.stale(name):
            return []
        wanted = {name}
        for stage in reversed(self.stages.values()):
            if stage.name in wanted:
                wanted |= {m.name for m, _ in self._above[stage.name] if self.stale(m.name)}
        return [stage for stage in self.stages.values() if stage.name in wanted]

    def given(self, name: str, paths: Iterable[str]) -> list[str]:
        """Where a job of stage ``name`` finds its inputs, of which it gives the published paths.

        Raises
        ------
        ValueError
            An input lies in no declared dep of the stage, or no stage makes it.
        """
        found = []
        for path in paths:
            maker = next((m.name for m, out in self._above[name] if lies_in(path, out)), None)
            if maker is None:
                raise ValueError(f"dvc.yaml: {name} reads {path}, which is not among its deps")
            found.append(f"{self.status[maker].build}/{path}" if self.stale(maker) else path)
        return found

    def made(self, name: str, paths: Iterable[str]) -> list[str]:
        """Where the jobs of a stale stage put its files, of which it gives the published paths.

        Raises
        ------
        ValueError
            A file lies in no declared out of the stage.
        """
        stage, found = self.stages[name], []
        for path in paths:
            if not any(lies_in(path, out) for out in stage.outs):
                raise ValueError(f"dvc.yaml: {name} makes {path}, which is not among its outs")
            found.append(f"{self.status[name].build}/{path}")
        return found

    def write(self) -> None:
        """Leave in each build folder what the jobs and the publishing need to know.

        What in it is no longer as its job left it goes, and so will be made again.
        """
        outs = [out for stage in self.stages.values() for out in (*stage.outs, stage.seal)]
        deps = {dep for stage in self.stages.values() for dep in stage.deps}
        shared = {d for d in deps if d not in outs and any(lies_in(out, d) for out in outs)}
        shared |= {SEALS, *matrix_folders(self.root / "dvc.yaml")}
        for name in filter(self.stale, self.status):
            status = self.status[name]
            plan: dict[str, Any] = {
                "stage": name,
                "root": str(self.root),
                "seal": {**status.seal, "outs": dict.fromkeys(status.seal["outs"])},
                "reuse": status.reuse,
                "above": {
                    out: self.status[maker.name].build if self.stale(maker.name) else "."
                    for maker, out in self._above[name]
                },
                "publish": [self.status[stage.name].build for stage in self.ancestors(name)],
                "keep": outs,
                "sweep": sorted(shared),
            }
            for out, build in plan["above"].items():
                _link(Path(status.build, ABOVE, out), Path(build, out))
            path, text = Path(status.build, PLAN), json.dumps(plan, indent=1).encode()
            if not path.is_file() or path.read_bytes() != text:
                atomic_bytes(path, text)
            drop_spoilt(Path(status.build), self._hashes)
        drop_copies(name for name, status in self.status.items() if status.valid)
        self._hashes.save()


def _link(link: Path, target: Path) -> None:
    """Have ``link`` be a relative link to ``target``, which need not exist yet."""
    relative = os.path.relpath(target, link.parent)
    if link.is_symlink() and os.readlink(link) == relative:  # noqa: PTH115
        return
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(relative)
