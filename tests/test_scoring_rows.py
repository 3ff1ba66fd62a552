"""From answers to scores: which are scored, and how captions are compared."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from answer_tables import openai_params, params, running_server, write_shard
from one_line import assert_one_line

from lvlmbench import tables
from lvlmbench.errors import UserError
from lvlmbench.scoring.captions import Encode, load_encoder, similarities
from lvlmbench.scoring.rows import score_rows
from lvlmbench.seeding import item_id

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def encode() -> Encode:
    return load_encoder("packaged:all-MiniLM-L6-v2")


CAPTIONS = [
    "A red fox on a sandy beach, in the style of a watercolor.",
    "A watercolor painting of a fox standing on a beach.",
    "Two angry elderly people in a kitchen.",
    "",
    "fox " * 400,
    "\x00 <script>alert(1)</script> \U0001f98a",
]


def test_similarity_tells_captions_apart(encode: Encode) -> None:
    same, close, far = similarities([(CAPTIONS[0], CAPTIONS[i]) for i in range(3)], encode, 64)
    assert same == 100.0
    assert close > 75 > 40 > far >= 0


def test_similarity_does_not_depend_on_company(encode: Encode) -> None:
    pairs = [(a, b) for a in CAPTIONS for b in CAPTIONS]
    whole = similarities(pairs, encode, 64)
    assert whole == similarities(pairs[::-1], encode, 3)[::-1]
    assert whole[7:10] == [similarities([pair], encode, 1)[0] for pair in pairs[7:10]]
    assert all(0 <= s <= 100 and round(s, 4) == s for s in whole)


def test_negative_cosine_counts_as_zero() -> None:
    def opposite(texts: list[str], _: int) -> np.ndarray:
        return np.array([[1.0, 0.0] if t == "a" else [-2.0, 0.1] for t in texts])

    assert similarities([("a", "b"), ("a", "a"), ("b", "b")], opposite, 2) == [0.0, 100.0, 100.0]
    assert similarities([], opposite, 2) == []


@pytest.mark.parametrize("name", ["packaged:unknown", "./no/such/folder"])
def test_an_encoder_that_is_not_there_is_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match=r"score\.caption_encoder"):
        load_encoder(name)


def _score(folder: Path, answers: list[dict[str, object]]) -> list[dict[str, object]]:
    write_shard(folder, 8, params([{"name": "chance", "engine": "chance"}]))

    def never() -> Encode:
        raise AssertionError("no caption is to be compared")

    rows = [
        {"model": "m", "scenario": "clean", "status": "answered", "text": "", "image_id": "i"} | a
        for a in answers
    ]
    shown = [{"image_id": "i"}, {"image_id": "j", "perturbation": {"kind": "blur", "severity": 3}}]
    return score_rows(
        pa.Table.from_pylist(rows, schema=tables.ANSWERS),
        tables.read(folder / "questions", tables.QUESTIONS),
        tables.read(folder / "scenes", tables.SCENES),
        pa.Table.from_pylist(shown, schema=tables.IMAGES),
        never,
        64,
    )


def test_what_is_scored(tmp_path: Path) -> None:
    answers: list[dict[str, object]] = [
        {"question_id": item_id("q", 0), "text": "(B)"},
        {"question_id": item_id("q", 1), "text": "(A)"},
        {"question_id": item_id("q", 2), "text": "a red foks"},
        {"question_id": item_id("q", 3), "text": "none of the options"},
        {"question_id": item_id("q", 4), "text": ""},
        # Whatever text came with it: a refusal or a failure is no answer.
        {"question_id": item_id("q", 5), "text": "(B)", "status": "refused"},
        {"question_id": item_id("q", 6), "text": "", "status": "timeout"},
        {"question_id": item_id("f", 7), "text": "  \n"},
    ]
    rows = _score(tmp_path, answers)
    kept = [(r["scored"], r["correct"], r["parsed_index"], r["parse_method"]) for r in rows]
    assert kept == [
        (True, True, 1, "letter"),
        (True, False, 0, "letter"),
        (True, True, 1, "edit_distance"),
        (False, None, None, "none_of_options"),
        (False, None, None, "none"),
        (False, None, None, "none"),
        (False, None, None, "none"),
        (False, None, None, None),
    ]
    assert [r["style"] for r in rows][:3] == ["style 0", "style 1", "style 2"]


def test_answers_of_another_corpus_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="this corpus does not"):
        _score(tmp_path, [{"question_id": "unknown", "text": "(B)"}])


def test_images_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    answer = {"question_id": item_id("q", 0), "text": "(B)", "image_id": "unknown"}
    with pytest.raises(UserError, match="this scenario does not have"):
        _score(tmp_path, [answer])


def test_what_was_done_to_the_image_is_noted(tmp_path: Path) -> None:
    asked = {"question_id": item_id("q", 0), "text": "(B)"}
    rows = _score(tmp_path, [asked, {**asked, "image_id": "j"}])
    kept = [(r["image_id"], r["perturbation"], r["severity"]) for r in rows]
    assert kept == [("i", None, None), ("j", "blur", 3)]


def test_answer_then_score_as_processes(tmp_path: Path, run_python: Command, root: Path) -> None:
    with running_server() as url:
        config = openai_params(url, "letter-B", api_key_env=None)
        arguments = write_shard(tmp_path, 6, config)
        script = root / "scripts/answer.py"
        result = run_python(script, "--model", "m", *arguments, cwd=tmp_path)
        assert result.returncode == 0, result.stderr

    def score(model: str, out: str) -> subprocess.CompletedProcess[str]:
        return run_python(
            root / "scripts/score.py",
            *("--config", tmp_path / "config.json", "--model", model, "--scenario", "clean"),
            *("--answers", tmp_path / "answers.parquet", "--out", tmp_path / out),
            *("--questions", tmp_path / "questions/part-00000.parquet"),
            *("--scenes", tmp_path / "scenes/part-00000.parquet"),
            *("--images", tmp_path / "images/part-00000.parquet"),
        )

    assert_one_line(score("n", "none"), "--answers: some are of 'm' in scenario 'clean'")
    assert not (tmp_path / "none").exists()
    for out in ("scores1.parquet", "scores2.parquet"):
        result = score("m", out)
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "scores1.parquet").read_bytes() == (
        tmp_path / "scores2.parquet"
    ).read_bytes()
    rows = tables.read([tmp_path / "scores1.parquet"], tables.SCORES).to_pylist()
    assert len(rows) == 12 and all(r["scored"] for r in rows)
    assert all(r["correct"] for r in rows if r["question_type"] == "multiple_choice")
    assert all(0 <= r["similarity"] < 60 for r in rows if r["question_type"] == "free_form")
