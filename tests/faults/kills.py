"""``kill -9`` of a run: when, of whom, and what must hold afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from e2e.clone import Clone, collects
from lvlmbench.engine.hashing import Hashes

AIM = Path(__file__).parent / "aim"

MOMENTS = ("time", "rule", "unfinished file", "publishing", "file of DVC")
VICTIMS = ("main", "worker", "group")

#: What DVC says of a file of its own that was cut short, and the file to remove then.
CUT = {
    r"dvc\.lock' (validation failed|is invalid)|unable to read: '\S*dvc\.lock'": "dvc.lock",
    r"RWLock-file '\S+'.*corrupted": ".dvc/tmp/rwlock",
}


@dataclass
class Kill:
    """One kill, or one that came too late.

    Attributes
    ----------
    moment, victim
        When, one of :data:`MOMENTS`, and who, one of :data:`VICTIMS`.
    running
        Scripts of jobs that ran then; what was being done to which file where that was aimed at.
    after_s
        Seconds after the start.
    typed
        What had to be typed for the next run but the same command.
    wrong
        What did not hold afterwards.
    """

    clone: int
    command: str
    moment: str
    victim: str
    hit: bool = False
    running: list[str] = field(default_factory=list)
    after_s: float = 0.0
    typed: str | None = None
    wrong: list[str] = field(default_factory=list)


def _heed_interrupts() -> None:
    """Shells have what they start in the background ignore Ctrl-C, and that is inherited."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Run:
    """A command in a clone whose output goes to a file, and its processes."""

    def __init__(self, clone: Clone, command: tuple[str, ...], aim: dict[str, Any] | None = None):
        self.clone, self.began = clone, time.monotonic()
        self.said_in = clone.path.with_name(f"{clone.path.name}.said")
        environment = clone.environment
        if aim is not None:
            environment |= {"PYTHONPATH": str(AIM), "LVLMBENCH_AIM": json.dumps(aim)}
        with self.said_in.open("wb") as f:
            self.process = subprocess.Popen(
                command,
                cwd=clone.path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=f,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_heed_interrupts,
            )

    @property
    def said(self) -> str:
        """What it has printed so far."""
        return self.said_in.read_text(errors="replace")

    def ended(self) -> bool:
        return self.process.poll() is not None

    def descendants(self) -> dict[int, str]:
        """Process ids below this command's, with their command lines."""
        parents, lines = {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                lines[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            parents[int(folder.name)] = int(stat[1])
        found = {self.process.pid}
        while more := {p for p, above in parents.items() if above in found} - found:
            found |= more
        return {pid: lines[pid].replace("\0", " ") for pid in found - {self.process.pid}}

    def kill(self, victim: str, moments: random.Random) -> list[str]:
        """Kill the command, one of its processes or all at once; returns the scripts that ran."""
        below = self.descendants()
        running = sorted({s for line in below.values() for s in _scripts(line)})
        if victim == "group":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif victim == "worker" and below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(moments.choice(sorted(below)), signal.SIGKILL)
        else:
            self.process.kill()
        return running

    def wait(self, seconds: float = 3600) -> int:
        """Wait for the command and all its processes; returns its exit code."""
        try:
            code = self.process.wait(seconds)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        deadline = time.monotonic() + 120
        while alive := self.clone._processes():
            assert time.monotonic() < deadline, f"lives on: {alive}"
            time.sleep(0.05)
        return code

    def finished(self) -> Counter[str]:
        """Jobs by rule that Snakemake says have finished."""
        rules = re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", self.said, flags=re.M)
        return Counter(rule for rule in rules if not collects(rule))


def _scripts(line: str) -> list[str]:
    """What a process of a run works at."""
    found = re.findall(r"/scripts/job\.py (\w+) ", line)
    if "/scripts/publish.py" in line:
        found.append("publish")
    if "-m snakemake" in line or "/bin/snakemake" in line:
        found.append("snakemake")
    return found


def _unfinished(clone: Clone) -> set[str]:
    """Files of builds that are being written, or that a kill has left so."""
    walk = os.walk(clone.path / ".lvlmbench/build", onerror=None)
    return {f"{top}/{name}" for top, _, names in walk for name in names if name.endswith(".tmp")}


def _begun(clone: Clone) -> set[str]:
    """Rules of which a job has begun; builds may go meanwhile."""
    while True:
        with contextlib.suppress(FileNotFoundError):
            return clone.started()


def _wait_for(run: Run, when: Callable[[], bool], seconds: float) -> bool:
    """Wait until something holds, at most this long; whether it came to hold."""
    deadline = time.monotonic() + seconds
    while not (held := when()) and not run.ended() and time.monotonic() < deadline:
        time.sleep(0.005)
    return held


def strike(
    kill: Kill, clone: Clone, command: tuple[str, ...], moments: random.Random, span_s: float
) -> Run:
    """Start a command, kill it as ``kill`` says, wait; ``span_s`` is how long it would take."""
    mark = clone.path.with_name(f"{clone.path.name}.mark")
    mark.unlink(missing_ok=True)
    aim: dict[str, Any] | None = None
    if kill.moment in ("publishing", "file of DVC"):
        whom = {"main": "run", "worker": "self", "group": "group"}[kill.victim]
        aim = {"mark": str(mark), "delay_s": 0.0, "program": "publish.py", "text": "", "whom": whom}
        aim["nth"] = moments.randint(1, 40 if command[0] == "dvc" else 400)
        if kill.moment == "file of DVC":
            kill.victim = "main"
            text, most = moments.choice([("dvc.lock", 12), (".dvc/", 150), ("data/", 60)])
            delay = moments.choice([0.0, 0.01, moments.uniform(0, 0.5)])
            aim |= {"program": "dvc", "whom": "self", "text": text, "delay_s": delay}
            aim["nth"] = moments.randint(1, most)
    left = _unfinished(clone)
    run = Run(clone, command, aim)
    came = True
    if kill.moment == "time":
        _wait_for(run, lambda: False, moments.uniform(0, span_s))
    elif kill.moment == "rule":
        seen, new = _begun(clone), moments.randint(1, 4)
        came = _wait_for(run, lambda: len(_begun(clone) - seen) >= new, span_s)
    elif kill.moment == "unfinished file":
        came = _wait_for(run, lambda: bool(_unfinished(clone) - left), span_s)
    if not came:
        kill.moment = "time"  # it is killed all the same
    if aim is None and not run.ended():
        kill.hit = True
        kill.after_s = round(time.monotonic() - run.began, 2)
        kill.running = run.kill(kill.victim, moments)
    run.wait()
    if aim is not None and mark.exists():
        kill.hit = True
        kill.after_s = round(time.monotonic() - run.began, 2)
        kill.running = [mark.read_text().replace(f"{clone.path}/", "")]
    return run


def untrue_seals(clone: Clone, expected: dict[str, str]) -> list[str]:
    """Seals whose outs are not as they say, read afresh, and sealed files that are not right."""
    found = []
    now = clone.artifacts()
    for path in sorted((clone.path / "data/seals").rglob("[!.]*.json")):
        hashes = Hashes(clone.path / "no memory")
        for out, value in json.loads(path.read_text())["outs"].items():
            if hashes.tree(clone.path / out) != value:
                found.append(f"{path.name}: {out} is not as sealed")
            for name, digest in now.items():
                if (name == out or name.startswith(f"{out}/")) and expected.get(name) != digest:
                    found.append(f"{name}: sealed, but not what an undisturbed run makes")
    return found


#: A file that DVC makes beside an artifact while it tries how it can link, and leaves when killed.
#: It is in no out, git ignores it and nothing reads it (docs/running.md).
_OF_DVC = re.compile(r"(data|results)/(\w+/)*\.[\w-]{22}\.tmp")


def of_dvc(name: str) -> bool:
    """Whether a file, by its path in the clone, is such a file."""
    return _OF_DVC.fullmatch(name) is not None


def leftovers(clone: Clone) -> list[str]:
    """Files of unfinished writing among the artifacts."""
    found = [p for top in ("data", "results") for p in (clone.path / top).rglob(".*")]
    names = [str(p.relative_to(clone.path)) for p in found]
    endings = (".tmp", ".publish-new", ".publish-old")
    return [name for name in names if name.endswith(endings) and not of_dvc(name)]


def cut_file(said: str) -> str | None:
    """The file of DVC's own that it says is cut short."""
    return next((name for words, name in CUT.items() if re.search(words, said)), None)


def lost_file(said: str) -> str | None:
    """The artifact that DVC had taken away to link it back, and does not find."""
    found = re.search(r"failed to commit - output '([^']+)' does not exist", said)
    return found[1] if found else None


def table(kills: list[Kill]) -> str:
    """Kills by moment and victim, and what came of them."""
    lines = [
        f"  {'moment':<16} {'victim':<7} {'kills':>5} {'too late':>8} {'typed':>6} {'wrong':>6}"
    ]
    for moment in MOMENTS:
        for victim in VICTIMS:
            some = [k for k in kills if (k.moment, k.victim) == (moment, victim)]
            if some:
                hits = sum(k.hit for k in some)
                typed = sum(k.typed is not None for k in some)
                wrong = sum(bool(k.wrong) for k in some)
                late = len(some) - hits
                lines.append(
                    f"  {moment:<16} {victim:<7} {hits:>5} {late:>8} {typed:>6} {wrong:>6}"
                )
    while_running = Counter(what.split()[0] for k in kills if k.hit for what in k.running or ["-"])
    lines.append(f"  while these ran: {dict(while_running.most_common())}")
    return "\n".join(lines)


def write_summary(path: Path, kills: list[Kill], about: dict[str, Any]) -> None:
    """All kills as JSON."""
    path.write_text(json.dumps({**about, "kills": [asdict(k) for k in kills]}, indent=1))
