"""Questions and answers as a table in TouchStone's form, and answers back out of one.

A row is a question with its picture in base64; a submission has one column more, ``response``. So
what evaluates such tables elsewhere can be run on answers of a snapshot, and answers to such a
table can be scored here.
"""

from __future__ import annotations

import base64
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.stages.answer.engine import Item
from lvlmbench.submissions.answers_file import INDEX, ITEM, QUESTION
from lvlmbench.suites.dialogue import ABILITIES, Task
from lvlmbench.suites.suite import suite_of

#: Columns as TouchStone has them; ``image`` is a file in base64.
COLUMNS = (
    INDEX, "image", "question", "human_annotation", "gpt4_ha_answer", "category", "task_name",
)  # fmt: skip
RESPONSE = "response"

_Cells = Mapping[str, str]


def write_table(snapshot: Asked, out: Path, scenario: str, model: str | None) -> str:
    """Write what is asked in a scenario as a table, a model's answers beside it.

    A user's own table is copied, cell by cell; of other suites the pictures are PNG files in
    base64, and people's annotation is the description. ``item_id`` stands behind each row.
    Pictures pass through some at a time.

    Parameters
    ----------
    out
        New file, ``.tsv``.
    model
        Whose answers; None: the questions alone. Where there is no answer the cell is empty.

    Returns
    -------
    str
        What was written, in one line.

    Raises
    ------
    UserError
        The suite has no such tasks, the scenario or model is not there, a question is asked of
        several images, or a table is missing or damaged.
    """
    tasks = _tasks(snapshot, "--suite")
    snapshot.check_scenarios([scenario], "--scenario")
    if out.suffix.lower() != ".tsv":
        raise UserError(f"--out {out}", "is not called .tsv", "name a file FILE.tsv")
    if out.exists():
        raise UserError(f"--out {out}", "is there already", "name a new file")
    said = None if model is None else _answers(snapshot, model, scenario)
    counts = Counter[str]()
    with atomic(out) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        _fill(text, _rows(snapshot, scenario, tasks), said, counts)
        text.detach()
    number, empty = counts["rows"], counts["empty"]
    whose = "questions" if model is None else f"answers of {model}, {empty:,} of them empty"
    return f"{out}: {amount(number, 'row')} ({scenario}), {whose}"


def _fill(
    file: io.TextIOWrapper,
    rows: Iterator[tuple[Item, dict[str, str]]],
    said: Mapping[str, str] | None,
    counts: Counter[str],
) -> None:
    writer = None
    for item, cells in rows:
        row = {**cells, ITEM: cells.pop(ITEM)}
        if said is not None:
            row[RESPONSE] = said.get(item.question_id, "")
            counts["empty"] += not row[RESPONSE].strip()
        if writer is None:
            writer = csv.DictWriter(file, [*row], dialect="excel-tab")
            writer.writeheader()
        writer.writerow(row)
        counts["rows"] += 1
    if writer is None:
        raise UserError("this snapshot", "asks nothing in this scenario", "name another one")


def _tasks(snapshot: Asked, where: str) -> Mapping[str, Task]:
    tasks = suite_of(snapshot.params).dialogue(snapshot.params)
    if not tasks:
        what = f"suite {snapshot.params.suite} has no tasks of TouchStone"
        raise UserError(where, what, "name one that has, or use 'lvlmbench export-questions'")
    return tasks


def _answers(snapshot: Asked, model: str, scenario: str) -> dict[str, str]:
    """What a model of the snapshot, or one that was submitted, says to each question."""
    known = [each.name for each in snapshot.params.answer.models]
    if model not in known:
        raise UserError(f"--model {model}", "is no model of this snapshot",
                        f"use one of: {', '.join(known)}")  # fmt: skip
    names = ["question_id", "status", "text"]
    found = snapshot.read(tables.ANSWERS, names, model=model, scenario=scenario)
    return {
        row["question_id"]: row["text"] or ""
        for row in found.to_pylist()
        if row["status"] in ("answered", "truncated")
    }


