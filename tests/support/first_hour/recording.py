"""Does a task in a copy of a finished clone and takes down which jobs ran, and why."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from e2e.clone import ROOT, Clone, collects

#: What a job's log says where its published outputs were still right.
TAKEN = "took the published outputs"
_TO_DO = re.compile(r"^to do: (.*) \((.*)\)$", re.M)


def nothing(clone: Clone) -> None:
    """Prepare nothing."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a newcomer does to a finished snapshot.

    Attributes
    ----------
    name, typed
        The task in words, and what is typed for it.
    allowed
        Rules whose jobs may do work; where a rule is given a pattern, only its jobs whose name
        matches.
    why
        Why these, in a sentence.
    prepare
        Edits and settings that come first.
    interrupt
        Rule after whose first finished job Ctrl-C is typed, and the command again.
    """

    name: str
    typed: tuple[str, ...]
    allowed: Mapping[str, str]
    why: str
    prepare: Callable[[Clone], None] = nothing
    interrupt: str = ""


@dataclass
class Record:
    """What a task ran.

    Attributes
    ----------
    worked, taken
        Names of the jobs that made something, and of those that took what was published.
    reasons
        What the plan said that had changed, by the items.
    seconds, last
        How long it took, and the last line that was told.
    """

    worked: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    last: str = ""
    said: str = ""

    @property
    def rules(self) -> Counter[str]:
        """How many jobs of each rule have worked."""
        return Counter(rule_of(name) for name in self.worked)

    def unexpected(self, task: Task) -> list[str]:
        """Jobs that worked although the task changes nothing that they depend on."""
        return [
            name
            for name in self.worked
            if (rule := rule_of(name)) not in task.allowed
            or not re.search(task.allowed[rule], name)
        ]


def rule_of(name: str) -> str:
    """The rule of a job, by the name of its log."""
    return re.split(r"[-.]", name)[0]


def shell(clone: Clone, command: str) -> str:
    """A command as it is typed, in a clone that shares the environment of the tests."""
    bin_ = clone.home / "bin"
    bin_.mkdir(exist_ok=True)
    wrapper = bin_ / "lvlmbench"
    if not wrapper.exists():
        wrapper.write_text('#!/bin/sh\nexec python -m lvlmbench.commands.main "$@"\n')
        wrapper.chmod(0o755)
    # The packages are there: 'make' need not install them into each clone.
    typed = re.sub(r"^make ", "make -o install ", command)
    return f'PATH={shlex.quote(str(bin_))}:"$PATH"; {typed}'


def _logs(clone: Clone) -> dict[Path, int]:
    return {log: log.stat().st_mtime_ns for log in clone.built("log/*.log")}


def typed(clone: Clone, command: str, code: int = 0) -> str:
    """Type a command; returns what it said."""
    return clone.run("bash", "-c", shell(clone, command), code=code, timeout_s=3600)


def interrupted(clone: Clone, command: str, rule: str) -> str:
    """Type a command and Ctrl-C once a job of a rule has begun; returns what it said."""
    before = _logs(clone)
    process = clone.start("bash", "-c", f"exec {shell(clone, command).split('; ', 1)[1]}")
    deadline = time.monotonic() + 600
    while process.poll() is None and time.monotonic() < deadline:
        new = {log for log, at in _logs(clone).items() if before.get(log) != at}
        if any(rule_of(log.name) == rule for log in new):
            break
        time.sleep(0.05)
    # To the whole group, as a terminal does.
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert "stopped: what was finished is kept" in said, said
    return said


def record(base: Clone, folder: Path, task: Task) -> Record:
    """Do a task in a copy of ``base``; returns what it ran."""
    clone = base.copy(folder)
    found = Record()
    task.prepare(clone)
    before, seen = _logs(clone), set[int]()
    began = time.monotonic()
    for number, command in enumerate(task.typed):
        if task.interrupt and number == 0:
            found.said = interrupted(clone, command, task.interrupt)
            before = _logs(clone)
            continue
        found.said = typed(clone, command)
        for items, why in _TO_DO.findall(found.said):
            found.reasons[items] = why
    found.seconds = time.monotonic() - began
    for log, at in sorted(_logs(clone).items()):
        inode = log.stat().st_ino  # what was built before may be linked into another build
        if before.get(log) == at or inode in seen or collects(rule_of(log.name)):
            continue
        seen.add(inode)
        text = log.read_text(errors="replace")
        (found.taken if TAKEN in text else found.worked).append(log.stem)
    lines = [line.strip() for line in found.said.split("\n") if line.strip()]
    found.last = lines[-1].replace(f"{clone.path}/", "") if lines else ""
    return found


def make_base(path: Path, home: Path, more: Callable[[Clone], None]) -> Clone:
    """A clone with small parameters that was run to its report, with what documents name."""
    clone = Clone.origin(path, home)
    shutil.copy(ROOT / "Makefile", path)
    more(clone)
    clone.commit("small parameters")
    clone.run("snakemake", "--quiet", "all", "--cores", "2", "results/report.html", timeout_s=3600)
    return clone
