"""Dialogues and pictures of several in exports: nothing goes without what was said before."""

from __future__ import annotations

import csv
import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lvlmbench import tables
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.answer.dialogue import Panel, Turn
from lvlmbench.stages.exports.export import Source
from lvlmbench.submissions.export import export_questions
from lvlmbench.suites.instructions import in_one_turn
from support import report_snapshot
from support.exports_made import ROOT, Told, build, example, params, written

TURNS = (Turn("What is left?", "A fox."), Turn("And right?", 'An "owl"\tor so.'))
PANELS = (Panel(0.0, 0.0, 0.5, 1.0), Panel(0.5, 0.0, 1.0, 1.0))
FREE = {"question_type": "free_form", "options": (), "answer": "x", "answer_index": None}
PLAIN = example(0, **FREE)
SAID = example(1, turns=TURNS, panels=PANELS, **FREE)
CHOSEN = example(2, turns=TURNS)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture
def told(source: Source) -> Told:
    scene = source.read(tables.SCENES).slice(0, 1).to_pylist()[0]
    given = tuple(replace(each, scene=scene) for each in (PLAIN, SAID, CHOSEN))
    return Told(params(("clean",)), source.data, given=given)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_prompt_of_the_dataset_is_whole(told: Told, tmp_path: Path) -> None:
    folder = written(told, tmp_path, "huggingface")
    (path,) = (folder / "data").glob("*.parquet")
    plain, said, chosen = pq.read_table(path).to_pylist()
    assert (plain["prompt"], plain["earlier_questions"]) == (PLAIN.prompt, [])
    assert (plain["last_prompt"], plain["panels"]) == (None, None)
    for row, made in ((said, SAID), (chosen, CHOSEN)):
        assert row["prompt"] == in_one_turn(TURNS, made.prompt) == made.told
        assert row["earlier_questions"] == [turn.question for turn in TURNS]
        assert row["earlier_answers"] == [turn.answer for turn in TURNS]
        assert row["last_prompt"] == made.prompt
    assert json.loads(said["panels"]) == [list(panel) for panel in PANELS]


def test_datasets_reads_the_lists(told: Told, tmp_path: Path) -> None:
    from datasets import load_dataset

    folder = written(told, tmp_path, "huggingface")
    data = load_dataset(str(folder), split="clean", cache_dir=str(tmp_path / "cache"))
    assert data[1]["earlier_answers"] == [turn.answer for turn in TURNS]


