"""The table of docs/first-hour.md, as the long test of its tasks writes it anew.

``LVLMBENCH_LONG=1 LVLMBENCH_TABLE=1 pytest -s tests/e2e/test_first_hour.py`` does, with ``-k`` and
words of tasks for some rows alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from support.first_hour.recording import Record, Task
from support.first_hour.tasks import ORDER, SUMS, TASKS

ROOT = Path(__file__).resolve().parents[3]
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


def note(task: Task, found: Record) -> None:
    """Tell what a task ran, and why; write its row where that is asked for."""
    print(f"\n{row(task, found)}")
    for items, why in found.reasons.items():
        print(f"    {items[:160]} <- {why[:160]}")
    if os.environ.get("LVLMBENCH_TABLE"):
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(written(page, {task.name: row(task, found)}), encoding="utf-8")