def _rows(
    snapshot: Asked, scenario: str, tasks: Mapping[str, Task]
) -> Iterator[tuple[Item, dict[str, str]]]:
    """Each item with its row."""
    own = suite_of(snapshot.params).released(snapshot.params)
    scenes = {row["scene_id"]: row for row in snapshot.scenes.to_pylist()} if own else {}
    copied = own is not None and scenario == CLEAN
    texts, seen = _texts(snapshot), set[str]()
    for at, item in enumerate(snapshot.items(scenario, pictures=not copied)):
        if item.question_id in seen:
            what = "asks a question of several images, and such a table has one a row"
            raise UserError(f"--scenario {scenario}", what, "use 'lvlmbench export-questions'")
        seen.add(item.question_id)
        if own is not None:
            row = _own(own, scenes[item.scene_id], item)
        else:
            row = _made(at, item, texts[item.question_id], tasks)
        if not copied:
            row["image"] = base64.b64encode(item.image or b"").decode("ascii")
        yield item, {**row, ITEM: item_id(scenario, item)}


def _own(
    own: Callable[[Mapping[str, Any]], _Cells], scene: Mapping[str, Any], item: Item
) -> dict[str, str]:
    """The row of a user's table, without a response that stood there."""
    row = {name: cell for name, cell in own(scene).items() if name not in (RESPONSE, ITEM)}
    if row.get("question", "").strip() != item.question:
        what = f"row {scene['foreground']} is another one than this snapshot asks"
        raise UserError("the suite's own table", what, "make the snapshot anew")
    return row


def _texts(snapshot: Asked) -> dict[str, dict[str, Any]]:
    names = ["question_id", "question", "answer", "description", "turns"]
    found = snapshot.read(tables.QUESTIONS, names)
    return {row["question_id"]: row for row in found.to_pylist()}


def _made(
    at: int, item: Item, text: Mapping[str, Any], tasks: Mapping[str, Task]
) -> dict[str, str]:
    """The row of a question that was made here."""
    task = tasks[item.subtask]
    cells = (
        str(at), "", _asked(text), text["description"] or "", text["answer"],
        f"{ABILITIES[task.ability]},{task.label}", task.label,
    )  # fmt: skip
    return dict(zip(COLUMNS, cells, strict=True))


def _asked(text: Mapping[str, Any]) -> str:
    """A question behind what was said before it."""
    before = [line for turn in text["turns"] or () for line in (turn["question"], turn["answer"])]
    return "\n".join([*before, text["question"]])


class Indices:
    """What rows of a table are about that go by ``index`` alone.

    It is the index of a user's own table; of a table that was written here, the row's number. A
    row whose question is another one is never taken for it. Where no index is the same letter by
    letter, one that is the same number is meant, if there is no second one: 17.0 is 17.

    Parameters
    ----------
    scenario
        Of the rows.
    path
        The file, for messages.
    """

    def __init__(self, snapshot: Asked, scenario: str, path: Path) -> None:
        self._snapshot, self._scenario, self._path = snapshot, scenario, path

    @cached_property
    def _items(self) -> dict[str, tuple[str, str]]:
        """Index -> id of the item, and its question as the table has it."""
        snapshot, found = self._snapshot, dict[str, tuple[str, str]]()
        _tasks(snapshot, str(self._path))
        own = suite_of(snapshot.params).released(snapshot.params) is not None
        rows = snapshot.scenes.select(["scene_id", "foreground"]).to_pylist() if own else []
        names = {row["scene_id"]: row["foreground"] for row in rows}
        texts = _texts(snapshot)
        for at, item in enumerate(snapshot.items(self._scenario)):
            index = names[item.scene_id] if own else str(at)
            asked = _asked(texts[item.question_id])
            found[index.strip()] = item_id(self._scenario, item), asked
        return found

    @cached_property
    def _spelt(self) -> dict[str, list[str]]:
        """Index as indices are compared -> those of the items that are the same so."""
        found: dict[str, list[str]] = {}
        for index in self._items:
            found.setdefault(_plain(index), []).append(index)
        return found

    def named(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return a row with the id of its item; an id that is none where no item is meant.

        Raises
        ------
        UserError
            The suite has no tasks of TouchStone.
        """
        index = str(values.get(INDEX) or "").strip()
        alike = self._spelt.get(_plain(index), [])
        if index not in self._items and len(alike) == 1:
            index = alike[0]
        found = self._items.get(index)
        if found is None:
            return {**values, ITEM: f"index {index}"}
        item, asked = found
        said = values.get("question")
        if isinstance(said, str) and said.split() != asked.split():
            return {**values, ITEM: item, QUESTION: f"index {index}: another question"}
        return {**values, ITEM: item}


def _plain(index: str) -> str:
    """An index as indices are compared: 17.0, as some programs write it, is 17."""
    bare = index.strip()
    whole, dot, rest = bare.partition(".")
    return whole if dot and whole.isdecimal() and not rest.strip("0") else bare
