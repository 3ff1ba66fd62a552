"""What ``lvlmbench suite check`` says of a table: counts beside those of the paper."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from lvlmbench.core.amounts import amount
from lvlmbench.core.decoding import given_picture
from lvlmbench.core.errors import UserError
from lvlmbench.suites.dialogue import ABILITIES, TASKS
from lvlmbench.suites.look import Look
from lvlmbench.suites.touchstone_bench.lines import named, rows
from lvlmbench.suites.touchstone_bench.table import IMAGE, NEEDED, SUFFIX, Table, open_table

#: Questions of each ability: all that the paper's shares (44.1, 29.6, 15.3, 7.4 and 3.6 %) of its
#: 908 questions can be.
ABILITY_QUESTIONS = {
    "description": 139,
    "recognition": 400,
    "comprehension": 269,
    "storytelling": 67,
    "comparing": 33,
}
#: Questions in the paper.
QUESTIONS = sum(ABILITY_QUESTIONS.values())
#: Columns of which some must be there for a file to be taken for such a table.
_TELLING = 3


def table_in(place: Path) -> Path | None:
    """Return the table that a user means: a file, or the one of its kind in a folder.

    Raises
    ------
    UserError
        A folder holds several.
    """
    if place.is_file():
        return place if place.suffix.lower() == SUFFIX and _is_table(place) else None
    if not place.is_dir():
        return None
    files = sorted(p for p in place.iterdir() if p.suffix.lower() == SUFFIX and p.is_file())
    found = [path for path in files if _is_table(path)]
    if len(found) > 1:
        names = ", ".join(path.name for path in found[:3])
        raise UserError(str(place), f"holds {len(found)} such tables ({names})", "name one of them")
    return found[0] if found else None


def _is_table(path: Path) -> bool:
    """Whether a file's first line has names of columns as released."""
    try:
        header = next(rows(path, path.name, IMAGE), None)
    except UserError:
        return True  # whatever is wrong with it is to be told
    names = {named(cell) for cell in header.cells} if header is not None else set()
    return header is None or len(names & {*NEEDED}) >= _TELLING


def look(place: Path, tasks: Mapping[str, str]) -> Look | None:
    """Return what a table holds, slip by slip and mistake by mistake; None where it is none.

    Parameters
    ----------
    tasks
        Subtask by ``task_name``, where the user says so.
    """
    path = table_in(place)
    if path is None:
        return None
    table = open_table(path, tasks)
    mistakes, sizes = list(table.told.mistakes), Counter[str]()
    for found in table.asked.values():
        for asked in found:
            try:
                held = table.held(asked)
                shown = given_picture(held, held.where)
                sizes["x".join(map(str, shown.size))] += 1
            except UserError as error:
                mistakes.append(error)
    return Look(tuple(_lines(table, sizes, tasks)), tuple(mistakes))


def _lines(table: Table, sizes: Counter[str], said: Mapping[str, str]) -> Iterator[str]:
    asked = {name: len(found) for name, found in table.asked.items()}
    size = table.path.stat().st_size / 1e6
    total = sum(asked.values())
    yield (
        f"{table.path.name}: {size:,.1f} MB; {amount(total, 'question')} (paper {QUESTIONS}), "
        f"{amount(sizes.total(), 'picture')} that can be read"
    )
    for ability, label in ABILITIES.items():
        tasks = {name: task for name, task in TASKS.items() if task.ability == ability}
        there = sum(asked[name] for name in tasks)
        yield f"{label}: {amount(there, 'question')} (paper {ABILITY_QUESTIONS[ability]})"
        for name, task in tasks.items():
            yield f"  {name}: {asked[name]} (Figure 1: about {task.published})"
    yield from _names(table)
    yield from (f"passed over: {line}" for line in table.told.lines())
    if total:
        yield _to_write(asked, said)


def _names(table: Table) -> Iterator[str]:
    """Which names of the table are read as which subtask, where they are not one and the same."""
    read = {(each.name, each.task): None for found in table.asked.values() for each in found}
    if read:
        shown = ", ".join(f"'{name}' as {task}" for name, task in read)
        yield f"task_name is read as follows: {shown}"
    if table.left_out:
        yield f"rows without annotation or reference, which are left out: {table.left_out}"


def _to_write(asked: Mapping[str, int], tasks: Mapping[str, str]) -> str:
    there = {name: number for name, number in asked.items() if number}
    counts = ", ".join(f"{name}: {number}" for name, number in there.items())
    subtasks = f"subtasks: [{', '.join(there)}], " if len(there) < len(asked) else ""
    names = ", ".join(f"{json.dumps(name)}: {task}" for name, task in tasks.items())
    said = f", touchstone_bench: {{tasks: {{{names}}}}}" if names else ""
    return f"write into the suite's corpus: {subtasks}scenes: {{{counts}}}{said}"
