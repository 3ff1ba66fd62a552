"""A table's declaration: its Arrow schema, its rules, its place; what derives from them."""

from __future__ import annotations

import hashlib
import importlib
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.stages.stage import declared
from lvlmbench.tables import dictionary

#: Hash of names, types and nullability. A change here is another SCHEMA_VERSION.
FINGERPRINTS = {
    "planned_aspects": "f4dc6c17fb8b05d6",
    "planned_descriptions": "8c62e00b6313ad83",
    "plan_requests": "4135f60e42f21226",
    "validation": "814ae618c0382014",
    "designs": "1c4cd835a2c08dbd",
    "descriptions": "f97dfeea202ee1e7",
    "proposals": "705281a2c520e973",
    "exam_requests": "6e9e5972b1bcfd1c",
    "entries": "bf3a4beb46497aa7",
    "scenes": "2135c887460439a5",
    "questions": "3c41487da3b7b7de",
    "images": "4c0ee60fe6747caa",
    "layouts": "155eec2946e05476",
    "truth": "b350e3a008a5ae2f",
    "attempts": "7a058838d141337f",
    "image_requests": "25ffd281acbca17f",
    "attempt_checks": "df11591ec34dd3f8",
    "attempt_requests": "0d8c962de4301e61",
    "check_answers": "315354dca4cff91f",
    "check_requests": "0d8c962de4301e61",
    "verdicts": "1bbc7ea947a9bbd5",
    "answers": "a03952a40ebf7638",
    "scores": "7ad5b4578c1d200c",
    "consensus": "7641a56a6eed02d5",
    "reference_scenes": "48b0549bdc778ac5",
    "metrics": "12dd859a361b1fe7",
    "comparisons": "4735f4b215e290e5",
    "agreement": "2b9a409d058fc394",
    "costs": "a453362ba1aed7b3",
    "claims": "85af18c8b698cee6",
    "matches": "e8ac062d6fb996c2",
    "judgements": "dc3b5ff79f3d50e9",
    "pairwise": "5fdb438d768cceda",
    "requests": "fdb4caa95d217937",
    "judge_exam": "cc7e1a36661df6a3",
    "hallucination": "012fdb7740e5339c",
    "dialogue": "e8848b7f99b924ca",
}


def fingerprint(schema: pa.Schema) -> str:
    fields = [(f.name, str(f.type), f.nullable, f.metadata) for f in schema]
    return hashlib.blake2b(repr((fields, schema.metadata)).encode(), digest_size=8).hexdigest()


def test_no_schema_changes_unseen() -> None:
    assert tables.SCHEMA_VERSION == "18"
    assert {name: fingerprint(t.schema) for name, t in tables.TABLES.items()} == FINGERPRINTS


@pytest.mark.parametrize("table", tables.TABLES.values(), ids=lambda t: t.name)
def test_a_table_is_declared_once_and_whole(table: tables.Table) -> None:
    module = importlib.import_module(f"lvlmbench.tables.{table.name}")
    assert getattr(module, table.name.upper()) is getattr(tables, table.name.upper()) is table
    assert {*table.key} <= {*table.names} and len({*table.names}) == len(table.columns)
    told = dictionary.markdown()
    for column in table.columns:
        for each in (column, *column.parts):
            assert each.meaning.endswith((".", ")")) and each.meaning in told


@pytest.mark.parametrize("table", tables.TABLES.values(), ids=lambda t: t.name)
def test_the_dictionary_names_the_folder_that_a_stage_makes(table: tables.Table) -> None:
    made = {out.path for stage in declared().values() for out in stage.makes}
    (told,) = re.findall(rf"## {table.name}\n\n`([^`]+)`", dictionary.markdown())
    assert re.sub(r"<(\w+)>", r"{\1}", told).removesuffix("/") in made


