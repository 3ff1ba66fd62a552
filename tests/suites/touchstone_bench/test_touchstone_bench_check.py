"""``lvlmbench suite check`` of a table: counts, slips, and a line for whatever is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from lvlmbench.commands.main import main
from lvlmbench.core.errors import UserError
from lvlmbench.suites.dialogue import ABILITIES, TASKS
from lvlmbench.suites.suite import SUITES, suite_of
from lvlmbench.suites.touchstone_bench.counts import ABILITY_QUESTIONS, QUESTIONS
from lvlmbench.suites.touchstone_bench.lines import MOST
from lvlmbench.suites.touchstone_bench.rows import check
from support import own_questions

Rows = list[dict[str, str]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return own_questions.write(tmp_path / "mine" / own_questions.FILE)


def checked(
    place: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of stdout, lines of stderr."""
    try:
        code = main(["suite", "check", str(place), *more])
    except SystemExit as end:
        code = int(end.code or 0)
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    lines = told.out.splitlines(), told.err.splitlines()
    assert all(line.isprintable() for each in lines for line in each)
    return code, *lines


def test_counts_of_the_paper_fit_each_other() -> None:
    """Shares of 908 are the abilities' counts; those of tasks are read off a ring, +-2 each."""
    shares = {
        "recognition": 44.1,
        "comprehension": 29.6,
        "description": 15.3,
        "storytelling": 7.4,
        "comparing": 3.6,
    }
    assert {*ABILITY_QUESTIONS} == {*ABILITIES} and QUESTIONS == 908
    for ability, share in shares.items():
        tasks = [task for task in TASKS.values() if task.ability == ability]
        assert round(100 * ABILITY_QUESTIONS[ability] / QUESTIONS, 1) == share
        ring = sum(task.published for task in tasks)
        assert abs(ring - ABILITY_QUESTIONS[ability]) <= 2 * len(tasks)


@pytest.mark.parametrize("folder", [False, True])
def test_counts_stand_beside_those_of_the_paper(
    table: Path, capsys: pytest.CaptureFixture[str], folder: bool
) -> None:
    code, out, err = checked(table.parent if folder else table, capsys)
    assert (code, err) == (0, [])
    assert out[0].startswith("questions.tsv: ") and "14 questions (paper 908)" in out[0]
    assert "14 pictures that can be read" in out[0]
    assert "Visual recognition: 8 questions (paper 400)" in out
    assert "  touchstone_film: 2 (Figure 1: about 27)" in out
    assert [line for line in out if line.startswith("  ")] == [
        f"  {name}: {2 * (name in own_questions.SUBTASKS)} (Figure 1: about {task.published})"
        for name, task in TASKS.items()
    ]
    [read] = [line for line in out if line.startswith("task_name is read as follows: ")]
    assert "'Movies/TV' as touchstone_film" in read
    start = "write into the suite's corpus: subtasks: [touchstone_simple, "
    assert out[-1].startswith(start) and "touchstone_film: 2" in out[-1]


def _cell(column: str, value: str) -> Callable[[Rows], Rows]:
    def spoil(rows: Rows) -> Rows:
        rows[3] |= {column: value}
        return rows

    return spoil


def _without(column: str) -> Callable[[Rows], Rows]:
    return lambda rows: [{k: v for k, v in row.items() if k != column} for row in rows]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_cell("image", "#" * 40), ":12: index 3: its image is not valid base64"),
        (_cell("image", "QUJD" * 40), ":12: index 3: is no picture that can be decoded to its end"),
        (_cell("image", ""), ":12: index 3: has no image; fix the row or remove it"),
        (_cell("question", " "), ":12: index 3: question is empty"),
        (_cell("question", "nan"), ":12: index 3: question is 'nan'"),
        (_cell("index", ""), ":12: index is empty"),
        (_cell("index", "\x1b[31m"), "index or task_name is no plain text"),
        (_cell("task_name", "nan"), ":12: index 3: task_name is 'nan'"),
        (_cell("gpt4_ha_answer", "x" * 100_001), "gpt4_ha_answer has 100,001 characters"),
        (
            _cell("task_name", "Weather"),
            ":12: task_name 'Weather' is not known (1 row); say what it is under "
            "corpus.touchstone_bench, e.g. tasks: {'Weather': touchstone_...}",
        ),
        (_cell("task_name", "story or poem"), "may be touchstone_story or touchstone_poem"),
        (_without("gpt4_ha_answer"), ":1: has no column gpt4_ha_answer (has: 'index', 'image', "),
        (_without("index"), ":1: has no column index"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Rows], Rows],
    said: str,
) -> None:
    table = own_questions.write(tmp_path / "questions.tsv", spoil(own_questions.rows()))
    code, _, err = checked(table, capsys)
    assert code == 2 and len(err) == 1 and err[0].startswith("questions.tsv:")
    assert said in err[0]
    params = own_questions.params(table, each=1)
    if "image is no" in said or "is no picture" in said:  # a run comes to its pictures later
        check(params, "params.yaml")
        return
    with pytest.raises(UserError) as told:
        check(params, "params.yaml")
    assert str(told.value) == err[0]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "questions.tsv: is empty"),
        (b"\n\n", "questions.tsv: is empty"),
        (b"\xff\xfe\x00", "questions.tsv:1: is not UTF-8 text"),
        (b"index\timage\tquestion\n", "questions.tsv:1: has no column human_annotation and none"),
    ],
)
def test_what_is_no_table_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], raw: bytes, said: str
) -> None:
    (tmp_path / "questions.tsv").write_bytes(raw)
    code, _, err = checked(tmp_path / "questions.tsv", capsys)
    assert code == 2 and len(err) == 1 and err[0].startswith(said)


