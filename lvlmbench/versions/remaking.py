"""Make stages of a version again, each from its pinned inputs, and compare.

All of a version is linked into a scratch folder, where Snakemake finds it up to date. Then some
outs go, and Snakemake is asked for them. One run of Snakemake makes as many stages as it can:
where a stage comes out as pinned, what is made from it was made from pinned inputs. Where it does
not, the pinned files are put back, and what reads them is made once more.
"""

from __future__ import annotations

import functools
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Literal

from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import BUILDS, PLAN, read_plan, remove
from lvlmbench.engine.process import die_with_parent
from lvlmbench.engine.publish import link_tree
from lvlmbench.engine.stages import SEALS, lies_in
from lvlmbench.versions.comparing import Difference, compare
from lvlmbench.versions.manifest import Manifest

#: What Snakemake says of how long it takes.
_PACE = re.compile(r"(?:plan|time): |\d+/\d+ jobs, ")
_TO_DO = re.compile(r"^to do: (.*?) \((.*)\)$")
#: Bytes of the end of a job's log that are kept.
_TAIL = 4000
#: Seconds that Snakemake gets to end its jobs after Ctrl-C.
_PATIENCE_S = 20


def _stages(count: int) -> str:
    return f"{count} stage{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Outcome:
    """What came of a stage.

    Attributes
    ----------
    state
        ``equal``; ``rows``: equal rows in other bytes; ``differs``; ``failed``: could not be made;
        ``blocked``: what it reads is not as sealed.
    """

    state: Literal["equal", "rows", "differs", "failed", "blocked"]
    differences: tuple[Difference, ...] = ()
    why: str = ""


def makers(manifest: Manifest) -> dict[str, set[str]]:
    """Stage -> the stages whose outs it reads.

    Raises
    ------
    UserError
        Some read each other's, in a circle.
    """
    made = {out: name for name, stage in manifest.stages.items() for out in stage.outs}
    found = {
        name: {made[out] for out in stage.inputs if out in made}
        for name, stage in manifest.stages.items()
    }
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        raise UserError(
            f"the manifest of {manifest.name}",
            f"has stages that read each other's files: {', '.join(error.args[1])}",
            "restore it with git",
        ) from None
    return found


def rounds(targets: Collection[str], above: Mapping[str, set[str]]) -> list[list[str]]:
    """Share targets out over runs of Snakemake, makers before readers.

    A stage that is not made again may lie between two that are. A run that made both would have to
    make it, too, or ask a server, so the second then waits for the next run.
    """

    @functools.cache
    def level(name: str) -> int:
        between = name not in targets
        return max((level(a) + (between and a in targets) for a in above[name]), default=0)

    found: dict[int, list[str]] = {}
    for name in TopologicalSorter({n: sorted(above[n]) for n in sorted(above)}).static_order():
        if name in targets:
            found.setdefault(level(name), []).append(name)
    return [found[n] for n in sorted(found)]


def draw(
    targets: Collection[str], above: Mapping[str, set[str]], count: int, seed: int | None = None
) -> list[str]:
    """Draw targets of which none is made from another, so that one run of Snakemake makes them.

    Parameters
    ----------
    seed
        Of the draw, for tests; otherwise nobody can know which are drawn.
    """
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    found: list[str] = []
    for name in chance.sample(sorted(targets), len(targets)):
        mine = ancestors(name, above)
        if len(found) < count and not any(o in mine or name in ancestors(o, above) for o in found):
            found.append(name)
    return found


def ancestors(name: str, above: Mapping[str, set[str]]) -> set[str]:
    """All stages that one is made from, at whatever remove."""
    found: set[str] = set()
    left = [*above[name]]
    while left:
        if (each := left.pop()) not in found:
            found.add(each)
            left += above[each]
    return found


