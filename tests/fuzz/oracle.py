"""Judges what came of a case: taken, rejected in one line, or a defect of ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fuzz.case import Case
from fuzz.child import Outcome

#: Characters of a line that rejects something.
LONGEST = 700


@dataclass(frozen=True)
class Verdict:
    """``why`` says what is wrong where it is a defect, and is the line where it was rejected."""

    result: Literal["taken", "rejected", "defect"]
    why: str


def _files(path: Path) -> list[Path]:
    if path.is_dir() and not path.is_symlink():
        return [file for file in path.rglob("*") if not file.is_dir()]
    return [path] if path.exists() or path.is_symlink() else []


def _line_problem(case: Case, err: str) -> str | None:
    """What is wrong with the line that rejects an input."""
    lines = err.rstrip("\n").split("\n")
    if len(lines) != 1 or not lines[0].strip():
        return f"{len(lines)} lines on stderr" if err.strip() else "nothing on stderr"
    line = lines[0]
    strange = sorted({character for character in line if not character.isprintable()})
    if strange:
        return f"characters that do not belong on a terminal: {strange!r}"
    if len(line) > LONGEST:
        return f"a line of {len(line)} characters"
    if line.count("; ") < 1 or ": " not in line:
        return "does not say where, what and what to do"
    if case.names and not any(name in line for name in case.names):
        return f"names none of {', '.join(case.names)[:200]}"
    return None


def judge(case: Case, outcome: Outcome, folder: Path) -> Verdict:
    """Hold what came of a case against what may come of it."""
    if outcome.hung:
        return Verdict("defect", f"hung ({outcome.seconds:.0f} s)")
    if outcome.code < 0:
        return Verdict("defect", f"died of signal {-outcome.code}")
    if "Traceback" in outcome.err + outcome.out:
        last = outcome.err.rstrip().splitlines()[-1:]
        return Verdict("defect", f"traceback: {''.join(last)}")
    left = [str(file.relative_to(folder)) for file in folder.rglob("*.tmp")]
    if left:
        return Verdict("defect", f"left temporary files: {', '.join(left[:3])}")
    made = {path: _files(path) for path in case.makes}
    if outcome.code == 0:
        if case.bad:
            return Verdict("defect", "took what cannot be right")
        lacking = [str(path) for path, files in made.items() if not files]
        if lacking:
            return Verdict("defect", f"exit code 0 without {', '.join(lacking)}")
        return Verdict("taken", "")
    if outcome.code != 2:
        return Verdict("defect", f"exit code {outcome.code}, not 2")
    left = [str(file) for files in made.values() for file in files]
    if left:
        return Verdict("defect", f"rejected, but made {', '.join(left[:3])}")
    problem = _line_problem(case, outcome.err)
    if problem is not None:
        return Verdict("defect", problem)
    return Verdict("rejected", outcome.err.strip())
