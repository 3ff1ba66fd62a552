"""From a file of answers to answers tables: what fits, what does not, and in which order."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.submissions import intake as intake_module
from lvlmbench.submissions import spool
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import Intake, harmless, take_in
from support.submissions_snapshot import (
    NASTY,
    SCENARIOS,
    asked,
    build,
    copy,
    files_below,
    home,
    perfect,
    write,
)

Row = dict[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked.open(build(tmp_path_factory.mktemp("snapshot")))


@pytest.fixture(scope="module")
def questions(finished: Asked) -> list[Row]:
    return asked(finished, *SCENARIOS)


def of(questions: list[Row], scenario: str) -> list[Row]:
    return [row for row in questions if row["scenario"] == scenario]


def by_item(rows: list[Row]) -> list[Row]:
    """A file of right answers, by item."""
    return [{"item_id": row["item_id"], "answer": perfect(row)} for row in rows]


def table(folder: Path, scenario: str = "clean") -> list[Row]:
    rows: list[Row] = tables.read(folder / "answers" / scenario, tables.ANSWERS).to_pylist()
    return rows


def listed(folder: Path) -> list[Row]:
    with (folder / "intake.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def take(finished: Asked, path: Path, rows: list[Row], scenario: str | None = None) -> Intake:
    write(path, rows)
    return take_in(finished, AnswersFile(path), "mine", scenario, path.parent / "out")


def test_every_item_has_one_row_in_the_order_of_the_questions(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    rows = by_item(questions)
    random.Random(1).shuffle(rows)
    found = take(finished, tmp_path / "a.jsonl", rows)
    assert found.scenarios == SCENARIOS and found.n_asked == len(questions) == found.n_rows
    assert not found.listed and listed(tmp_path / "out") == []
    for scenario in SCENARIOS:
        answers = table(tmp_path / "out", scenario)
        mine = of(questions, scenario)
        assert [(a["question_id"], a["image_id"]) for a in answers] == [
            (q["question_id"], q["image_id"]) for q in mine
        ]
        assert [a["text"] for a in answers] == [perfect(q) for q in mine]
        images = tables.read(
            finished.parts(tables.IMAGES, scenario=scenario), tables.IMAGES, ["image_id", "sha256"]
        )
        sha256 = dict(zip(*(images[n].to_pylist() for n in images.column_names), strict=True))
        assert all(a["image_sha256"] == sha256[a["image_id"]] for a in answers)
        assert {(a["model"], a["scenario"], a["status"]) for a in answers} == {
            ("mine", scenario, "answered")
        }
    assert not list((tmp_path / "out").glob(".*"))


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_neither_format_nor_order_changes_a_byte(
    finished: Asked, questions: list[Row], tmp_path: Path, form: str
) -> None:
    rows = [row | {"cost_usd": 0.5, "prompt_tokens": 3} for row in by_item(questions)]
    rows[4] |= {"answer": "", "error": "no", "status": "timeout"}
    rows[5]["answer"] = "\x00 \U0001f98a"
    rows.append({**rows[7], "cost_usd": 0.25})  # the same again, at another price
    for name, seed in (("a", 0), ("b", 1)):
        (tmp_path / name).mkdir()
        shuffled = [dict.fromkeys(rows[4]) | row for row in rows]
        random.Random(seed).shuffle(shuffled)
        take(finished, tmp_path / name / ("x.jsonl" if name == "a" else f"x.{form}"), shuffled)
    a, b = (files_below(tmp_path / name / "out" / "answers") for name in "ab")
    assert a == b and len(a) == len(SCENARIOS)
    again = next(r for r in table(tmp_path / "a/out") if r["question_id"] ==
                 questions[7]["question_id"])  # fmt: skip
    assert again["cost_usd"] == 0.25


def test_hostile_texts_arrive_as_they_are(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    rows = of(questions, "corruption_curve")[: len(NASTY)]
    assert len(rows) == len(NASTY)
    given = [{"item_id": q["item_id"], "answer": t} for q, t in zip(rows, NASTY, strict=True)]
    for form in ("jsonl", "csv", "parquet"):
        take(finished, tmp_path / f"a.{form}", given)
        found = {
            (r["question_id"], r["image_id"]): r
            for r in table(tmp_path / "out", "corruption_curve")
        }
        assert [found[q["question_id"], q["image_id"]]["text"] for q in rows] == NASTY


def with_other_words(finished: Asked, root: Path, changed: set[str]) -> Asked:
    """The snapshot as another vocabulary makes it: some questions are asked in other words."""
    other = copy(home(finished), root)
    for path in other.parts(tables.QUESTIONS):
        rows = tables.read([path], tables.QUESTIONS).to_pylist()
        for row in rows:
            if row["question_id"] in changed:
                row["question"] += " Or which else?"
        tables.write_rows(rows, path, tables.QUESTIONS, params_id(other.params))
    return Asked.open(root)


def test_answers_to_another_vocabularys_questions_are_none_to_these(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    """Tables of both say the same of their parameters: what is asked tells them apart."""
    clean = of(questions, "clean")
    some = {row["question_id"] for row in clean[:3]}
    other = with_other_words(finished, tmp_path / "some", some)
    assert params_id(other.params) == params_id(finished.params)
    assert other.snapshot_id != finished.snapshot_id
    found = take(other, tmp_path / "a.jsonl", by_item(clean))
    assert found.listed == {spool.UNKNOWN: len(some), spool.MISSING: len(some)}
    answered = {row["question_id"]: row["status"] for row in table(tmp_path / "out")}
    assert {id_ for id_, status in answered.items() if status == "error"} == some

    every = {row["question_id"] for row in questions}
    other = with_other_words(finished, tmp_path / "all", every)
    with pytest.raises(UserError, match="answers nothing that is asked in this snapshot"):
        take(other, tmp_path / "b.jsonl", by_item(clean))


def test_ids_of_questions_will_do_where_they_say_enough(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    clean, curve = of(questions, "clean"), of(questions, "corruption_curve")
    rows = [{"question_id": q["question_id"], "answer": perfect(q)} for q in clean]
    found = take(finished, tmp_path / "a.csv", rows)
    assert found.scenarios == ["clean"] and not found.listed

    found = take(finished, tmp_path / "b.csv", rows, scenario="blind")
    assert found.scenarios == ["blind"] and not found.listed

    named = [row | {"scenario": s} for row in rows for s in ("clean", "blind")]
    found = take(finished, tmp_path / "c.csv", named)
    assert found.scenarios == ["clean", "blind"] and not found.listed

    full = [
        {k: q[k] for k in ("scenario", "question_id", "image_id")} | {"text": "x"} for q in curve
    ]
    found = take(finished, tmp_path / "d.csv", full)
    assert found.scenarios == ["corruption_curve"] and not found.listed

    short = [*full[1:], {k: full[0][k] for k in ("scenario", "question_id", "text")}]
    found = take(finished, tmp_path / "e.csv", short)
    assert found.listed == {spool.SEVERAL: 1, spool.MISSING: 1}
    assert listed(tmp_path / "out")[0]["line"] == str(len(short) + 1)


def test_what_does_not_fit_is_counted_and_listed(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    clean = of(questions, "clean")
    rows = by_item(clean)
    assert len(rows) > 8
    given = [
        *rows[4:],  # four are missing, of which two come below
        {"item_id": "f" * 32, "answer": "(A)"},
        {"item_id": None, "answer": "(A)"},
        rows[0], rows[0], {**rows[0], "latency_s": 3.0},
        rows[1], {**rows[1], "answer": "another"}, rows[1],
        {"item_id": "=HYPERLINK(1)", "answer": "(B)"},
    ]  # fmt: skip
    given[0] = {**given[0], "answer": " \n"}
    given[1] = {**given[1], "status": "error", "error": "HTTP 500", "answer": None}
    found = take(finished, tmp_path / "a.jsonl", given)
    assert found.n_rows == len(given) and found.n_asked == len(clean)
    assert found.listed == {
        spool.UNKNOWN: 3, spool.REPEATED: 3, spool.CONFLICT: 3, spool.MISSING: 2, spool.EMPTY: 1
    }  # fmt: skip

    out = {row["question_id"]: row for row in table(tmp_path / "out")}
    states = [out[q["question_id"]] for q in clean]
    assert [(s["status"], s["error"], s["text"]) for s in states[:6]] == [
        ("answered", None, perfect(clean[0])),
        ("error", "answered twice, differently", ""),
        ("error", "no answer in a.jsonl", ""),
        ("error", "no answer in a.jsonl", ""),
        ("answered", None, " \n"),
        ("error", "HTTP 500", ""),
    ]
    assert all(s["text"] == perfect(q) for s, q in zip(states[6:], clean[6:], strict=True))

    at = len(rows) - 4
    found_rows = listed(tmp_path / "out")
    assert [(r["reason"], r["line"], r["id"]) for r in found_rows] == [
        ("unknown", str(at + 1), "f" * 32),
        ("unknown", str(at + 2), ""),
        ("unknown", str(at + 9), "'=HYPERLINK(1)"),
        *(("conflict", str(at + n), rows[1]["item_id"]) for n in (6, 7, 8)),
        *(("repeated", str(at + n), rows[0]["item_id"]) for n in (3, 4, 5)),
        ("missing", "", rows[2]["item_id"]),
        ("missing", "", rows[3]["item_id"]),
        ("empty", "1", rows[4]["item_id"]),
    ]
    assert found_rows[-2]["question_id"] == clean[3]["question_id"]
    shown = "\n".join(found.lines())
    assert f"a.jsonl: {len(given)} rows, for {len(clean)} questions (clean)\n" in shown
    assert re.search(r"\n  3 rows: unknown id \(line \d+: f{32}, line \d+: no id, ", shown)
    assert (
        f"\n  2 questions: no answer; not scored, never taken for wrong ({rows[2]['item_id']}, "
        in shown
    )
    assert (
        f"\n  1 row: empty answer; not scored, never taken for wrong (line 1: {rows[4]['item_id']})"
        in shown
    )


def test_conflicts_do_not_depend_on_the_order(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    rows = by_item(of(questions, "clean"))
    twice = [rows[0] | {"answer": text} for text in ("one", "two", "one")]
    twice += [rows[1] | {"status": "refused", "answer": "x"}, rows[1] | {"answer": "x"}]
    results = []
    for seed in range(4):
        (tmp_path / str(seed)).mkdir()
        mixed = [dict.fromkeys(("status", "answer")) | row for row in [*rows[2:], *twice]]
        random.Random(seed).shuffle(mixed)
        found = take(finished, tmp_path / str(seed) / "a.jsonl", mixed)
        results.append((found.listed, files_below(tmp_path / str(seed) / "out/answers")))
    assert all(result == results[0] for result in results)
    assert results[0][0] == {spool.CONFLICT: 5}


def test_a_row_that_contradicts_itself_answers_nothing(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    clean = of(questions, "clean")
    names = ("item_id", "scenario", "question_id", "image_id")
    rows = [{name: q[name] for name in names} | {"answer": perfect(q)} for q in clean]
    assert not take(finished, tmp_path / "a.jsonl", rows).listed
    rows[0]["question_id"] = rows[1]["question_id"]
    rows[2]["scenario"] = "blind"
    rows[3] |= {"image_id": None, "question_id": ""}
    found = take(finished, tmp_path / "b.jsonl", rows)
    assert found.listed == {spool.CONTRADICTORY: 2, spool.MISSING: 2}
    assert [row["line"] for row in listed(tmp_path / "out")][:2] == ["1", "3"]


def test_one_scenario_alone(finished: Asked, questions: list[Row], tmp_path: Path) -> None:
    rows = by_item([*of(questions, "clean"), *of(questions, "blind")])
    found = take(finished, tmp_path / "a.jsonl", rows, scenario="blind")
    assert found.scenarios == ["blind"]
    assert found.listed == {spool.ELSEWHERE: len(of(questions, "clean"))}
    named = [{"question_id": q["question_id"], "scenario": "clean", "answer": "x"} for q in
             of(questions, "clean")][:1]  # fmt: skip
    mixed = [*named, {"question_id": named[0]["question_id"], "scenario": "blind", "answer": "y"}]
    found = take(finished, tmp_path / "b.jsonl", mixed, scenario="blind")
    assert found.listed[spool.ELSEWHERE] == 1


@pytest.mark.parametrize(
    ("rows", "scenario", "part"),
    [
        ([], None, "a.jsonl: holds no rows"),
        ([{"item_id": "x" * 32, "answer": "A"}] * 3, None, "none of 3 rows (the first id is 'xxxx"),
        ([{"question_id": None, "answer": "A"}], None, "none of 1 rows"),
        ([{"item_id": "\x1b[31m\n", "answer": "A"}], "blind", "in scenario 'blind' of this"),
        ([{"question_id": "q", "answer": "A"}], "fog", "--scenario: the snapshot has no scenario"),
    ],
)
def test_a_file_that_answers_nothing(
    finished: Asked, tmp_path: Path, rows: list[Row], scenario: str | None, part: str
) -> None:
    with pytest.raises(UserError) as caught:
        take(finished, tmp_path / "a.jsonl", rows, scenario)
    line = str(caught.value)
    assert part in line and "\n" not in line and "\x1b" not in line
    assert not list(tmp_path.glob("out/answers")) and not list(tmp_path.glob("out/*.csv"))


def test_answers_to_images_that_were_drawn_anew_are_unknown(
    finished: Asked, questions: list[Row], tmp_path: Path
) -> None:
    from support.submissions_snapshot import copy

    other = copy(home(finished), tmp_path / "other")
    for path in other.parts(tables.IMAGES, scenario="clean"):
        rows = tables.read([path], tables.IMAGES).to_pylist()
        for row in rows:
            row["sha256"] = row["sha256"][::-1]
        tables.write_rows(rows, path, tables.IMAGES, "s")
    with pytest.raises(UserError, match="answers nothing that is asked in this snapshot"):
        take(other, tmp_path / "a.jsonl", by_item(of(questions, "clean")))


def test_many_and_long_answers_go_to_several_shards(
    finished: Asked, questions: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = by_item(of(questions, "clean"))
    take(finished, tmp_path / "a.jsonl", rows)
    one = table(tmp_path / "out")
    monkeypatch.setattr(intake_module, "_ROWS", 4)
    take(finished, tmp_path / "a.jsonl", rows)
    parts = sorted((tmp_path / "out/answers/clean").iterdir())
    assert len(parts) == -(-len(one) // 4) and table(tmp_path / "out") == one


def test_ids_of_others_are_harmless_in_a_spreadsheet() -> None:
    assert [harmless(text) for text in ("=1", "+1", "-1", "@x", "a=1", None, " =1")] == [
        "'=1", "'+1", "'-1", "'@x", "a=1", "", "'=1",
    ]  # fmt: skip
    assert harmless("a\nb\x00c") == "a b c" and len(harmless("x" * 10_000)) == 200