def test_a_quotation_mark_that_is_left_open_is_told_of(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table.read_text().replace("\tPicture 3 ", '\t"Picture 3 ', 1)
    table.write_text(text)
    code, _, err = checked(table, capsys)
    assert code == 2 and "is a tab inside a cell, or a quotation mark left open?" in err[0]


def test_a_line_without_end_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "questions.tsv"
    with path.open("wb") as file:
        file.write("\t".join(own_questions.COLUMNS).encode() + b"\n0\t")
        file.truncate(MOST + (1 << 20))  # zeros, which take no place on a disk
    code, _, err = checked(path, capsys)
    assert code == 2 and err == [
        "questions.tsv:2: has more than 128 MiB in a line; give the table as released"
    ]


def test_rows_without_reference_are_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = own_questions.rows()
    rows[0]["gpt4_ha_answer"] = "nan"
    rows[1]["human_annotation"] = " "
    rows[2]["index"] = rows[9]["index"]
    table = own_questions.write(tmp_path / "questions.tsv", rows)
    code, out, err = checked(table, capsys)
    assert (code, err) == (0, [])
    assert "11 questions (paper 908)" in out[0]
    assert "rows without annotation or reference, which are left out: 2" in out
    passed = [line for line in out if line.startswith("passed over: ")]
    assert [line.partition(": ")[2].partition(": ")[2] for line in passed] == [
        "index 0 is left out: gpt4_ha_answer is 'nan', and judges need it",
        "index 1 is left out: human_annotation is empty, and judges need it",
        "index 9 appears twice, first in line 5, which counts",
    ]
    check(own_questions.params(table, each=1), "params.yaml")


def test_the_user_may_say_what_a_name_means(tmp_path: Path) -> None:
    rows = [{**row, "task_name": row["task_name"].replace("Brand", "Shops")}
            for row in own_questions.rows()]  # fmt: skip
    table = own_questions.write(tmp_path / "questions.tsv", rows)
    with pytest.raises(UserError, match="task_name 'Shops' is not known"):
        check(own_questions.params(table), "params.yaml")
    check(own_questions.params(table, tasks={" shops": "touchstone_brand"}), "params.yaml")
    with pytest.raises(Exception, match="is to be 'brand', which is no subtask"):
        own_questions.params(table, tasks={"Shops": "brand"})


def test_the_check_is_told_what_a_name_means(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**row, "task_name": row["task_name"].replace("Brand", "Shops = windows, \u00fc")}
            for row in own_questions.rows()]  # fmt: skip
    table = own_questions.write(tmp_path / "questions.tsv", rows)
    code, _, [line] = checked(table, capsys)
    assert code == 2 and "to 'suite check' by --tasks 'Shops = windows" in line
    said = "Shops = windows, \u00fc"
    code, out, err = checked(table, capsys, "--tasks", f"{said}=touchstone_brand")
    assert (code, err) == (0, []) and "  touchstone_brand: 2 (Figure 1: about 7)" in out
    assert out[-1].startswith("write into the suite's corpus: ")
    corpus = yaml.safe_load("{" + out[-1].partition(": ")[2] + "}")
    assert corpus["touchstone_bench"] == {"tasks": {said: "touchstone_brand"}}
    for text, what in (("Shops", "names no subtask"), ("Shops=brand", "'brand' is no subtask")):
        code, _, [line] = checked(table, capsys, "--tasks", text)
        assert code == 2 and what in line


@pytest.mark.parametrize("place", ["nowhere", "empty", "other.tsv", "notes.txt"])
def test_other_places_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.tsv").write_text("a\tb\n1\t2\n")
    (tmp_path / "notes.txt").write_text("index\timage\tquestion\ttask_name\n")
    code, out, err = checked(tmp_path / place, capsys)
    assert (code, out, len(err)) == (2, [], 1)


def test_of_several_tables_one_must_be_named(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_questions.write(table.with_name("again.tsv"))
    code, _, err = checked(table.parent, capsys)
    assert code == 2 and "holds 2 such tables (again.tsv, questions.tsv); name one of" in err[0]
    (table.parent / "notes.tsv").write_text("a\tb\n")
    table.with_name("again.tsv").unlink()
    assert checked(table.parent, capsys)[0] == 0


def test_no_more_is_asked_for_than_is_there(table: Path) -> None:
    kind = SUITES.get("touchstone_bench", "")
    assert kind.check is not None and kind.make.private
    kind.check(own_questions.params(table), "params.yaml")
    with pytest.raises(UserError) as told:
        kind.check(own_questions.params(table, each=3), "params.yaml")
    assert "asks for 3 questions of touchstone_simple, and questions.tsv has 2" in str(told.value)
    less = own_questions.params(table, each=1)
    assert "1 of 2 of touchstone_film" in suite_of(less).notices(less)[0]
    whole = own_questions.params(table)
    assert suite_of(whole).notices(whole) == []


def test_a_table_must_be_named_and_there(tmp_path: Path) -> None:
    gone = own_questions.params(tmp_path / "gone.tsv")
    with pytest.raises(
        UserError, match=r"touchstone_bench\.file: there is no file '/.*gone\.tsv'; put"
    ):
        check(gone, "params.yaml")
    unnamed = gone.corpus.model_copy(update={"touchstone_bench": None})
    with pytest.raises(UserError, match="names no file"):
        check(gone.model_copy(update={"corpus": unnamed}), "params.yaml")