class Remaking:
    """A scratch folder that holds a whole version, and Snakemake at work in it.

    Parameters
    ----------
    tree
        Code and parameters of the version.
    pinned
        Folder that holds its files, which were checked.
    scratch
        To be made; on the same file system as ``pinned`` no byte is copied.
    log
        File that Snakemake's output is added to.
    """

    def __init__(
        self, manifest: Manifest, tree: Path, pinned: Path, scratch: Path, log: Path
    ) -> None:
        self.manifest, self.tree, self.pinned = manifest, tree, pinned
        self.scratch, self.log = scratch, log
        self._above = makers(manifest)
        for name in manifest.files:
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            link_tree(pinned / name, scratch / name)

    def _snakemake(
        self, *arguments: str, say: Callable[[str], None] | None = None
    ) -> tuple[int, str]:
        """Run Snakemake on the version; returns its exit code and what it said on stderr.

        ``say`` gets its words about how long it takes, as they come.
        """
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(self.tree / "Snakefile")]
        command += ["--directory", str(self.scratch), *arguments]
        dropped = ("SNAKEMAKE_PROFILE", "LVLMBENCH_STAGE", "LVLMBENCH_CACHE_DIR")
        environment = {k: v for k, v in os.environ.items() if k not in dropped}
        environment |= {"PYTHONPATH": str(self.tree), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command,
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=functools.partial(die_with_parent, os.getpid()),
        )
        said = ""
        try:
            for line in process.stderr or ():
                said += line
                if say is not None and _PACE.match(line):
                    say(f"  {line.rstrip()}")
            process.wait()
        except BaseException:
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            raise
        with self.log.open("a", encoding="utf-8") as f:
            f.write(f"$ {' '.join(command)}\n{said}\n")
        return process.returncode, said

    def broken(self) -> dict[str, str]:
        """Stages whose seals do not hold for these files, code and parameters, and why.

        Raises
        ------
        UserError
            The version's Snakemake cannot be asked.
        """
        code, said = self._snakemake("--dry-run")
        if code:
            lines = [line for line in said.splitlines() if line.strip()]
            raise UserError(
                "the version's Snakefile",
                lines[-1] if lines else f"ended with {code}",
                f"see {self.log}",
            )
        found: dict[str, str] = {}
        for line in said.splitlines():
            if match := _TO_DO.match(line):
                found |= dict.fromkeys(match[1].split(", "), match[2])
        return found

    def remake(
        self,
        targets: Collection[str],
        broken: Mapping[str, str],
        say: Callable[[str], None],
    ) -> dict[str, Outcome]:
        """Make these stages again, each from pinned inputs.

        Parameters
        ----------
        broken
            What :meth:`broken` has found. A stage that reads what one of them has made is left
            alone, unless that one was made again, and equal, before.
        say
            Gets a line about each run of Snakemake.
        """
        found: dict[str, Outcome] = {}
        unsound = set(broken)
        while left := [name for name in targets if name not in found]:
            runs = rounds(left, self._above)
            for name in runs[0]:
                if bad := sorted(self._ancestors(name) & unsound - set(runs[0])):
                    found[name] = Outcome("blocked", why=f"the seal of {bad[0]} does not hold")
            if not (ready := [name for name in runs[0] if name not in found]):
                continue
            after = f", {len(left) - len(runs[0])} after these" if runs[1:] else ""
            shown = f"{', '.join(ready[:4])}{' ...' if len(ready) > 4 else ''}"
            say(f"making again {_stages(len(ready))}{after}: {shown}")
            said = self._make(ready, say)
            spoilt: set[str] = set()
            for name in ready:
                outcome = self._outcome(name, said)
                again = not spoilt.isdisjoint(self._ancestors(name))
                if not again:
                    found[name] = outcome
                if not self._put_back(name, outcome, always=again):
                    spoilt.add(name)
                elif not again:
                    unsound.discard(name)
        return found

    def _ancestors(self, name: str) -> set[str]:
        return ancestors(name, self._above)

    def _make(self, names: list[str], say: Callable[[str], None]) -> str:
        """Have stages made from nothing; returns what Snakemake said."""
        seals = [f"{SEALS}/{name}.json" for name in names]
        for path in (*seals, *(out for name in names for out in self.manifest.stages[name].outs)):
            remove(self.scratch / path)
        remove(self.scratch / BUILDS)
        code, said = self._snakemake("--quiet", "all", "--", *seals, say=say)
        if code:
            with self.log.open("a", encoding="utf-8") as f:
                for log in sorted((self.scratch / BUILDS).glob("*/log/*.log")):
                    text = log.read_text(encoding="utf-8", errors="replace")
                    f.write(f"--- {log.name}\n{text[-_TAIL:]}\n")
        return said

    def _outcome(self, name: str, said: str) -> Outcome:
        seal, outs = f"{SEALS}/{name}.json", self.manifest.stages[name].outs
        if not (self.scratch / seal).is_file():
            return Outcome("failed", why=f"{self._last_words(name, said)}; see {self.log}")
        differences = compare(self.scratch, self.pinned, [*outs, seal])
        data = [d for d in differences if d.path != seal]
        if not differences:
            return Outcome("equal")
        if data and all(
            d.rows_equal for d in data
        ):  # then the seal, which has their hashes, differs
            return Outcome("rows", tuple(data))
        return Outcome("differs", tuple(data or differences))

    def _last_words(self, name: str, said: str) -> str:
        """What the job of a stage wrote last that was at work last; else Snakemake's last line."""
        logs = [
            log
            for build in (self.scratch / BUILDS).glob("*")
            if (build / PLAN).is_file() and read_plan(build)["stage"] == name
            for log in build.glob("log/*.log")
        ]
        if logs:
            newest = max(logs, key=lambda log: log.stat().st_mtime_ns)
            said = newest.read_text(encoding="utf-8", errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return lines[-1] if lines else "it was not said why"

    def _put_back(self, name: str, outcome: Outcome, always: bool = False) -> bool:
        """Have the pinned files of a stage in the scratch folder; whether its seal holds now.

        ``always``: what was made, even if it is equal, was made from other files than the pinned.
        """
        seal = f"{SEALS}/{name}.json"
        same = outcome.state == "equal" or all(d.path == seal for d in outcome.differences)
        holds = outcome.state in ("equal", "differs") and same and not always
        outs = list(self.manifest.stages[name].outs)
        for path in outs if holds else [*outs, seal]:
            remove(self.scratch / path)
        for file in self.manifest.files:
            target = self.scratch / file
            if not target.exists() and any(lies_in(file, out) for out in [*outs, seal]):
                target.parent.mkdir(parents=True, exist_ok=True)
                link_tree(self.pinned / file, target)
        return holds
