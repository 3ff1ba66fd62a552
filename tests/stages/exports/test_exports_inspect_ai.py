"""The export for inspect_ai, loaded and run by inspect_ai itself, offline, with mockllm."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.stages.exports.export import Example, Source
from lvlmbench.stages.exports.kinds.inspect_ai.samples import IMAGES
from support.exports_made import (
    HOSTILE,
    ROOT,
    SCENARIOS,
    Told,
    build,
    example,
    files,
    params,
    run,
    written,
)

Row = dict[str, Any]
REFUSES = "I'm sorry, but I can't help with that."
BOTH = "Both (A) and (B)"
LONG = "A fox\u2028in \t snow, and more snow.\n" * 200


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def folder(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(source, tmp_path_factory.mktemp("exports"), "inspect_ai")


def rows_of(folder: Path, scenario: str) -> list[Row]:
    text = (folder / f"{scenario}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def of_type(source: Source, scenario: str, question_type: str) -> list[Example]:
    return [e for e in source.examples(scenario) if e.question_type == question_type]


def letter(example: Example, by: int = 0) -> str:
    assert example.answer_index is not None
    return "ABCD"[(example.answer_index + by) % len(example.options)]


@pytest.fixture(scope="module")
def asked(source: Source) -> list[Row]:
    """For each task some questions and what is said to them; closed ones: right, wrong, and what
    is no choice."""
    found = []
    for scenario, unread in zip(SCENARIOS, (REFUSES, BOTH), strict=True):
        for kind in ("multiple_choice", "true_false"):
            some = of_type(source, scenario, kind)[:3]
            said = [f"({letter(some[0])})", letter(some[1], 1), unread]
            answers = {e.item_id: text for e, text in zip(some, said, strict=True)}
            found.append({"task": kind, "arguments": {"scenario": scenario}, "answers": answers})
    free = of_type(source, "clean", "free_form")[:2]
    answers = {e.item_id: text for e, text in zip(free, [LONG, " "], strict=True)}
    found.append({"task": "free_form", "arguments": {}, "answers": answers})
    other = of_type(source, "clean", "multiple_choice")[3]
    answers = {other.item_id: f"ANSWER: {letter(other)}"}
    found.append(
        {"task": "multiple_choice", "arguments": {"wording": "inspect"}, "answers": answers}
    )
    return [row | {"task": f"lvlmbench_{row['task']}"} for row in found]


@pytest.fixture(scope="module")
def ran(
    folder: Path, asked: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Row], Path]:
    """What inspect_ai logged for each task, and the folder of its logs."""
    place = tmp_path_factory.mktemp("run")
    moved = shutil.copytree(folder, place / "else where")
    (place / "answers.json").write_text(json.dumps(asked))
    script = ROOT / "tests/support/inspect_ai_run.py"
    lines = run(script, moved, place / "answers.json", place / "logs", home=place / "home")
    assert [(row["task"], row["status"], row["error"]) for row in lines] == [
        (row["task"], "success", None) for row in asked
    ]
    return lines, place / "logs"


def test_models_are_sent_the_image_and_the_prompt_of_the_snapshot(
    source: Source, ran: tuple[list[Row], Path]
) -> None:
    examples = {e.item_id: e for s in SCENARIOS for e in source.examples(s)}
    *own, others = ran[0]
    for sample in (sample for log in own for sample in log["samples"]):
        made = examples[sample["id"]]
        url = "data:image/png;base64," + base64.b64encode(made.image).decode()
        assert sample["text"] == made.prompt
        assert sample["images"] == [hashlib.sha256(url.encode()).hexdigest()]
    for sample in others["samples"]:  # inspect_ai's own words
        made = examples[sample["id"]]
        assert made.question in sample["text"] and made.prompt not in sample["text"]
        assert f"A) {made.options[0]}" in sample["text"] and len(sample["images"]) == 1


def test_what_cannot_be_read_is_unscored_and_not_wrong(
    asked: list[Row], ran: tuple[list[Row], Path]
) -> None:
    for about, log in zip(asked[:4], ran[0][:4], strict=True):
        found = {sample["id"]: sample["scores"]["letter"] for sample in log["samples"]}
        right, wrong, unread = about["answers"]
        assert found[right][0] == "True" and found[right][1] == about["answers"][right][1]
        assert found[wrong][0] == "False"
        why = "refusal" if about["answers"][unread] == REFUSES else "invalid_response_format"
        assert found[unread] == ["nan", None, why]
        score = log["scores"]["letter"]
        assert (score["accuracy"], score["scored"], score["unscored"]) == ("0.5", 2, 1)
        assert float(score["stderr"]) > 0


def test_descriptions_are_kept_and_have_no_score(ran: tuple[list[Row], Path]) -> None:
    log = ran[0][4]
    assert log["scores"]["description"] == {"similarity": "nan", "scored": 0, "unscored": 2}
    found = {tuple(sample["scores"]["description"]) for sample in log["samples"]}
    assert found == {
        ("nan", LONG, "similarity_not_computed"),
        ("nan", " ", "no_response"),
    }


def test_the_tools_own_solver_and_scorer_read_the_samples(ran: tuple[list[Row], Path]) -> None:
    score = ran[0][5]["scores"]["choice"]
    assert (score["accuracy"], score["scored"]) == ("1.0", 1)


def test_logs_become_answers(
    folder: Path, asked: list[Row], ran: tuple[list[Row], Path], tmp_path: Path
) -> None:
    rows = run(folder / "to_answers.py", ran[1], home=tmp_path / "home")
    said = {item: text for row in asked for item, text in row["answers"].items()}
    assert len(rows) == len(said)
    assert {row["item_id"]: row["answer"] for row in rows} == said
    assert all((row["prompt_tokens"], row["completion_tokens"]) == (7, 2) for row in rows)
    assert not any("status" in row for row in rows)


def test_every_question_is_a_sample(source: Source, folder: Path) -> None:
    shown = set()
    for scenario in SCENARIOS:
        examples, rows = list(source.examples(scenario)), rows_of(folder, scenario)
        assert [row["id"] for row in rows] == [e.item_id for e in examples]
        for row, made in zip(rows, examples, strict=True):
            image, text = row["input"][0]["content"]
            data = (folder / image["image"]).read_bytes()
            assert (data, text["text"]) == (made.image, made.prompt)
            Image.open(io.BytesIO(data)).load()
            shown.add(Path(image["image"]).name)
            if made.options:
                assert row["choices"][ord(row["target"]) - ord("A")] == made.answer
            else:
                assert "choices" not in row and row["target"] == made.answer
            assert row["metadata"]["kept"] == made.kept
    assert {path.name for path in (folder / IMAGES).iterdir()} == shown
    assert (folder / "LICENSE.txt").stat().st_size and (folder / "CREDITS.md").stat().st_size


def test_hostile_texts_stay_on_their_line(source: Source, tmp_path: Path) -> None:
    shown = tuple(
        example(n, question=text, prompt=text, options=("x", text), answer=text)
        for n, text in enumerate(HOSTILE)
    )
    told = Told(params(("clean",)), source.data, given=shown)
    rows = rows_of(written(told, tmp_path, "inspect_ai"), "clean")
    assert [row["input"][0]["content"][1]["text"] for row in rows] == list(HOSTILE)
    assert [row["choices"][1] for row in rows] == list(HOSTILE)


def test_shards_change_no_byte(folder: Path, tmp_path: Path) -> None:
    again = build(tmp_path / "snapshot", shard=11)
    assert files(written(again, tmp_path, "inspect_ai")) == files(folder)
