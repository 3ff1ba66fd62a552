"""Files of answers as other programs write them: what is read, and what is refused in one line."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.given import Given, Rows
from support.submissions_snapshot import NASTY, write

FORMS = ["jsonl", "csv", "parquet"]


def read(path: Path) -> list[Given]:
    file = AnswersFile(path)
    rows = Rows(file)
    return [rows.read(number, values) for number, values in file]


def refused(path: Path) -> str:
    """What is said about a file that is refused: one line."""
    with pytest.raises(UserError) as caught:
        read(path)
    line = str(caught.value)
    assert "\n" not in line and line.startswith(str(path)) and len(line) < 600
    return line


@pytest.mark.parametrize("form", FORMS)
def test_texts_arrive_as_they_are(tmp_path: Path, form: str) -> None:
    rows = [{"item_id": f"i{n}", "answer": text} for n, text in enumerate(NASTY)]
    found = read(write(tmp_path / f"a.{form}", rows))
    assert [given.answer.text for given in found] == NASTY
    assert [given.about.item_id for given in found] == [row["item_id"] for row in rows]
    assert {given.answer.status for given in found} == {"answered"}


def test_lone_surrogates_become_what_utf_8_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"item_id": "i\\udc80", "answer": "a \\ud800 b", "error": "\\udfff"}\n')
    (given,) = read(path)
    assert given.answer.text == "a \ufffd b" and given.about.item_id == "i\ufffd"
    assert json.dumps(given.answer.error)


@pytest.mark.parametrize("form", FORMS)
def test_every_column_is_read(tmp_path: Path, form: str) -> None:
    row = {
        "question_id": "q", "image_id": "i", "scenario": "blind", "prediction": "B",
        "status": "Refused ", "error": "no\nway", "latency_s": 0.5, "prompt_tokens": 7,
        "completion_tokens": 3, "cost_usd": 0.25, "extra": "x", "options": "y",
    }  # fmt: skip
    (given,) = read(write(tmp_path / f"a.{form}", [row]))
    assert given.about == (None, "q", "i", "blind")
    assert given.answer == ("B", "refused", "no way", 0.5, 7, 3, 0.25)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["answer", "text", "response", "prediction"])
def test_four_names_of_the_answer(tmp_path: Path, form: str, name: str) -> None:
    (given,) = read(write(tmp_path / f"a.{form}", [{"item_id": "i", name: "B"}]))
    assert given.answer.text == "B"


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_is_not_there(tmp_path: Path, form: str) -> None:
    rows = [
        {"item_id": "a", "answer": None, "error": None},
        {"item_id": "b", "answer": "", "error": "HTTP 500"},
        {"item_id": "c", "answer": "(A)", "error": "late"},
    ]
    found = read(write(tmp_path / f"a.{form}", rows))
    assert [given.answer[:3] for given in found] == [
        ("", "answered", None), ("", "error", "HTTP 500"), ("(A)", "answered", "late"),
    ]  # fmt: skip


def test_what_pandas_writes_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"item_id": "a", "answer": NaN, "prompt_tokens": 12.0, "cost_usd": NaN}\n')
    (given,) = read(path)
    assert given.answer == ("", "answered", None, None, 12, None, None)


def test_harmless_oddities(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"item_id": "a", "answer": "x"}\r\n\r\n  \n'
                     b'{"item_id": " b ", "answer": "y", "more": [1, {}]}')  # fmt: skip
    assert [(g.line, g.about.item_id) for g in read(path)] == [(1, "a"), (4, "b")]
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbf item_id,answer , note\r\na,"x\r\ny",1\r\n\r\n,,\r\nb,z,2')
    found = read(path)
    assert [(g.line, g.about.item_id, g.answer.text) for g in found] == [
        (2, "a", "x\r\ny"), (6, "b", "z"),
    ]  # fmt: skip


def test_strings_of_parquet_in_other_types(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = {
        "item_id": pa.array(["a", "b"], pa.large_string()),
        "answer": pa.array(["x", None]).dictionary_encode(),
        "prompt_tokens": pa.array([1.0, None]),
        "nested": pa.array([[1], None]),
    }
    pq.write_table(pa.table(columns), path)
    assert [(g.about.item_id, g.answer.text) for g in read(path)] == [("a", "x"), ("b", "")]


def test_fields_may_be_long_and_the_limit_of_others_stays(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    (given,) = read(write(tmp_path / "a.csv", [{"item_id": "a", "answer": "x" * 3_000_000}]))
    assert len(given.answer.text) == 3_000_000 and csv.field_size_limit() == before


GOOD = '{"item_id": "a", "answer": "x"}\n'


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ('{"item_id": "b", "answer": "x"', "is not JSON"),
        ('{"item_id": "b", "answer": "x"}}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"item_id": "b", "answer": "x", "answer": "y"}', "a key stands in it twice"),
        ('["b", "x"]', "is not a JSON object"),
        ('{"item_id": "b"}', "holds no answers (has: 'item_id'); add answer, or call it text"),
        ('{"id": "b", "answer": "x"}', "does not say what was asked (has: 'id', 'answer')"),
        ('{"item_id": "b", "answer": "x", "text": "y"}', "has 'answer' and 'text'"),
        ('{"item_id": "b", "answer": 3}', "'answer' is not text but int"),
        ('{"item_id": "b", "answer": true}', "'answer' is not text but bool"),
        ('{"item_id": "b", "answer": ["x"]}', "'answer' is not text but list"),
        ('{"item_id": 7, "answer": "x"}', "'item_id' is not text but int"),
        ('{"item_id": "b", "answer": "x", "status": "fine"}', "status 'fine' is not known; write"),
        ('{"item_id": "b", "answer": "x", "cost_usd": -1}', "'cost_usd' is '-1'"),
        ('{"item_id": "b", "answer": "x", "cost_usd": Infinity}', "'cost_usd' is 'inf'"),
        ('{"item_id": "b", "answer": "x", "latency_s": "soon"}', "'latency_s' is 'soon'"),
        ('{"item_id": "b", "answer": "x", "prompt_tokens": true}', "'prompt_tokens' is 'True'"),
        ('{"item_id": "b", "answer": "x", "prompt_tokens": 1.5}', "'prompt_tokens' is 1.5"),
        ('{"item_id": "b", "answer": "x", "prompt_tokens": 1e300}', "'prompt_tokens' is 1e+300"),
        ('{"item_id": "b", "answer": "x", "prompt_tokens": ' + "9" * 400 + "}", "'prompt_tokens'"),
        ('{"item_id": "b", "answer": "x", "prompt_tokens": ' + "9" * 5000 + "}", "is not JSON"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, line: str, part: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{GOOD}\n{line}\n{GOOD}")
    shown = refused(path)
    assert shown.startswith(f"{path}:3: ") and part in shown


def test_a_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD.encode() + b'{"item_id": "b", "answer": "\xff"}\n')
    assert refused(path).startswith(f"{path}:2: is not UTF-8 text")
    path = tmp_path / "a.csv"
    path.write_bytes("item_id,answer\na,b\n".encode("utf-16"))
    assert refused(path).startswith(f"{path}:1: is not UTF-8 text")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("item_id,answer\na,b\nb\n", "a.csv:3: has 1 fields, and the header 2"),
        ('item_id,answer\na,"x\ny"\nb,c,d\n', "a.csv:4: has 3 fields"),
        ('item_id,answer\na,b\nb,"open\nand\non', "a.csv:3: is not CSV"),
        ('item_id,answer\na,"b"c\n', "a.csv:2: is not CSV"),
        ("item_id;answer\na;b\n", "a.csv:1: does not say what was asked (has: 'item_id;answer')"),
        ("item_id,reply\na,b\n", "a.csv:1: holds no answers (has: 'item_id', 'reply')"),
        ("item_id,answer,item_id\na,b,c\n", "a.csv:1: has 'item_id' twice"),
        ("item_id,answer,text\na,b,c\n", "a.csv:1: has 'answer' and 'text'"),
        ("item_id,answer,cost_usd\na,b,1\nb,c,free\n", "a.csv:3: 'cost_usd' is 'free'"),
        ("", "a.csv: is empty"),
    ],
)
def test_a_bad_row_of_csv_is_named(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, newline="")
    assert part in refused(path)


def test_bad_parquet_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for columns, part in (
        ({"item_id": ["a"], "reply": ["x"]}, "holds no answers (has: 'item_id', 'reply')"),
        ({"item_id": ["a", "b"], "answer": [1, 2]}, "row 1: 'answer' is not text but int"),
        ({"item_id": ["a", "b"], "answer": ["x", "y"], "status": ["error", "?"]}, "row 2: status"),
        ({"item_id": ["a"], "answer": [b"x"]}, "'answer' is not text but bytes"),
    ):
        pq.write_table(pa.table(columns), path)
        assert part in refused(path)
    broken = pa.array([b"ok", b"\xff"]).cast(pa.binary())
    texts = pa.StringArray.from_buffers(2, *broken.buffers()[1:], broken.buffers()[0])
    pq.write_table(pa.table({"item_id": ["a", "b"], "answer": texts}), path)
    assert "is not UTF-8 text" in refused(path)
    late = pa.array([2**62], pa.timestamp("us"))
    pq.write_table(pa.table({"item_id": ["a"], "answer": ["x"], "latency_s": late}), path)
    assert "row 1 or one of the 255 after it holds a value that cannot be read" in refused(path)
    raw = path.read_bytes()
    for data in (raw[: len(raw) // 2], b"", b"PAR1", b"item_id,answer\n"):
        path.write_bytes(data)
        assert "cannot be read as Parquet" in refused(path)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl.gz", "a", "a.xlsx"])
def test_a_name_must_say_the_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD)
    line = refused(tmp_path / name)
    known = ".jsonl (a JSON object a line), .csv, .tsv or .parquet"
    packed = name.endswith(".gz")
    assert "by its name" in line and (known in line) != packed
    assert ("unpack it first: gunzip " in line) == packed


def test_a_packed_file_is_to_be_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert refused(path) == f"{path}:1: is packed by gzip; unpack the file"


def test_a_file_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name in ("none.jsonl", "folder.csv"):
        assert "is not a file" in refused(tmp_path / name)


def test_rows_stream(tmp_path: Path) -> None:
    """The first row comes before the last one is looked at."""
    path = tmp_path / "a.jsonl"
    path.write_text(GOOD * 1000 + "damaged\n")
    rows: Any = iter(AnswersFile(path))
    assert [next(rows)[0] for _ in range(1000)] == list(range(1, 1001))
    with pytest.raises(UserError, match=":1001: is not JSON"):
        next(rows)
