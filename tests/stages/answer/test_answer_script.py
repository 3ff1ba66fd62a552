"""scripts/answer.py as a process: rows, order, resume, errors."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.answer.answering import answer_rows, make_items
from lvlmbench.stages.answer.chat.protocol import request_body
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.suites.instructions import prompts_of
from support.answer_tables import (
    KEY,
    OPTIONS,
    openai_params,
    params,
    running_server,
    stats,
    write_shard,
)
from support.one_line import assert_one_line

DYSCA = prompts_of(Params())

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def rows(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = tables.read(
        [folder / "answers.parquet"], tables.ANSWERS
    ).to_pylist()
    return found


@pytest.mark.long
def test_chance_end_to_end_is_exact(tmp_path: Path, run_python: Command, root: Path) -> None:
    config = params([{"name": "chance", "engine": "chance"}])
    arguments = write_shard(tmp_path, 5, config)
    hashes = set()
    for _ in range(2):
        result = run_python(root / "scripts/answer.py", "--model", "chance", *arguments)
        assert result.returncode == 0, result.stderr
        hashes.add((tmp_path / "answers.parquet").read_bytes())
    assert len(hashes) == 1
    assert not (tmp_path / ".lvlmbench").exists()
    assert [r["question_id"] for r in rows(tmp_path)] == [
        item_id(kind, i) for i in range(5) for kind in "qf"
    ]


@pytest.mark.long
def test_all_behaviors_resume_and_no_key_anywhere(
    tmp_path: Path, run_python: Command, root: Path
) -> None:
    with running_server("--key", KEY) as url:
        arguments = write_shard(tmp_path, 30, openai_params(url, "mixed"))

        def run() -> subprocess.CompletedProcess[str]:
            script = root / "scripts/answer.py"
            return run_python(script, "--model", "m", *arguments, cwd=tmp_path, TEST_KEY=KEY)

        first = run()
        assert first.returncode == 0, first.stderr
        asked = stats(url)["asked"]
        found = rows(tmp_path)
        assert len(found) == len(asked) == 60
        assert [r["question_id"] for r in found] == [
            item_id(kind, i) for i in range(30) for kind in "qf"
        ]
        assert {r["status"] for r in found} == {"answered", "refused", "error"}
        assert all(
            (r["error"] is not None) == (r["status"] == "error") or r["status"] == "refused"
            for r in found
        )
        assert "m/clean: 60/60 answered" in first.stderr

        # Again: only what failed is asked again.
        second = run()
        assert second.returncode == 0, second.stderr
        failed = sum(r["status"] == "error" for r in found)
        more = sum(stats(url)["asked"].values()) - sum(asked.values())
        assert failed > 0 and more == failed
        kept = [r for r in found if r["status"] != "error"]
        assert [r for r in rows(tmp_path) if r["status"] != "error"] == kept
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    assert KEY not in first.stderr + first.stdout + second.stderr + second.stdout


@pytest.mark.long
def test_a_new_image_is_a_new_question(tmp_path: Path, run_python: Command, root: Path) -> None:
    with running_server() as url:
        arguments = write_shard(tmp_path, 3, openai_params(url, "letter-A", api_key_env=None))
        script = root / "scripts/answer.py"
        assert run_python(script, "--model", "m", *arguments, cwd=tmp_path).returncode == 0
        path = tmp_path / "images" / "part-00000.parquet"
        images = tables.read([path], tables.IMAGES).to_pylist()
        images[1]["image"]["bytes"] += b"\0"
        images[1]["sha256"] = "0" * 64
        tables.write_rows(images, path, tables.IMAGES, "x")
        assert run_python(script, "--model", "m", *arguments, cwd=tmp_path).returncode == 0
        # The two questions of the image that changed, and nothing else.
        assert sum(stats(url)["asked"].values()) == 6 + 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("model", "key", "part"),
    [
        ("letter-A", None, "environment variable TEST_KEY"),
        ("letter-A", "sk-wrong-key-of-some-length", "HTTP 401"),
        ("nonesuch", KEY, "HTTP 404"),
        ("status-403", KEY, "HTTP 403"),
        ("status-400", KEY, "its server takes no request as it is sent: HTTP 400: this is how it"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(
    tmp_path: Path, run_python: Command, root: Path, model: str, key: str | None, part: str
) -> None:
    with running_server("--key", KEY) as url:
        arguments = write_shard(tmp_path, 3, openai_params(url, model))
        result = run_python(
            root / "scripts/answer.py", "--model", "m", *arguments, cwd=tmp_path, TEST_KEY=key or ""
        )
    assert_one_line(result, part)
    assert not (tmp_path / "answers.parquet").exists()
    assert key is None or key not in result.stderr


def test_an_unknown_model_is_one_line(tmp_path: Path, run_python: Command, root: Path) -> None:
    arguments = write_shard(tmp_path, 1, params([{"name": "chance", "engine": "chance"}]))
    result = run_python(root / "scripts/answer.py", "--model", "chanse", *arguments)
    assert_one_line(result, "there is no model 'chanse'", "use one of: chance")


def _tables(folder: Path) -> tuple[object, object, object]:
    return tuple(  # type: ignore[return-value]
        pq.read_table(folder / name / "part-00000.parquet")
        for name in ("images", "verdicts", "questions")
    )


def _changed(table: Any, schema: Any, at: int, **values: Any) -> Any:
    """The table with other values in one row."""
    rows = table.to_pylist()
    rows[at] |= values
    return schema.of(rows)


def test_dropped_and_missing_images_are_not_asked_about(tmp_path: Path) -> None:
    write_shard(tmp_path, 4, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    verdicts = _changed(verdicts, tables.VERDICTS, 2, keep=False)
    images = images.slice(1)  # type: ignore[attr-defined]
    items = make_items(images, verdicts, questions, ["render"], DYSCA)
    assert [i.question_id for i in items] == [item_id(k, n) for n in (1, 3) for k in "qf"]
    assert items[0].options == tuple(OPTIONS) and "(B) red fox" in items[0].prompt


def test_questions_about_an_image_share_its_bytes(tmp_path: Path) -> None:
    write_shard(tmp_path, 2, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    items = make_items(images, verdicts, questions, ["render"], DYSCA)
    assert len(items) == 4
    assert {len({id(i.image) for i in items if i.scene_id == s.scene_id}) for s in items} == {1}
    assert len({id(i.image) for i in items}) == 2


def test_an_image_of_a_question_goes_with_it_alone(tmp_path: Path) -> None:
    write_shard(tmp_path, 2, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    images = _changed(images, tables.IMAGES, 1, question_id=item_id("f", 1))
    items = make_items(images, verdicts, questions, [], DYSCA)
    assert [i.question_id for i in items] == [item_id("q", 0), item_id("f", 0), item_id("f", 1)]


def test_filters_judge_the_scene_in_every_scenario(tmp_path: Path) -> None:
    """Other scenarios have images of their own, and are asked about the scenes that clean keeps."""
    write_shard(tmp_path, 2, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    verdicts = _changed(verdicts, tables.VERDICTS, 0, keep=False)
    rows = [row | {"image_id": f"x{i}"} for i, row in enumerate(images.to_pylist())]  # type: ignore[attr-defined]
    images = tables.IMAGES.of(rows)
    items = make_items(images, verdicts, questions, ["render"], DYSCA)
    assert [(i.question_id, i.image_id) for i in items] == [(item_id(k, 1), "x1") for k in "qf"]


def test_several_images_of_a_scene_are_each_asked_about(tmp_path: Path) -> None:
    config = params([{"name": "chance", "engine": "chance"}])
    write_shard(tmp_path, 2, config)
    images, verdicts, questions = _tables(tmp_path)
    rows = [
        row | {"image_id": f"{row['image_id']}-{severity}"}
        for row in images.to_pylist()  # type: ignore[attr-defined]
        for severity in (1, 2, 3)
    ]
    images = tables.IMAGES.of(rows)
    items = make_items(images, verdicts, questions, ["render"], DYSCA)
    pairs = [(i.question_id, i.image_id) for i in items]
    assert pairs == [
        (item_id(k, n), f"{item_id('i', n)}-{severity}")
        for n in (0, 1)
        for k in "qf"
        for severity in (1, 2, 3)
    ]
    model = MODELS.get("chance", "test")(config, config.answer.models[0], {})
    answers = answer_rows(model, items, None, "chance", "corruption_curve")
    assert [(row["question_id"], row["image_id"]) for row in answers] == pairs


def test_where_there_is_no_image_the_question_is_asked_alone(tmp_path: Path) -> None:
    write_shard(tmp_path, 1, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    rows = [row | {"image": None, "sha256": None} for row in images.to_pylist()]  # type: ignore[attr-defined]
    images = tables.IMAGES.of(rows)
    items = make_items(images, verdicts, questions, ["render"], DYSCA)
    assert [(i.image, i.image_sha256) for i in items] == [(None, None)] * 2
    (turn,) = json.loads(request_body({"model": "x"}, items[0], "auto"))["messages"]
    assert [part["type"] for part in turn["content"]] == ["text"]


def test_a_filter_that_has_not_judged_is_an_error(tmp_path: Path) -> None:
    write_shard(tmp_path, 2, params([{"name": "chance", "engine": "chance"}]))
    images, verdicts, questions = _tables(tmp_path)
    with pytest.raises(UserError, match="filter 'clip'"):
        make_items(images, verdicts, questions, ["render", "clip"], DYSCA)
