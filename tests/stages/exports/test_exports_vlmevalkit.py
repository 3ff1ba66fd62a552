"""The TSV files for VLMEvalKit.

The toolkit is on no package registry, so these tests read the files as its loaders do
(``pandas.read_csv(path, sep="\\t")``, indices as text, a short cell of the column image as the
index of another row), and answers as its exact matching does.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.scene.templates import load_templates
from lvlmbench.stages.exports.export import Example, Source
from lvlmbench.stages.exports.kinds.vlmevalkit.forms import FORMS, lettered
from lvlmbench.stages.exports.kinds.vlmevalkit.tsv import GUARD, Sheet
from lvlmbench.stages.score.choice import extract_choice
from support.exports_made import (
    HOSTILE,
    SCENARIOS,
    Told,
    build,
    example,
    files,
    params,
    run,
    written,
)

MCQ, YORN, OPEN = (FORMS[name] for name in ("multiple_choice", "true_false", "free_form"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def folder(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(source, tmp_path_factory.mktemp("exports"), "vlmevalkit")


def load(path: Path) -> pd.DataFrame:
    """The dataset as the toolkit's base class leaves it, ``image`` resolved."""
    data = pd.read_csv(path, sep="\t")
    assert data["index"].dtype == "int64"
    data["index"] = [str(x) for x in data["index"]]
    images = dict(zip(data["index"], (str(x) for x in data["image"]), strict=True))
    for index, cell in images.items():
        if len(cell) <= 64:
            assert len(images[cell]) > 64
            images[index] = images[cell]
    data["image"] = [images[index] for index in data["index"]]
    return data


def sheet(path: Path, form: Any, examples: Sequence[Example], letters: int = 4) -> pd.DataFrame:
    with Sheet(path, form, letters) as out:
        for each in examples:
            out.add(each)
    return load(path)


def meant(text: str) -> str:
    return text.replace("\0", "\u2400")


def unguarded(cell: object) -> str:
    assert isinstance(cell, str)
    return cell.removesuffix(GUARD)


def test_hostile_texts_are_read_as_they_are_meant(tmp_path: Path) -> None:
    shown = [
        example(n, question=text, options=("x", text, "y"), answer=text)
        for n, text in enumerate(HOSTILE)
    ]
    data = sheet(tmp_path / "d.tsv", MCQ, shown)
    assert len(data) == len(shown)
    for row, text in zip(data.to_dict("records"), HOSTILE, strict=True):
        assert unguarded(row["question"]).startswith(meant(text))
        shown = [meant(option) for option in lettered(("x", text, "y"))]
        assert [unguarded(row[letter]) for letter in "ABC"] == [unguarded(o) for o in shown]
        assert row["answer"] == "B"
        assert pd.isna(row["D"])


@pytest.mark.parametrize("texts", [("2", "3"), ("1", "2.50"), ("true", "False"), ("None", "7")])
def test_columns_of_numbers_stay_text(tmp_path: Path, texts: tuple[str, ...]) -> None:
    """pandas would make 2 of "2", and 2.0 where another cell of the column is empty."""
    shown = [example(n, options=(text, "b"), answer="b") for n, text in enumerate(texts)]
    shown.append(example(9, options=("c", "d", "e"), answer="d"))
    data = sheet(tmp_path / "d.tsv", MCQ, [*shown[:-1]])
    assert [unguarded(cell) for cell in data["A"]] == list(texts)
    mixed = sheet(tmp_path / "m.tsv", MCQ, shown)
    assert [unguarded(cell) for cell in mixed["A"]] == [*texts, "c"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=4))
