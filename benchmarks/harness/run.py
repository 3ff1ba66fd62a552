"""Benchmarks one after the other, each in a process of its own; what each said is kept."""

from __future__ import annotations

import ast
import difflib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness import machine
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes

#: One thread a process, as in the jobs of the pipeline.
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(frozen=True)
class Benchmark:
    """A file of the folder ``benchmarks``; ``what`` is the first line of its docstring."""

    name: str
    path: Path
    what: str


@dataclass(frozen=True)
class Result:
    """What came of a benchmark.

    Attributes
    ----------
    figures
        Its last line; empty where it failed.
    error
        Why it failed, in a line; None where it did not.
    seconds, processor_s, peak_mib
        Wall clock, processor time with that of its own processes, and the memory of the largest
        process among them.
    load
        Of the machine, when it began.
    """

    name: str
    what: str
    command: str
    figures: dict[str, Any]
    error: str | None
    seconds: float
    processor_s: float
    peak_mib: float
    load: float
    machine: dict[str, str] = field(default_factory=dict)


def found(folder: Path) -> list[Benchmark]:
    """All benchmarks of a folder, by name.

    Raises
    ------
    UserError
        One has no docstring: nobody could say what it measures.
    """
    out = []
    for path in sorted(folder.glob("[!_]*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if not text:
            raise UserError(str(path), "has no docstring", "say in its first line what it measures")
        out.append(Benchmark(path.stem, path, text.splitlines()[0].rstrip(".")))
    return out


def chosen(benchmarks: Sequence[Benchmark], names: Sequence[str]) -> list[Benchmark]:
    """Those of these names, in their order; all if there are none.

    Raises
    ------
    UserError
        There is no such benchmark.
    """
    by_name = {benchmark.name: benchmark for benchmark in benchmarks}
    for name in names:
        if name not in by_name:
            near = difflib.get_close_matches(name, by_name, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"use: {', '.join(by_name)}"
            raise UserError("make bench", f"there is no benchmark '{name}'", fix)
    return [by_name[name] for name in names] if names else list(benchmarks)


def said_of(text: str, name: str) -> dict[str, Any] | None:
    """The last line of an output that is a JSON object about this benchmark."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if isinstance(told, dict) and told.get("benchmark") == name:
                return told
    return None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it said nothing"


def _wait(process: subprocess.Popen[bytes]) -> tuple[int, Any]:
    """Exit status and resources of a process and its own; it ends with this one.

    It leads a process group, so that none of its own is left where this one is interrupted.
    """
    try:
        _, status, used = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used


def run(benchmark: Benchmark, root: Path, results: Path) -> Result:
    """Run one benchmark from the project's root; its output goes to ``results/NAME.log``."""
    shown = benchmark.path.relative_to(root)
    environment = os.environ | dict.fromkeys(_ONE_THREAD, "1")
    results.mkdir(parents=True, exist_ok=True)
    log = results / f"{benchmark.name}.log"
    load, begin = machine.load(), time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(benchmark.path)],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code, used = _wait(process)
    seconds = time.monotonic() - begin
    text = log.read_text(encoding="utf-8", errors="replace")
    told, error = said_of(text, benchmark.name), None
    if code:
        error = f"exit code {code}: {_last_line(text)}"
    elif told is None:
        error = "printed no JSON object about itself"
    return Result(
        name=benchmark.name,
        what=benchmark.what,
        command=f"python {shown}",
        figures=told if told and not error else {},
        error=error,
        seconds=round(seconds, 1),
        processor_s=round(used.ru_utime + used.ru_stime, 1),
        peak_mib=round(used.ru_maxrss / 1024, 1),
        load=load,
        machine=machine.facts(),
    )


def keep(result: Result, results: Path) -> None:
    """Write a result; the one before of the same benchmark goes."""
    text = json.dumps(asdict(result), indent=1)
    atomic_bytes(results / f"{result.name}.json", f"{text}\n".encode())


def kept(results: Path, benchmarks: Sequence[Benchmark]) -> list[Result]:
    """What is known of these benchmarks, in their order; damaged files are as none."""
    out = []
    for benchmark in benchmarks:
        try:
            told = json.loads((results / f"{benchmark.name}.json").read_text(encoding="utf-8"))
            out.append(Result(**told))
        except (OSError, ValueError, TypeError):
            continue
    return out