def test_vlmevalkit_has_it_in_front_of_the_question(told: Told, tmp_path: Path) -> None:
    folder = written(told, tmp_path, "vlmevalkit")
    csv.field_size_limit(2**31 - 1)
    found: dict[str, str] = {}
    for path in folder.glob("*.tsv"):
        with path.open(newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            found |= {row["item_id"]: row["question"] for row in rows}
    assert found[PLAIN.item_id] == PLAIN.prompt
    assert found[SAID.item_id] == SAID.told
    assert found[CHOSEN.item_id].startswith(in_one_turn(TURNS, CHOSEN.question))


def test_lmms_eval_sends_the_whole_prompt(told: Told, tmp_path: Path) -> None:
    folder = written(told, tmp_path, "huggingface", "lmms_eval")
    spec = importlib.util.spec_from_file_location("lmms_utils", folder / "utils.py")
    assert spec is not None and spec.loader is not None
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    (path,) = (tmp_path / "huggingface/data").glob("*.parquet")
    assert utils.doc_to_text(pq.read_table(path).to_pylist()[1]) == SAID.told


@pytest.mark.parametrize("kind", ["inspect_ai", "sft_chat"])
def test_chats_have_turns(told: Told, tmp_path: Path, kind: str) -> None:
    rows = lines(written(told, tmp_path, kind) / "clean.jsonl")
    plain, said = (row["input" if kind == "inspect_ai" else "messages"] for row in rows[:2])
    assert [part["type"] for part in plain[0]["content"]] == ["image", "text"]
    asked = said if kind == "inspect_ai" else said[:-1]
    assert [each["role"] for each in asked] == ["user", "assistant"] * 2 + ["user"]
    texts = [part["text"] for each in asked for part in each["content"] if "text" in part]
    assert texts == [*(text for turn in TURNS for text in turn), SAID.prompt]
    shown = [part["type"] for each in asked for part in each["content"]]
    assert shown.count("image") == 1 and shown[0] == "image"


def test_inspect_ai_reads_a_dialogue(told: Told, tmp_path: Path) -> None:
    """Its own solver asks the last question in its words and keeps the turns before it."""
    folder = written(told, tmp_path, "inspect_ai")
    code = (
        "import sys, json; sys.path.insert(0, '.'); import lvlmbench_task as t\n"
        "free = t.lvlmbench_free_form().dataset\n"
        "own = t.lvlmbench_multiple_choice(wording='inspect').dataset\n"
        "print(json.dumps([[[m.role, m.text] for m in s.input] for d in (free, own) for s in d]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    plain, said, chosen = json.loads(done.stdout.splitlines()[-1])
    assert plain == [["user", PLAIN.prompt]]
    before = [
        [who, text] for turn in TURNS for who, text in zip(("user", "assistant"), turn, strict=True)
    ]
    assert said == [*before, ["user", SAID.prompt]]
    assert chosen == [*before, ["user", CHOSEN.question]]


def _talking(root: Path) -> Path:
    """A snapshot whose first question has turns and panels."""
    source = build(root)
    first = source.parts(tables.QUESTIONS)[0]
    rows = tables.read([first], tables.QUESTIONS).to_pylist()
    rows[0]["turns"] = [turn._asdict() for turn in TURNS]
    rows[0]["panels"] = [panel._asdict() for panel in PANELS]
    tables.write_rows(rows, first, tables.QUESTIONS, report_snapshot.SNAPSHOT)
    return root


def test_exported_questions_have_turns_and_panels(tmp_path: Path) -> None:
    root = _talking(tmp_path / "s")
    (root / "config.json").rename(root / "params.yaml")
    rows: dict[str, list[dict[str, Any]]] = {}
    for form in ("jsonl", "csv", "parquet"):
        out = tmp_path / form
        export_questions(Asked.open(root), out, ["clean"], form, "files")  # type: ignore[arg-type]
        if form == "jsonl":
            rows[form] = lines(out / "questions.jsonl")
        elif form == "csv":
            with (out / "questions.csv").open(newline="") as file:
                rows[form] = [*csv.DictReader(file)]
            for row in rows[form]:
                row |= {name: json.loads(row[name]) for name in ("turns", "panels")}
        else:
            rows[form] = pq.read_table(out / "questions.parquet").to_pylist()
    for found in rows.values():
        with_turns = [row for row in found if row["turns"]]
        assert with_turns and {row["question_id"] for row in with_turns} == {
            with_turns[0]["question_id"]
        }
        assert [*with_turns[0]["turns"]] == [turn._asdict() for turn in TURNS]
        assert [*with_turns[0]["panels"]] == [panel._asdict() for panel in PANELS]
        assert all(not row["panels"] for row in found if not row["turns"])


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_the_example_runner_is_given_the_turns(tmp_path: Path, form: Any) -> None:
    root = _talking(tmp_path / "s")
    (root / "config.json").rename(root / "params.yaml")
    export_questions(Asked.open(root), tmp_path / "q", ["clean"], form, "files")
    runner = tmp_path / "q/run.py"
    text = runner.read_text()
    mine = 'return "/".join(turn["answer"] for turn in turns)  #'
    assert text.count('return "(A)"  #') == 1
    runner.write_text(text.replace('return "(A)"  #', mine))
    subprocess.run([sys.executable, "-I", str(runner)], check=True, timeout=300, cwd=ROOT)
    said = [row["answer"] for row in lines(tmp_path / "q/answers.jsonl")]
    assert [text for text in said if text] == ["/".join(turn.answer for turn in TURNS)]