def test_any_options(tmp_path_factory: pytest.TempPathFactory, options: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "d.tsv"
    row = sheet(path, MCQ, [example(options=tuple(options))]).iloc[0]
    for letter, option in zip("ABCD", lettered(options), strict=False):
        assert row[letter] in (meant(option), meant(option) + GUARD)


def test_an_image_is_written_once_and_found_from_every_row(tmp_path: Path) -> None:
    shown = [example(0), example(1), example(0, item_id="f" * 32), example(1, item_id="e" * 32)]
    raw = sheet(tmp_path / "d.tsv", OPEN, shown)
    cells = pd.read_csv(tmp_path / "d.tsv", sep="\t")["image"]
    assert [len(cell) > 64 for cell in cells] == [True, True, False, False]
    for row, each in zip(raw.to_dict("records"), shown, strict=True):
        assert base64.b64decode(row["image"], validate=True) == each.image
        assert row["image_path"] == f"{each.image_sha256}.png"


def test_what_each_loader_needs(folder: Path) -> None:
    """An unknown name with columns A and B is a list of choices; one with "openended" is of open
    questions; the class for yes and no compares with Yes and No."""
    loaders = {
        "mcq": "CustomMCQDataset",
        "yorn": "ImageYORNDataset",
        "openended": "CustomVQADataset",
    }
    config = json.loads((folder / "config.json").read_text())
    assert config["model"] == {}
    names = {path.stem for path in folder.glob("*.tsv")}
    assert set(config["data"]) == names and len(names) == len(SCENARIOS) * len(loaders)
    for name, about in config["data"].items():
        form = name.rpartition("_")[2]
        assert about == {"class": loaders[form], "dataset": name}
        data = load(folder / f"{name}.tsv")
        assert {"index", "image", "question", "answer", "category", "l2-category"} <= set(data)
        assert not data[["question", "answer", "image"]].isna().any().any()
        assert {"A", "B"} <= set(data) if form == "mcq" else not {"A", "B"} & set(data)
        if form == "mcq":
            assert all(isinstance(row[row["answer"]], str) for _, row in data.iterrows())
        if form == "yorn":
            assert set(data["answer"]) == {"Yes", "No"}
        assert ("openended" in name) == (form == "openended")


def test_every_question_is_there_once_with_its_answer_and_image(
    source: Source, folder: Path
) -> None:
    with (folder / "items.csv").open(newline="") as file:
        items = {(row["dataset"], row["index"]): row for row in csv.DictReader(file)}
    tables = {path.stem: load(path) for path in folder.glob("*.tsv")}
    rows = {row["item_id"]: row for table in tables.values() for row in table.to_dict("records")}
    listed = {
        (n, row["index"]): row["item_id"] for n, t in tables.items() for _, row in t.iterrows()
    }
    assert {key: row["item_id"] for key, row in items.items()} == listed
    examples = {e.item_id: e for s in SCENARIOS for e in source.examples(s)}
    assert set(rows) == set(examples) and len(listed) == len(examples)
    for item, each in examples.items():
        row = rows[item]
        assert base64.b64decode(row["image"]) == each.image
        Image.open(io.BytesIO(each.image)).load()
        if each.question_type == "multiple_choice":
            assert row["question"].startswith(each.question)
            assert unguarded(row[row["answer"]]).endswith(each.answer)
        elif each.question_type == "true_false":
            assert row["answer"] == {"True": "Yes", "False": "No"}[each.answer]
        else:
            assert (row["question"], row["answer"]) == (each.prompt, each.answer)


def test_sums_are_those_of_the_files(folder: Path) -> None:
    sums = dict(
        reversed(line.split("  ")) for line in (folder / "MD5SUMS").read_text().splitlines()
    )
    assert sums == {p.name: hashlib.md5(p.read_bytes()).hexdigest() for p in folder.glob("*.tsv")}
    text = (folder / "README.md").read_text()
    assert all(md5 in text and name.removesuffix(".tsv") in text for name, md5 in sums.items())
    assert (folder / "LICENSE.txt").stat().st_size and (folder / "CREDITS.md").stat().st_size


def test_shards_change_no_byte(folder: Path, tmp_path: Path) -> None:
    again = build(tmp_path / "snapshot", shard=11)
    assert files(written(again, tmp_path, "vlmevalkit")) == files(folder)


def test_a_form_without_questions_has_no_file(source: Source, tmp_path: Path) -> None:
    told = Told(params(("clean",)), source.data, given=(example(0), example(1)))
    names = {
        path.name.rpartition("_")[2] for path in written(told, tmp_path, "vlmevalkit").glob("*.tsv")
    }
    assert names == {"mcq.tsv"}


def test_what_is_neither_true_nor_false_is_one_line(source: Source, tmp_path: Path) -> None:
    odd = example(
        question_type="true_false", options=("maybe", "no"), answer="maybe", answer_index=0
    )
    told = Told(params(("clean",)), source.data, given=(odd,))
    with pytest.raises(UserError, match="vlmevalkit: question q0: has the answer 'maybe'"):
        written(told, tmp_path, "vlmevalkit")


@pytest.mark.parametrize("form", ["tsv", "json"])
def test_predictions_come_back_as_answers(folder: Path, tmp_path: Path, form: str) -> None:
    """The toolkit's prediction file: the dataset without images and with a column prediction."""
    path = next(folder.glob("*_clean_yorn.tsv"))
    data = load(path).drop(columns=["image", "item_id"])
    said = [f'Yes, "{n}"\tfor sure\nreally' for n in range(len(data))]
    said[0], said[1] = "Failed to obtain answer via API.", ""
    data["prediction"] = said
    out = tmp_path / f"my-model_{path.stem}.{form}"
    if form == "tsv":
        data.to_csv(out, sep="\t", index=False, quoting=csv.QUOTE_ALL)
    else:
        out.write_text(json.dumps(data.to_dict("records")))
    beside = tmp_path / f"my-model_{path.stem}_auxmatch.{form}"
    beside.write_text("the toolkit's own notes")
    rows = run(folder / "to_answers.py", beside, out, home=tmp_path / "home")
    assert [row["item_id"] for row in rows] == list(load(path)["item_id"])
    assert [row["answer"] for row in rows] == ["", "", *said[2:]]
    assert [row.get("status") for row in rows] == ["error", *[None] * (len(rows) - 1)]


def said_yes_or_no(answer: str) -> str | None:
    """What the toolkit reads of an answer: the word yes or the word no, not both."""
    words = set(re.findall(r"\w+", answer.lower()))
    found = words & {"yes", "no"}
    return found.pop().capitalize() if len(found) == 1 else None


def chosen(answer: str, options: dict[str, str]) -> str | None:
    """The letter that the toolkit reads: one that stands alone, else the one option whose text is
    in the answer."""
    words = re.sub(r"[.()\[\],:;!*#{}]", " ", answer).split()
    alone = [letter for letter in options if letter in words]
    if alone:
        return alone[0] if len(alone) == 1 else None
    named = [letter for letter, text in options.items() if text.lower() in answer.lower()]
    return named[0] if len(named) == 1 else None


LEADS = load_templates().instructions.leads


@pytest.mark.parametrize("lead", LEADS)
def test_statements_are_plain_questions_that_yes_or_no_answers(tmp_path: Path, lead: str) -> None:
    """Nothing in them asks for True or False, and a yes is right there and here."""
    statement = "The image shows a fox."
    shown = [
        example(
            n, question_type="true_false", question=lead.format(statement=statement),
            options=options, answer=answer, answer_index=options.index(answer), leads=LEADS,
        )
        for n, (options, answer) in enumerate(
            itertools.product([("True", "False"), ("False", "True")], ["True", "False"])
        )
    ]  # fmt: skip
    for row, each in zip(sheet(tmp_path / "d.tsv", YORN, shown).itertuples(), shown, strict=True):
        assert statement in row.question and row.question.endswith("Answer yes or no.")
        assert not re.search(r"\b(true|false)\b", row.question, re.I)
        for answer in (row.answer, f"{row.answer}.", f"{row.answer.lower()}, it is so"):
            assert said_yes_or_no(answer) == row.answer
            assert extract_choice(answer, each.options).index == each.answer_index


@pytest.mark.parametrize(
    "options",
    [("female", "male"), ("red", "Red fox", "blue"), ("art", "car", "party"), ("owl", "fox")],
)
def test_the_text_of_an_option_is_read_as_that_option(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    """As it is shown there, letter included where another option contains it."""
    row = sheet(tmp_path / "d.tsv", MCQ, [example(options=options, answer=options[0])]).iloc[0]
    shown = {letter: unguarded(row[letter]) for letter in "ABCD"[: len(options)]}
    assert "letter" in row["question"]
    for letter, text in shown.items():
        assert chosen(text, shown) == chosen(f"{letter}. {text}", shown) == letter
    assert list(shown.values()) == list(options) or not {"owl"} & set(options)


def test_the_guide_tells_how_answers_are_read_and_scored(folder: Path) -> None:
    text = " ".join((folder / "README.md").read_text().split())
    for told in (
        'An answer "True" or "False" is not read, and counts as wrong',
        "PRED_FORMAT=tsv",
        "32,767",
        "share of all rows that are right",
        "mean over subtasks",
    ):
        assert told in text
    assert ".xlsx >" not in text and "MODEL/*/" not in text


def test_what_the_toolkit_does_not_tell_is_told(folder: Path, tmp_path: Path) -> None:
    """Answers in neither yes nor no, and answers that fill a cell of .xlsx."""
    said = ["True", "yes and no", "Yes. " + "x" * 32_762, "no", "No."]
    code = (
        "import json, pathlib, sys, to_answers as t; said = json.loads(sys.stdin.read());"
        "[t.tell(pathlib.Path(f'm.{e}'), 'd_yorn', said) for e in ('xlsx', 'tsv')]"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, input=json.dumps(said), text=True,
        capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 3 and "m.xlsx: 1 answers fill a cell of .xlsx (32,767" in lines[0]
    assert all("2 answers say neither yes nor no, or both" in line for line in lines[1:])
