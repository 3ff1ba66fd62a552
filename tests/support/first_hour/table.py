"""Write the table of docs/first-hour.md anew: ``python tests/support/first_hour/table.py``.

Options name what to do: words of tasks (all), ``--keep FOLDER`` where the finished clone stays, so
that another call finds it, ``--print`` to leave the page as it is.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from e2e.clone import Clone  # noqa: E402
from support.first_hour.recording import Record, Task, make_base, record  # noqa: E402
from support.first_hour.tasks import ORDER, SUMS, TASKS, base  # noqa: E402

PAGE = ROOT / "docs/first-hour.md"
BEGIN, END = "<!-- tasks: written by tests/support/first_hour/table.py -->", "<!-- end of tasks -->"
HEAD = "| task | what runs, and why | seconds | last line |\n| --- | --- | --- | --- |"


def in_words(rules: Mapping[str, int]) -> str:
    """How many jobs of each rule, in the order of the pipeline; where most of what sums up at its
    end runs, that is one word."""
    known = sorted(rules, key=lambda rule: ORDER.index(rule) if rule in ORDER else -1)
    sums = [rule for rule in known if rule in SUMS]
    several = len(sums) > len(SUMS) // 2
    told = [rule for rule in known if not several or rule not in SUMS]
    words = [f"{rule} {rules[rule]}" if rules[rule] > 1 else rule for rule in told]
    return ", ".join([*words, "sums"] if several else words)


def row(task: Task, found: Record) -> str:
    """A row of the table."""
    jobs = in_words(found.rules)
    many = f"{len(found.taken)} jobs find their" if len(found.taken) > 1 else "1 job finds its"
    taken = f"; {many} outputs as they were" if found.taken else ""
    last = found.last.replace("|", "\\|")
    return (
        f"| {task.name} | {jobs or 'nothing'}{taken}: {task.why} | {found.seconds:.0f} | {last} |"
    )


def not_done(task: Task) -> str:
    """A row that says what a task may run, where nobody has done it yet."""
    jobs = in_words(dict.fromkeys(task.allowed, 1))
    return f"| {task.name} | {f'at most {jobs}' if jobs else 'nothing'}: {task.why} | | |"


def rows_of(page: str) -> dict[str, str]:
    """The rows that stand in the page, by task."""
    inside = page.partition(BEGIN)[2].partition(END)[0]
    return {line.split("|")[1].strip(): line for line in inside.splitlines() if line[:2] == "| "}


def written(page: str, rows: dict[str, str]) -> str:
    """The page with these rows, and those of other tasks as they were."""
    known = rows_of(page) | rows
    table = "\n".join(known.get(task.name) or not_done(task) for task in TASKS)
    block = f"{BEGIN}\n\n{HEAD}\n{table}\n\n{END}"
    return re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: block, page, flags=re.S)


def main() -> int:
    """Do the tasks; 1 if one ran what does not depend on it."""
    # As in a terminal, wherever this runs: one of the tasks is Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="words of their names")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--print", action="store_true", dest="only_print")
    args = parser.parse_args()
    folder = args.keep or Path(tempfile.mkdtemp())
    (folder / "home").mkdir(parents=True, exist_ok=True)
    finished = Clone(folder / "finished", folder / "home")
    if not (folder / "whole").exists():
        shutil.rmtree(finished.path, ignore_errors=True)
        make_base(finished.path, finished.home, base)
        (folder / "whole").touch()
    wrong = 0
    for task in TASKS:
        if args.tasks and not any(word in task.name for word in args.tasks):
            continue
        shutil.rmtree(folder / "task", ignore_errors=True)
        try:
            found = record(finished, folder / "task/clone", task)
        except AssertionError as error:
            wrong += 1
            print(f"{task.name}: {str(error)[-1500:]}", flush=True)
            continue
        print(line := row(task, found), flush=True)
        for items, why in found.reasons.items():
            print(f"    {items[:160]} <- {why[:160]}")
        if beyond := found.unexpected(task):
            wrong += 1
            print(f"    SHOULD NOT RUN: {', '.join(beyond)}", flush=True)
        if not args.only_print:
            PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), {task.name: line}))
    return min(1, wrong)


if __name__ == "__main__":
    raise SystemExit(main())
