"""From a file of answers to the answers tables of a model, and a list of what did not fit."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config.identity import params_id
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.answer.answering import said_in
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.submissions import spool
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.given import Rows
from lvlmbench.submissions.released_table import Indices

#: Rows and characters of a shard of answers, whichever is reached first.
_ROWS, _CHARACTERS = 20_000, 1 << 26
#: Examples that the terminal shows of each reason.
_SHOWN = 3
_HEADER = ("reason", "line", "id", "scenario", "question_id", "image_id")

_WORDS = {
    spool.UNKNOWN: "unknown id",
    spool.CONTRADICTORY: "item_id is that of another question, image or scenario",
    spool.ELSEWHERE: "of another scenario",
    spool.SEVERAL: "its question is asked with several images, and it names none",
    spool.CONFLICT: "answered twice, differently; not scored",
    spool.REPEATED: "the same answer twice; counted once",
    spool.MISSING: "no answer; not scored, never taken for wrong",
    spool.EMPTY: "empty answer; not scored, never taken for wrong",
}


@dataclass
class Intake:
    """What came of a file: rows read, questions asked in its scenarios, what is listed and why."""

    path: Path
    scenarios: list[str]
    n_rows: int
    n_asked: int
    listed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        yield (
            f"{self.path}: {self.n_rows:,} row{'s'[: self.n_rows != 1]}, for "
            f"{self.n_asked:,} question{'s'[: self.n_asked != 1]} "
            f"({', '.join(self.scenarios)})"
        )
        for reason in spool.REASONS:
            if count := self.listed[reason]:
                what = "question" if reason == spool.MISSING else "row"
                more = ", ..." if count > _SHOWN else ""
                shown = ", ".join(self.examples[reason])
                yield f"  {count:,} {what}{'s'[: count > 1]}: {_WORDS[reason]} ({shown}{more})"


def take_in(
    snapshot: Asked, file: AnswersFile, model: str, scenario: str | None, folder: Path
) -> Intake:
    """Read the answers of ``file`` and write ``answers/<scenario>/`` and ``intake.csv``.

    Answers stand in the order of the questions, so that the order of the file's rows changes no
    byte. A question of the file's scenarios without an answer gets a row with status ``error``;
    so does one that was answered twice, differently.

    Parameters
    ----------
    scenario
        The one that the file is about; None: whatever its rows say, clean where they say nothing.
    folder
        Where to write, of this model alone; a temporary file lies there meanwhile.

    Raises
    ------
    UserError
        A row cannot be read, or none answers what was asked.
    """
    if scenario is not None:
        snapshot.check_scenarios([scenario], "--scenario")
    path = file.path
    folder.mkdir(parents=True, exist_ok=True)
    box = spool.Spool(folder / ".answers.sqlite")
    try:
        for name in snapshot.params.scenarios.counted:
            box.expect(name, snapshot.items(name))
        rows, n_rows, first = Rows(file), 0, ""
        indices = Indices(snapshot, scenario or CLEAN, path)
        for number, values in file:
            given = rows.read(number, indices.named(values) if file.indexed else values)
            first = first or given.about.shown
            box.take(given, scenario or CLEAN, only=scenario is not None)
            n_rows += 1
        found = box.scenarios()
        if not found:
            raise _nothing(path, n_rows, first, scenario)
        n_asked = sum(_write(snapshot, box, path, model, name, folder) for name in found)
        intake = Intake(path, found, n_rows, n_asked)
        _list(box, intake, folder / "intake.csv")
        return intake
    finally:
        box.close()


def _nothing(path: Path, n_rows: int, first: str, scenario: str | None) -> UserError:
    if not n_rows:
        return UserError(str(path), "holds no rows", "give the file that holds the answers")
    where = f"in scenario '{scenario}' of this snapshot" if scenario else "in this snapshot"
    return UserError(
        str(path),
        f"answers nothing that is asked {where}: none of {n_rows:,} rows (the first id is "
        f"'{one_line(first, 80)}')",
        "give answers to its own questions ('lvlmbench export-questions'), those of a question "
        "with several images by item_id",
    )


def _row(model: str, scenario: str, asked: spool.Asked, file_name: str) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(tables.ANSWERS.names)
    row |= {
        "model": model,
        "scenario": scenario,
        "question_id": asked.question_id,
        "image_id": asked.image_id,
        "image_sha256": asked.image_sha256,
        "parameters": "{}",
        "status": "error",
    }
    if asked.answer is None:
        return row | {"text": "", "error": f"no answer in {file_name}"}
    row |= asked.answer._asdict() | said_in(asked.answer.text, None, asked.prompt)
    if asked.conflict:
        row |= {"text": "", "status": "error", "error": "answered twice, differently"}
    return row


def _write(
    snapshot: Asked, box: spool.Spool, path: Path, model: str, scenario: str, folder: Path
) -> int:
    """The answers table of one scenario; gives its number of rows."""
    name, made_by = one_line(path.name, 80), params_id(snapshot.params)
    rows: list[dict[str, object]] = []
    shard = total = characters = 0

    def flush() -> None:
        nonlocal rows, shard, characters
        part = folder / "answers" / scenario / tables.part_name(shard)
        tables.write_rows(rows, part, tables.ANSWERS, made_by)
        rows, shard, characters = [], shard + 1, 0

    for asked in box.asked(scenario):
        rows.append(_row(model, scenario, asked, name))
        total += 1
        characters += len(asked.answer.text) if asked.answer is not None else 0
        if len(rows) >= _ROWS or characters >= _CHARACTERS:
            flush()
    if rows:
        flush()
    return total


def harmless(text: str | None) -> str:
    """A foreign id in a cell: one line, and no formula to a spreadsheet."""
    shown = one_line(text or "", 200)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown


def _list(box: spool.Spool, intake: Intake, path: Path) -> None:
    """Write all that is listed; count it and keep the first few of each reason."""
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(_HEADER)
        for row in box.listed():
            line = "" if row.line is None else row.line
            out.writerow([row.reason, line, *(harmless(value) for value in row[2:])])
            intake.listed[row.reason] += 1
            examples = intake.examples.setdefault(row.reason, [])
            if len(examples) < _SHOWN:
                place = "" if row.line is None else f"line {row.line}: "
                examples.append(f"{place}{one_line(row.id, 60) or 'no id'}")
    temporary.replace(path)
