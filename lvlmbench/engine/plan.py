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
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import ABOVE, HASHES, OFFERED, PLAN, drop_copies, drop_spoilt
from lvlmbench.engine.forced import ASKED, nothing
from lvlmbench.engine.hashing import Hashes, source_digests
from lvlmbench.engine.process import RUN_LOCK, looking, take_lock
from lvlmbench.engine.seals import DAMAGED, Seal, build_of, differences, read_seal
from lvlmbench.engine.stages import Item, Makers, Pipeline, lies_in


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
    """The state of all stages, item by item, in the current directory.

    Parameters
    ----------
    root
        The project: code, vocabulary.
    pipeline
        The items for the parameters at hand.
    only
        Names of the items to look at, or how those of several begin, as a path (DVC runs one stage
        at a time); the files of the others are then taken as given.
    facts
        What :meth:`facts` of the plan of a run says, for a job on a machine where nothing is
        published: the stages to be built are then those, and nothing is looked at.
    force
        Tells which stages are to be made anew though they are up to date.
    """

    _written = True

    def __init__(
        self,
        root: Path,
        pipeline: Pipeline,
        only: Collection[str] | None = None,
        facts: Mapping[str, Any] | None = None,
        force: Callable[[Item], bool] = nothing,
    ) -> None:
        self.root, self.only, self._force = root, only, force
        self.stages, self.folders = pipeline.items, pipeline.folders
        for asked in only or ():
            if not any(lies_in(name, asked) for name in self.stages):
                known = ", ".join(dict.fromkeys(name.split("/")[0] for name in self.stages))
                raise UserError(f"stage '{asked}'", "there is none", f"begin with one of: {known}")
        self._makers = Makers(self.stages)
        self._above = {name: self._makers.upstream(s) for name, s in self.stages.items()}
        self._hashes = Hashes(Path(HASHES))
        deps = {dep for s in self.stages.values() for dep in self._makers.sources(s)}
        self._code = source_digests(root, sorted(deps), self._hashes)
        self.status: dict[str, Status] = {}
        self._facts = facts
        for stage in self.stages.values():
            if facts is not None:
                if stage.name in facts["stale"]:
                    self.status[stage.name] = self._as_told(stage, facts["outs"])
            elif only is None or any(lies_in(stage.name, asked) for asked in only):
                self.status[stage.name] = self._look(stage)
        self._hashes.save()

    @classmethod
    def kept(cls, root: Path, pipeline: Pipeline, builds: Mapping[str, list[Any]]) -> Plan:
        """The plan of a run as :meth:`keep` gave it, for its jobs: nothing is looked at again."""
        plan = cls.__new__(cls)
        plan.root, plan.only, plan._facts = root, None, None
        plan.stages, plan.folders = pipeline.items, pipeline.folders
        plan._makers = Makers(plan.stages)
        plan._above = {name: plan._makers.upstream(s) for name, s in plan.stages.items()}
        seal = Seal(params={}, code={}, inputs={}, outs={})
        plan.status = {
            n: Status(valid, False, build, (), seal) for n, (valid, build) in builds.items()
        }
        return plan

    def keep(self) -> dict[str, list[Any]]:
        """For each stage whether it is up to date and the folder it is built in, as plain data."""
        return {name: [status.valid, status.build] for name, status in self.status.items()}

    def stale(self, name: str) -> bool:
        """Whether a stage is to be built."""
        return name in self.status and not self.status[name].valid

    def _look(self, stage: Item) -> Status:
        code = {dep: self._code[dep] for dep in self._makers.sources(stage)}
        above = self._above[stage.name]
        seal = Seal(
            params=dict(stage.params),
            code=code,
            inputs={out: self._hashes.tree(Path(out)) for _, out in above},
            outs={out: self._hashes.tree(Path(out)) for out in stage.outs},
        )
        changed = differences(read_seal(Path(stage.seal)), seal)
        if not changed and self._force(stage):
            changed = [ASKED]
        stale = any(self.stale(maker.name) for maker, _ in above)
        return Status(
            valid=not changed and not stale,
            reuse=not changed and stale,
            build=self._build(stage.name, seal),
            why=tuple(changed),
            seal=seal,
        )

    def _as_told(self, stage: Item, outs: Mapping[str, str | None]) -> Status:
        """A stage to be built, where ``outs`` are the hashes of what is published elsewhere."""
        seal = Seal(
            params=dict(stage.params),
            code={dep: self._code[dep] for dep in self._makers.sources(stage)},
            inputs={out: outs.get(out) for _, out in self._above[stage.name]},
            outs=dict.fromkeys(stage.outs),
        )
        return Status(False, False, self._build(stage.name, seal), (), seal)

    def _build(self, name: str, seal: Seal) -> str:
        """The folder that a stage is built in."""
        inputs = {
            out: self.status[maker.name].build if self.stale(maker.name) else seal["inputs"][out]
            for maker, out in self._above[name]
        }
        return str(build_of(name, seal, inputs))

    def facts(self) -> dict[str, Any]:
        """What a plan must be told on a machine where nothing is published."""
        stale = [name for name in self.status if self.stale(name)]
        outs = {
            out: self.status[name].seal["inputs"][out]
            for name in stale
            for maker, out in self._above[name]
            if not self.stale(maker.name)
        }
        return {"stale": stale, "outs": outs}

    def above(self, name: str) -> dict[str, str]:
        """The outs that an item reads, and the items that make them."""
        return {out: maker.name for maker, out in self._above[name]}

    def last(self) -> list[Item]:
        """The items that are looked at and that no other of those reads."""
        read = {maker.name for name in self.status for maker, _ in self._above[name]}
        return [stage for name, stage in self.stages.items() if name in self.status.keys() - read]

    def sources(self) -> list[str]:
        """Code and vocabulary that stages to be built are made from."""
        stale = [stage for name, stage in self.stages.items() if self.stale(name)]
        return sorted({dep for stage in stale for dep in self._makers.sources(stage)})

    def ancestors(self, name: str) -> list[Item]:
        """Stages to be built for ``name``, itself included, makers before readers."""
        if not self.stale(name):
            return []
        wanted = {name}
        for stage in reversed(list(self.stages.values())):
            if stage.name in wanted:
                wanted |= {m.name for m, _ in self._above[stage.name] if self.stale(m.name)}
        return [stage for stage in self.stages.values() if stage.name in wanted]

    def given(self, name: str, paths: Iterable[str], *, offered: bool = False) -> list[str]:
        """Where a job of stage ``name`` finds its inputs, of which it gives the published paths.

        Parameters
        ----------
        offered
            Whether the job finds what is published below :data:`OFFERED` instead.

        Raises
        ------
        ValueError
            An input lies in no declared dep of the stage, or no stage makes it.
        """
        found = []
        for path in paths:
            above = next(
                ((m.name, out) for m, out in self._above[name] if lies_in(path, out)), None
            )
            if above is None:
                raise ValueError(f"{name} reads {path}, which it does not declare")
            maker, out = above
            if self.stale(maker):
                found.append(f"{self.status[maker].build}/{path}")
            else:
                found.append(f"{self._offered(name, out)}/{path}" if offered else path)
        return found

    def _offered(self, name: str, out: str) -> str:
        """Folder below which a published out, which stage ``name`` reads, is offered."""
        return f"{OFFERED}/{self.status[name].seal['inputs'][out]}"

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
                raise ValueError(f"{name} makes {path}, which it does not declare")
            found.append(f"{self.status[name].build}/{path}")
        return found

    def write(self) -> None:
        """Leave in each build folder what the jobs and the publishing need to know.

        What in it is no longer as its job left it goes, and so will be made again. Beside a run
        that is at work all stays as it is: what it builds may be of no use to this plan.
        """
        with looking(RUN_LOCK) as alone:
            self._written = alone
            if alone:
                self._write()

    def begin(self) -> None:
        """Begin a run of this plan: no other may be under way in this folder until it ends.

        Raises
        ------
        UserError
            Another is, or was when this plan was to be written.
        """
        take_lock(RUN_LOCK)
        if not self._written:
            what = "another run was at work in this folder when this one began"
            raise UserError(str(Path.cwd()), what, "run again")

    def _write(self) -> None:
        outs = [out for stage in self.stages.values() for out in (*stage.outs, stage.seal)]
        for name in filter(self.stale, self.status):
            status = self.status[name]
            plan: dict[str, Any] = {
                "stage": name,
                "root": str(self.root),
                "seal": {**status.seal, "outs": dict.fromkeys(status.seal["outs"])},
                "reuse": status.reuse,
                "above": {
                    out: self.status[maker.name].build
                    if self.stale(maker.name)
                    else "."
                    if self._facts is None
                    else self._offered(name, out)
                    for maker, out in self._above[name]
                },
                "publish": [self.status[stage.name].build for stage in self.ancestors(name)],
                "keep": outs,
                "sweep": self.folders,
            }
            for out, build in plan["above"].items():
                _link(Path(status.build, ABOVE, out), Path(build, out))
            path, text = Path(status.build, PLAN), json.dumps(plan, indent=1).encode()
            if not path.is_file() or path.read_bytes() != text:
                atomic_bytes(path, text)
            # Whoever removes a file that cannot be read must not get it back: a build is a link of
            # the same bytes, and its time may not tell.
            damaged = status.why and all(why.endswith(DAMAGED) for why in status.why)
            drop_spoilt(Path(status.build), Hashes(None) if damaged else self._hashes)
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
