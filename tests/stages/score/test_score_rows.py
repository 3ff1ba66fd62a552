"""From answers to scores: which are scored, and how."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.score.captions import Compare, Pair
from lvlmbench.stages.score.rows import Asked, score_rows
from lvlmbench.stages.score.strategy import STRATEGIES
from support.answer_tables import openai_params, params, running_server, write_shard
from support.one_line import assert_one_line

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def _never(pairs: Sequence[Pair]) -> list[float]:
    raise AssertionError("no caption is to be compared")


def _score(
    folder: Path,
    answers: list[dict[str, object]],
    compare: Compare = _never,
    strategy: str = "lvlmbench",
    prompts: bool = False,
) -> list[dict[str, object]]:
    write_shard(folder, 8, params([{"name": "chance", "engine": "chance"}]))
    rows = [
        {"model": "m", "scenario": "clean", "status": "answered", "text": "", "image_id": "i"} | a
        for a in answers
    ]
    shown = [{"image_id": "i"}, {"image_id": "j", "perturbation": {"kind": "blur", "severity": 3}}]
    asked = Asked(
        tables.read(folder / "questions", tables.QUESTIONS),
        tables.read(folder / "scenes", tables.SCENES),
        tables.IMAGES.of(shown),
        prompts=prompts,
    )
    given = tables.ANSWERS.of(rows)
    scored = score_rows(given, asked, compare, strategy)
    assert scored.schema == tables.SCORES.schema
    found: list[dict[str, object]] = scored.to_pylist()
    return found


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


def test_captions_are_compared_with_the_prompt_where_that_is_wanted(tmp_path: Path) -> None:
    """Of the closed questions, what is right stays the same."""
    asked: list[Pair] = []

    def compare(pairs: Sequence[Pair]) -> list[float]:
        asked.extend(pairs)
        return [50.0] * len(pairs)

    answers: list[dict[str, object]] = [
        {"question_id": item_id("q", 0), "text": "(B)"},
        {"question_id": item_id("f", 1), "text": "A thing."},
    ]
    captions, prompts = (
        _score(tmp_path / str(wanted), answers, compare, prompts=wanted) for wanted in (False, True)
    )
    assert captions == prompts
    scenes = tables.read(tmp_path / "True" / "scenes", tables.SCENES).to_pylist()
    (caption, _), (prompt, _) = asked
    assert prompt in {scene["prompt"] for scene in scenes}
    assert prompt != caption


def test_captions_are_compared_and_refusals_are_not(tmp_path: Path) -> None:
    asked: list[Pair] = []

    def compare(pairs: Sequence[Pair]) -> list[float]:
        asked.extend(pairs)
        return [10.0 * (1 + i) for i in range(len(pairs))]

    refusal = "I'm sorry, but I can't help with that."
    texts = ["A fox.", refusal, "An owl.", " ", "\x00\u200b\n", "<|im_end|>"]
    rows = _score(
        tmp_path,
        [{"question_id": item_id("f", i), "text": text} for i, text in enumerate(texts)]
        + [{"question_id": item_id("f", 6), "text": "A fox.", "status": "refused"}],
        compare,
    )
    assert [(r["scored"], r["similarity"], r["parse_method"]) for r in rows] == [
        (True, 10.0, None),
        (False, None, "refusal"),
        (True, 20.0, None),
        *[(False, None, None)] * 4,
    ]
    assert [said for _, said in asked] == ["A fox.", "An owl."]
    assert {reference for reference, _ in asked} == {
        "A red fox on a beach, in the style of a watercolor."
    }


def test_thoughts_are_no_part_of_a_caption(tmp_path: Path) -> None:
    asked: list[Pair] = []

    def compare(pairs: Sequence[Pair]) -> list[float]:
        asked.extend(pairs)
        return [50.0] * len(pairs)

    thought = "A sofa? A cat? " * 300
    texts = [
        f"<think>{thought}</think>\nA fox.",
        f"{thought}</think>An owl.",
        f"<think>{thought}</think>\n\nI'm sorry, but I can't help with that.",
        f"<think>{thought}",
        "<think></think>",
    ]
    given: list[dict[str, object]] = [
        {"question_id": item_id("f", i), "text": text} for i, text in enumerate(texts)
    ]
    rows = _score(tmp_path, given, compare)
    assert [said.strip() for _, said in asked] == ["A fox.", "An owl."]
    found = [(r["scored"], r["parse_method"]) for r in rows]
    assert found == [(True, None)] * 2 + [(False, "refusal"), (False, None), (False, None)]


def test_choices_are_read_by_the_strategy(tmp_path: Path) -> None:
    answer = {"question_id": item_id("q", 0), "text": "(A)", "logprobs": [-3.0, -0.1, None, -9.0]}
    (by_text,) = _score(tmp_path, [answer])
    (by_logprobs,) = _score(tmp_path, [answer], strategy="logprobs")
    assert (by_text["parsed_index"], by_text["parse_method"]) == (0, "letter")
    assert (by_logprobs["parsed_index"], by_logprobs["parse_method"]) == (1, "logprobs")
    # The paper's rule always chooses; what failed has no answer even so.
    failed: dict[str, object] = {"question_id": item_id("q", 0), "status": "timeout"}
    vague: dict[str, object] = {"question_id": item_id("q", 0), "text": "Who knows?"}
    rows = _score(tmp_path, [failed, vague], strategy="dysca")
    assert [row["scored"] for row in rows] == [False, True]


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_that_no_option_fits_is_told_whatever_the_strategy(tmp_path: Path, strategy: str) -> None:
    likely = [-3.0, -0.1, None, -9.0]
    said: dict[str, object] = {"question_id": item_id("q", 0), "text": "None of the options."}
    cut = {**said, "status": "truncated", "logprobs": likely}
    rows = _score(tmp_path, [said, {**said, "logprobs": likely}, cut], strategy=strategy)
    assert [r["parse_method"] for r in rows[:2]] == ["none_of_options"] * 2
    # A strategy that chooses even so is scored by what it makes of it.
    assert [r["scored"] for r in rows] == [r["parsed_index"] is not None for r in rows]
    assert rows[2]["parse_method"] != "none_of_options", "more might have followed"


def test_logprobs_that_fit_no_options_are_one_line(tmp_path: Path) -> None:
    answer = {"question_id": item_id("q", 0), "text": "(A)", "logprobs": [-3.0]}
    with pytest.raises(UserError, match=r"'m' in scenario 'clean'.* 1 logprobs for the 4 options"):
        _score(tmp_path, [answer])


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


@pytest.mark.long
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
