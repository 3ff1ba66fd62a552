"""Tables in TouchStone's form: written with a model's answers, and taken in as answers."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import Intake, take_in
from lvlmbench.submissions.released_table import COLUMNS, write_table
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.touchstone_bench.names import tasks_of
from support import dialogue_snapshot, own_questions
from support.submissions_snapshot import NASTY, home

Row = dict[str, str]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return dialogue_snapshot.own(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Scenes that were drawn, with answers that break a careless reader."""
    corpus = {"subtasks": ["touchstone_attributes", "touchstone_simple"], "scenes_per_subtask": 6}
    made = {"suite": "drawn", "kind": "touchstone", "corpus": corpus, "render": {"size": 256}}
    params = validate({**made, **dialogue_snapshot.SECTIONS})

    def say(row: Any) -> str:
        return [*NASTY, "\r", "a\rb"][int(row["question_id"][:8], 16) % (len(NASTY) + 2)]

    return dialogue_snapshot.build(tmp_path_factory.mktemp("drawn"), params, say)


def read(path: Path) -> list[Row]:
    """As any reader of CSV would that knows no limit."""
    before = csv.field_size_limit(1 << 27)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [*csv.DictReader(file, dialect="excel-tab")]
    finally:
        csv.field_size_limit(before)


def put(path: Path, rows: list[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, [*rows[0]], dialect="excel-tab")
        out.writeheader()
        out.writerows(rows)
    return path


def answers(folder: Path) -> dict[str, tuple[str, str]]:
    """Question -> status and text."""
    paths = sorted(folder.rglob("answers/clean/*.parquet"))
    rows = tables.read(paths, tables.ANSWERS).to_pylist()
    return {row["question_id"]: (row["status"], row["text"]) for row in rows}


def said(snapshot: Asked) -> dict[str, tuple[str, str]]:
    return answers(home(snapshot) / "data") or {
        row["question_id"]: (row["status"], row["text"])
        for row in snapshot.read(tables.ANSWERS, model="chance", scenario="clean").to_pylist()
    }


def taken(snapshot: Asked, path: Path, folder: Path) -> Intake:
    return take_in(snapshot, AnswersFile(path), "theirs", None, folder)


@pytest.mark.parametrize("which", ["own", "drawn"])
@pytest.mark.parametrize("without", [(), ("item_id",), ("item_id", *COLUMNS[1:])])
def test_what_is_written_is_read_with_equal_answers(
    request: pytest.FixtureRequest, tmp_path: Path, which: str, without: tuple[str, ...]
) -> None:
    """Also by index alone, as the released form has it, and where all else is left out."""
    snapshot: Asked = request.getfixturevalue(which)
    path = tmp_path / "out.tsv"
    write_table(snapshot, path, "clean", "chance")
    rows = [{k: v for k, v in row.items() if k not in without} for row in read(path)]
    intake = taken(snapshot, put(tmp_path / "back.tsv", rows), tmp_path / "in")
    assert answers(tmp_path / "in") == said(snapshot)
    empty = sum(not text.strip() for _, text in said(snapshot).values())
    assert dict(intake.listed) == ({"empty": empty} if empty else {})
    assert intake.n_asked == intake.n_rows == len(said(snapshot))


def test_a_users_table_is_copied_cell_by_cell(own: Asked, tmp_path: Path) -> None:
    told = write_table(own, tmp_path / "out.tsv", "clean", "chance")
    assert told.startswith(f"{tmp_path / 'out.tsv'}: 14 rows (clean), answers of chance, ")
    given = {row["index"]: row for row in own_questions.rows()}
    rows = read(tmp_path / "out.tsv")
    assert [*rows[0]] == [*COLUMNS, "item_id", "response"]
    assert {row["index"] for row in rows} == {*given}
    for row in rows:
        assert {name: row[name] for name in COLUMNS} == given[row["index"]]


def test_drawn_scenes_are_written_in_the_same_form(drawn: Asked, tmp_path: Path) -> None:
    write_table(drawn, tmp_path / "out.tsv", "clean", None)
    rows = read(tmp_path / "out.tsv")
    assert [*rows[0]] == [*COLUMNS, "item_id"]
    assert [row["index"] for row in rows] == [str(n) for n in range(len(rows))]
    items = {item_id("clean", item): item for item in drawn.items("clean")}
    for row in rows:
        raw = base64.b64decode(row["image"], validate=True)
        with Image.open(io.BytesIO(raw)) as picture:
            assert (picture.format, picture.size) == ("PNG", (256, 256))
        item = items[row["item_id"]]
        assert row["question"].endswith(item.question)
        assert hashlib.sha256(raw).hexdigest() == item.image_sha256
        [task] = tasks_of(row["task_name"], {})
        assert task == item.subtask and TASKS[task].label in row["category"].split(",")
        assert row["human_annotation"] and row["gpt4_ha_answer"]


def test_what_is_written_is_a_table_that_the_other_suite_reads(
    drawn: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_table(drawn, tmp_path / "out.tsv", "clean", "chance")
    main(["suite", "check", str(tmp_path / "out.tsv")])
    assert f"{len(said(drawn))} questions (paper 908)" in capsys.readouterr().out


def test_pictures_pass_through_one_at_a_time(tmp_path: Path) -> None:
    """21 pictures of 2 MB each in base64."""
    picture = base64.b64encode(own_questions.picture(1) + bytes(1_500_000)).decode()
    table = tmp_path / "made/mine" / own_questions.FILE
    own_questions.write(table, [row | {"image": picture} for row in own_questions.rows(3)])
    params = own_questions.params(table, each=3, **dialogue_snapshot.SECTIONS)
    made = dialogue_snapshot.build(tmp_path / "made", params)
    tracemalloc.start()
    write_table(made, tmp_path / "out.tsv", "clean", "chance")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "out.tsv").stat().st_size > 42_000_000
    assert peak < 24_000_000


def _missing(rows: list[Row]) -> None:
    del rows[0]


def _twice(rows: list[Row]) -> None:
    rows.append(rows[2] | {"response": f"{rows[2]['response']} "})


def _again(rows: list[Row]) -> None:
    rows.append({**rows[2]})


def _nan(rows: list[Row]) -> None:
    rows[2]["response"] = "nan"


def _blank(rows: list[Row]) -> None:
    rows[2]["response"] = " \n"


def _unknown(rows: list[Row]) -> None:
    rows[2]["index"] = "907"


def _other(rows: list[Row]) -> None:
    rows[2]["question"] = "What else?"


def _floats(rows: list[Row]) -> None:
    for row in rows:
        row["index"] = f"{row['index']}.0"


@pytest.mark.parametrize(
    ("spoil", "listed", "scored"),
    [
        (_missing, {"missing": 1}, 13),
        (_twice, {"conflict": 2}, 13),
        (_again, {"repeated": 2}, 14),
        (_nan, {"empty": 1}, 13),
        (_blank, {"empty": 1}, 13),
        (_unknown, {"unknown": 1, "missing": 1}, 13),
        (_other, {"contradictory": 1, "missing": 1}, 13),
        (_floats, {}, 14),
    ],
)
def test_what_does_not_fit_is_told_and_never_scored_as_wrong(
    own: Asked,
    tmp_path: Path,
    spoil: Callable[[list[Row]], None],
    listed: dict[str, int],
    scored: int,
) -> None:
    rows = [row | {"response": "A box."} for row in own_questions.rows()]
    spoil(rows)
    intake = taken(own, put(tmp_path / "theirs.tsv", rows), tmp_path / "in")
    assert dict(intake.listed) == listed
    found = answers(tmp_path / "in").values()
    assert len(found) == 14
    whole = [text for status, text in found if status == "answered" and text.strip()]
    assert whole == ["A box."] * scored
    lines = [*intake.lines()]
    assert len(lines) == 1 + len(listed)


def test_indices_that_are_one_number_are_told_apart(tmp_path: Path) -> None:
    """A table may have the indices 3 and 3.0: each answer goes to its own, 3.00 to neither."""
    table = tmp_path / "made/mine" / own_questions.FILE
    rows = own_questions.rows()
    rows[4] |= {"index": f"{rows[3]['index']}.0"}
    own_questions.write(table, rows)
    made = dialogue_snapshot.build(
        tmp_path / "made", own_questions.params(table, **dialogue_snapshot.SECTIONS)
    )
    theirs = [{"index": row["index"], "response": f"Box {n}."} for n, row in enumerate(rows)]
    intake = taken(made, put(tmp_path / "theirs.tsv", theirs), tmp_path / "in")
    assert not intake.listed
    texts = {text for _, text in answers(tmp_path / "in").values()}
    assert texts == {row["response"] for row in theirs}
    theirs[3]["index"] += ".00"
    intake = taken(made, put(tmp_path / "again.tsv", theirs), tmp_path / "two")
    assert dict(intake.listed) == {"unknown": 1, "missing": 1}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"--out": "out.csv"}, "--out out.csv: is not called .tsv"),
        ({"--model": "gpt"}, "--model gpt: is no model of this snapshot; use one of: chance"),
        ({"--scenario": "blind"}, "--scenario"),
    ],
)
def test_mistakes_are_one_line_and_leave_no_file(
    own: Asked,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"--snapshot": str(home(own)), "--model": "chance", "--out": "out.tsv"} | changes
    with pytest.raises(SystemExit) as end:
        main(["submission", "write", *(word for pair in given.items() for word in pair)])
    [line] = capsys.readouterr().err.splitlines()
    assert end.value.code == 2 and said in line
    assert not [*tmp_path.iterdir()]


