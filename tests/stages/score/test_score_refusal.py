"""Refusals of free-form questions: labelled ones, and captions that only sound like them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.stages.score.refusal import is_refusal

LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "refusals.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.mark.parametrize("row", LABELLED, ids=lambda row: row["text"][:40])
def test_labelled_refusals(row: dict[str, str | bool]) -> None:
    assert is_refusal(str(row["text"])) == row["refusal"]


@pytest.mark.parametrize("row", [r for r in LABELLED if r["refusal"]], ids=lambda r: r["text"][:40])
def test_a_refusal_that_describes_the_image_as_well_is_a_caption(row: dict[str, str]) -> None:
    described = "The image shows two red foxes in a dense forest."
    assert not is_refusal(f"{row['text']} {described}")
    assert not is_refusal(f"{described} {row['text']}")
    assert not is_refusal(f"{row['text']}\n\n{described}")


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "fox", "the", "sits", "in", "red", "forest", "and", "runs"])))
def test_plain_captions_are_no_refusals(words: list[str]) -> None:
    assert not is_refusal(" ".join(words))


@pytest.mark.parametrize("unit", ["I can't help with that. ", "sorry, ", "as an AI ", "\n", "but "])
def test_a_long_text_is_no_refusal(unit: str) -> None:
    assert not is_refusal(unit * (100_000 // len(unit)))
