"""Replies of many styles to questions with options, statements and short answers.

tests/data/replies/readings.jsonl holds them with the reading that a careful person gives them. They
were written, and their readings decided, by people who had not seen the code that reads them.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.stages.replies.answer_text import final_answer
from lvlmbench.stages.score.choice import extract_choice
from lvlmbench.stages.score.short import is_right, read_short

READINGS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/replies/readings.jsonl")
    .read_text("utf-8")
    .split("\n")
    if line
]


def _read(row: dict[str, Any]) -> int | str | None:
    said = final_answer(row["answer"], row["prompt"])
    if row["kind"] != "short":
        return extract_choice(said, row["options"], row["prompt"]).index
    found = read_short(said, row["accepted"], row["prompt"]).said
    if found is None:
        return None
    return "right" if is_right(found, row["accepted"]) else "wrong"


def test_no_reply_is_read_as_another_option_than_the_one_that_is_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds, wrong, unread = Counter[str](), [], []
    for row in READINGS:
        kinds[row["kind"]] += 1
        found = _read(row)
        if found is not None and found != row["meant"]:
            wrong.append(row["id"])
        elif found != row["meant"]:
            unread.append(row["id"])
    with capsys.disabled():
        print(f"\n{len(unread)} of {len(READINGS)} readings are left unread", end="")
    assert wrong == []
    assert len(unread) <= 0.004 * len(READINGS)
    assert len(READINGS) >= 275 and min(kinds.values()) >= 55