def test_a_table_that_is_gone_is_told_of(tmp_path: Path) -> None:
    made = dialogue_snapshot.own(tmp_path / "made")
    (tmp_path / "made/mine" / own_questions.FILE).unlink()
    with pytest.raises(UserError, match=r"bench\.file: there is no file .*questions\.tsv"):
        write_table(made, tmp_path / "out.tsv", "clean", "chance")


def test_nothing_is_overwritten(own: Asked, tmp_path: Path) -> None:
    (tmp_path / "out.tsv").write_text("mine")
    with pytest.raises(UserError, match="is there already"):
        write_table(own, tmp_path / "out.tsv", "clean", "chance")
    assert (tmp_path / "out.tsv").read_text() == "mine"


def test_a_table_that_has_changed_since_is_told_of(tmp_path: Path) -> None:
    made = dialogue_snapshot.own(tmp_path / "made")
    table = tmp_path / "made/mine" / own_questions.FILE
    own_questions.write(table, [row | {"question": "What?"} for row in own_questions.rows()])
    with pytest.raises(UserError, match="is another one than this snapshot asks"):
        write_table(made, tmp_path / "out.tsv", "clean", "chance")
    assert not (tmp_path / "out.tsv").exists()


def test_indices_mean_nothing_to_other_suites(tmp_path: Path) -> None:
    corpus = {"subtasks": ["valor_objects"], "scenes_per_subtask": 2, "valor": {"design": False}}
    made = {"suite": "other", "kind": "valor", "corpus": corpus, "render": {"size": 256}}
    params = validate({**made, **dialogue_snapshot.SECTIONS})
    other = dialogue_snapshot.build(tmp_path / "other", params)
    rows = [{"index": "0", "response": "A box."}]
    with pytest.raises(UserError, match="suite other has no tasks of TouchStone"):
        taken(other, put(tmp_path / "theirs.tsv", rows), tmp_path / "in")
    with pytest.raises(UserError, match="suite other has no tasks of TouchStone"):
        write_table(other, tmp_path / "out.tsv", "clean", None)