@pytest.mark.parametrize(
    ("table", "names", "place"),
    [
        (tables.IMAGES, {"scenario": "clean"}, "images/clean"),
        (tables.ANSWERS, {"model": "m", "scenario": "clean"}, "answers/m/clean"),
        (tables.VERDICTS, {"filter": "ocr"}, "verdicts/ocr"),
        (tables.ATTEMPTS, {}, "attempts"),
        (tables.METRICS, {}, "metrics.parquet"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_table_says_where_it_is(
    tmp_path: Path, table: tables.Table, names: dict[str, str], place: str
) -> None:
    assert table.folder(tmp_path, **names) == tmp_path / place
    assert table.shards(tmp_path, **names) == []
    parts = [tmp_path / place / tables.part_name(n) for n in (1, 0)]
    for part in parts:
        tables.write(table.empty_table(), part, table, "s")
    assert table.shards(tmp_path, **names) == parts[::-1]


def test_each_type_says_what_it_is() -> None:
    assert tables.OFFERING == ("multiple_choice", "true_false")
    assert (*tables.OFFERING, "short_answer") == tables.JUDGED
    assert (
        tables.QUESTION_TYPES == (*tables.JUDGED, "free_form", "structured") == tuple(tables.TYPES)
    )
    column = pa.chunked_array([pa.array(tables.QUESTION_TYPES)])
    assert tables.judged(column).to_pylist() == [True, True, True, False, False]
    assert tables.offers(column).to_pylist() == [True, True, False, False, False]


def test_all_names_or_none(tmp_path: Path) -> None:
    assert tables.ANSWERS.folder(tmp_path) == tmp_path / "answers"
    with pytest.raises(KeyError, match="scenario"):
        tables.ANSWERS.folder(tmp_path, model="m")


QUESTION: dict[str, Any] = {
    "question_id": "q",
    "scene_id": "s",
    "subtask": "animal",
    "question_type": "multiple_choice",
    "question": "Which?",
    "options": ["a", "b"],
    "answer": "b",
    "answer_index": 1,
    "chance": 0.5,
}
SHORT: dict[str, Any] = QUESTION | {
    "question_type": "short_answer", "options": [], "answer_index": None, "chance": 0.0,
    "answer": "3", "accepted": ["3", "three"],
}  # fmt: skip
VERDICT = {"image_id": "i", "scene_id": "s", "filter": "ocr", "keep": True}


@pytest.mark.parametrize(
    ("table", "rows", "said"),
    [
        (tables.QUESTIONS, [QUESTION, {**QUESTION, "question_id": None}], "row 2.*no question_id"),
        (tables.QUESTIONS, [QUESTION, QUESTION], "row 2.*stands there twice, by its question_id"),
        (tables.QUESTIONS, [{**QUESTION, "question_type": "riddle"}], "question_type 'riddle'"),
        (tables.QUESTIONS, [{**QUESTION, "chance": 1.5}], "has the chance 1.5, not one from 0 to"),
        (tables.QUESTIONS, [{**QUESTION, "options": ["a"]}], "fewer than 2 options"),
        (tables.QUESTIONS, [{**QUESTION, "options": ["a", None]}], "an option that is null"),
        (tables.QUESTIONS, [{**QUESTION, "answer_index": 2}], "no option as the right one"),
        (tables.QUESTIONS, [SHORT | {"accepted": []}], "row 1.*short answer, and accepts none"),
        (tables.QUESTIONS, [SHORT | {"accepted": None}], "short answer, and accepts none"),
        (tables.VERDICTS, [VERDICT, VERDICT], "twice, by its image_id and filter"),
    ],
)
def test_rows_that_break_a_rule_are_named(
    tmp_path: Path, table: tables.Table, rows: list[dict[str, Any]], said: str
) -> None:
    path = tmp_path / tables.part_name(0)
    tables.write_rows(rows, path, table, "s")
    with pytest.raises(UserError, match=said):
        tables.read(tmp_path, table)


def test_rows_that_break_none_are_read(tmp_path: Path) -> None:
    free = {**QUESTION, "question_id": "f", "question_type": "free_form", "options": []}
    rows = [QUESTION, {**free, "answer_index": None, "chance": None}, SHORT | {"question_id": "s"}]
    tables.write_rows(rows, tmp_path / tables.part_name(0), tables.QUESTIONS, "s")
    assert tables.read(tmp_path, tables.QUESTIONS).num_rows == 3
    twice = [VERDICT, {**VERDICT, "filter": "clip"}]
    tables.write_rows(twice, tmp_path / "v", tables.VERDICTS, "s")
    assert tables.read([tmp_path / "v"], tables.VERDICTS, ["image_id"]).num_rows == 2
