"""Chats for fine-tuning: right answers as they are read here, each picture once, none dropped."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.stages.exports.export import Source
from lvlmbench.stages.exports.kinds.sft_chat import chat, write
from lvlmbench.stages.score.choice import extract_choice
from support.exports_made import HOSTILE, SCENARIOS, Told, build, example, files, params, written

Row = dict[str, Any]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def folder(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(source, tmp_path_factory.mktemp("exports"), "sft_chat")


def rows_of(folder: Path, scenario: str) -> list[Row]:
    text = (folder / f"{scenario}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_taught_is_right_and_of_the_picture_that_is_shown(
    source: Source, folder: Path, scenario: str
) -> None:
    wanted = {e.item_id: e for e in source.examples(scenario) if e.kept}
    rows = rows_of(folder, scenario)
    assert [row["id"] for row in rows] == list(wanted) and rows
    for row in rows:
        one = wanted[row["id"]]
        asked, answered = row["messages"]
        assert (asked["role"], answered["role"]) == ("user", "assistant")
        assert [part["type"] for part in asked["content"]] == ["image", "text"]
        assert asked["content"][1]["text"] == one.prompt
        (path,) = row["images"]
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == one.image_sha256
        said = answered["content"][0]["text"]
        if one.options:
            assert extract_choice(said, list(one.options)).index == one.answer_index
        else:
            assert said == one.answer


def test_pictures_are_there_once_and_no_others(folder: Path) -> None:
    named = {path for name in SCENARIOS for row in rows_of(folder, name) for path in row["images"]}
    there = {f"images/{path.name}" for path in (folder / "images").iterdir()}
    assert there == named
    assert {Image.open(folder / path).format for path in there} == {"PNG"}


def test_what_the_consensus_drops_is_not_taught(source: Source, tmp_path: Path) -> None:
    given = (example(0), example(1, kept=False), example(2))
    told = Told(params(["clean"]), source.data, given=tuple(
        with_level(one) for one in given
    ))  # fmt: skip
    assert write(told, tmp_path) == {"clean": 2}
    assert [row["id"] for row in rows_of(tmp_path, "clean")] == [given[0].item_id, given[2].item_id]
    assert len([*(tmp_path / "images").iterdir()]) == 2


def with_level(one: Any) -> Any:
    one.scene["level"] = "hard"
    return one


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_in_their_line(source: Source, tmp_path: Path, text: str) -> None:
    one = with_level(example(0, options=(text, "b"), answer=text, answer_index=0, prompt=text))
    write(Told(params(["clean"]), source.data, given=(one,)), tmp_path)
    (row,) = rows_of(tmp_path, "clean")
    assert row == json.loads(json.dumps(chat(one)))
    assert row["messages"][1]["content"][0]["text"] == f"(A) {text}"


def test_a_reader_of_data_sets_takes_it_as_it_is(folder: Path) -> None:
    datasets = pytest.importorskip("datasets")
    found = datasets.Dataset.from_list(rows_of(folder, "clean"))
    assert {"id", "images", "messages", "scene_id", "subtask", "level"} == {*found.column_names}
    assert found[0]["messages"][1]["role"] == "assistant"


def test_equal_snapshots_give_equal_bytes(source: Source, folder: Path, tmp_path: Path) -> None:
    assert files(written(source, tmp_path, "sft_chat")) == files(folder)
    readme = (folder / "README.md").read_text()
    assert "is no model under test of it" in readme and "`print-attack`" in readme
