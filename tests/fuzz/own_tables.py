"""Tables as users' own copies of TouchStone's questions, and submissions, that are not sound."""

from __future__ import annotations

import csv
import functools
import io
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from fuzz import nasty
from fuzz.case import Case, Rng
from fuzz.child import warmed
from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import guarded
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import take_in
from lvlmbench.submissions.released_table import write_table
from lvlmbench.suites.suite import SUITES, suite_of
from lvlmbench.suites.touchstone_bench.table import IMAGE
from lvlmbench.tables import LAYOUTS
from support import dialogue_snapshot, own_questions
from support.corpus_sample import sample_vocabulary


def _looked(path: Path) -> None:
    """Look at a table, and make the tables that a run makes of it; the first mistake ends it."""
    with guarded():
        kind = SUITES.get("touchstone_bench", "")
        found = kind().look(path)
        if found is None:
            raise UserError(path.name, "is no such table", "give another")
        assert all(line.isprintable() for line in found.lines), found.lines
        for mistake in found.mistakes:
            raise mistake
        params = own_questions.params(path, each=1)
        suite, words = suite_of(params), sample_vocabulary()
        assert kind.check is not None
        kind.check(params, "params.yaml")
        scenes = suite.scenes(params, words, 0, params.corpus.n_scenes)
        asked = suite.questions(params, words, scenes, LAYOUTS.empty_table())
        out = path.parent / "out"
        tables.write(scenes, out / "scenes.parquet", tables.SCENES, "s")
        tables.write(asked, out / "questions.parquet", tables.QUESTIONS, "s")


def _taken(snapshot: Path, path: Path) -> None:
    """Take a table in as a submission."""
    with guarded():
        made = Asked.open(snapshot)
        intake = take_in(made, AnswersFile(path), "theirs", None, path.parent / "out")
        assert sum(1 for _ in AnswersFile(path)) == intake.n_rows
        assert all(line.isprintable() for line in intake.lines())


class OwnTables:
    """Mutants of a look-alike of a user's table, read as a suite or as a submission."""

    name = "own tables"

    def __init__(self, work: Path) -> None:
        self._snapshot = work / "made"
        made = dialogue_snapshot.own(self._snapshot)
        self._table = self._snapshot / "mine" / own_questions.FILE
        self._answers = work / own_questions.FILE.replace("questions", "answers")
        write_table(made, self._answers, "clean", "chance")
        for name in ("warm", "warm too"):
            (work / name).mkdir()
        warmed(self._case(work / "warm", False, "nothing").action, work / "warm")
        warmed(self._case(work / "warm too", True, "nothing").action, work / "warm too")

    def _case(self, folder: Path, submitted: bool, said: str) -> Case:
        path = folder / (self._answers if submitted else self._table).name
        if not os.path.lexists(path):
            shutil.copy(self._answers if submitted else self._table, path)
        names = [path.name, "corpus", IMAGE]
        if submitted:
            take = functools.partial(_taken, self._snapshot, path)
            return Case(f"submission: {said}", take, [folder / "out/answers"], names)
        made = [folder / "out/questions.parquet"]
        return Case(f"table: {said}", functools.partial(_looked, path), made, names)

    def sound(self, folder: Path) -> Case:
        """The table as it is."""
        return self._case(folder, False, "nothing")

    def case(self, rng: Rng, folder: Path) -> Case:
        """A table with something wrong in it."""
        submitted = rng.random() < 0.4
        source = self._answers if submitted else self._table
        path = folder / source.name
        chosen = rng.random()
        if chosen < 0.08:
            return self._case(folder, submitted, _odd(rng, path))
        if chosen < 0.4:
            said, raw = nasty.bytes_(rng, source.read_bytes())
            path.write_bytes(raw)
            return self._case(folder, submitted, said)
        with source.open(encoding="utf-8", newline="") as file:
            rows = [*csv.reader(file, delimiter="\t")]
        said = ", ".join(_broken(rng, rows) for _ in range(rng.choice([1, 1, 2, 5])))
        path.write_bytes(_as_text(rng, rows).encode("utf-8", "surrogatepass"))
        return self._case(folder, submitted, said)


def _odd(rng: Rng, path: Path) -> str:
    """Something else in a table's place."""
    way = rng.choice(["folder", "pipe", "device", "empty", "nowhere"])
    if way == "folder":
        path.mkdir()
    elif way == "pipe":
        os.mkfifo(path)
    elif way == "empty":
        path.write_bytes(b"")
    else:
        path.symlink_to("/dev/zero" if way == "device" else "/nowhere/at/all")
    return way


def _broken(rng: Rng, rows: list[list[str]]) -> str:
    """Break a row or a cell; says how."""
    row = rng.choice(rows)
    at = rng.randrange(len(row)) if row else 0
    ways: Mapping[str, object] = {
        "a cell": lambda: row.__setitem__(at, rng.choice(nasty.TEXTS)) if row else None,
        "a cut cell": lambda: row.__setitem__(at, row[at][: len(row[at]) // 2]) if row else None,
        "a long cell": lambda: (
            row.__setitem__(at, "x" * rng.choice([201, 150_000])) if row else None
        ),
        "a cell more": lambda: row.insert(at, rng.choice(nasty.TEXTS)),
        "a cell less": lambda: row.pop(at) if row else None,
        "a row twice": lambda: rows.insert(rng.randrange(len(rows) + 1), [*row]),
        "a row less": lambda: rows.remove(row),
        "cells exchanged": lambda: row.reverse(),
        "no header": lambda: rows.pop(0),
    }
    way = rng.choice([*ways])
    if len(rows) > 1 or ("row" not in way and way != "no header"):
        ways[way]()  # type: ignore[operator]
    return way


def _as_text(rng: Rng, rows: list[list[str]]) -> str:
    """The rows as text, now and then without the quotes that they need."""
    if rng.random() < 0.2:
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    csv.writer(text, delimiter="\t", quoting=quoting).writerows(rows)
    return text.getvalue()
