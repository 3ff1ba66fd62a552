"""Replies of many styles to questions with options, statements and short answers.

tests/data/replies/readings.jsonl holds them with the reading that a careful person gives them. They
were written, and their readings decided, by people who had not seen the code that reads them; those
whose name begins with s by its author, before it was run on them.
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
    assert len(unread) <= 0.02 * len(READINGS)
    assert len(READINGS) >= 789 and min(kinds.values()) >= 161


@pytest.mark.parametrize(
    "reply",
    [
        "There are two dogs.",
        "The cat has 4 legs.",
        "Room 3",
        "It is in Room 3.",
        "3%",
        "No fewer than 3 cats.",
        "Can't see it. B?",
    ],
)
def test_a_number_of_something_else_is_no_answer(reply: str) -> None:
    asked = "How many cats are in the image?"
    prompt = f"{asked}\nOptions:\n(A) 2\n(B) 3\n(C) 4\n(D) 5"
    assert extract_choice(reply, ["2", "3", "4", "5"], prompt).index is None
    assert read_short(reply, ["3", "three"], asked).said is None


@pytest.mark.parametrize(
    "reply",
    ["3 cats", "Three kittens.", "There are 2 dogs and 3 cats.", "3 small gray striped cats", "3"],
)
def test_a_number_of_what_is_asked_for_is_an_answer(reply: str) -> None:
    asked = "How many cats are in the image?"
    prompt = f"{asked}\nOptions:\n(A) 2\n(B) 3\n(C) 4\n(D) 5"
    assert extract_choice(reply, ["2", "3", "4", "5"], prompt).index == 1
    assert read_short(reply, ["3", "three"], asked).said == "3"


@pytest.mark.parametrize("color", ["white", "red", None])
def test_a_color_is_that_of_the_thing_that_is_asked_about(color: str | None) -> None:
    options = ["white", "red", "blue"]
    thing = {"white": "door", "red": "handle of the door", None: "car"}[color]
    for reply in (
        "The door is white, but the handle is red.",
        "The handle is red, while the door is white.",
    ):
        asked = f"What color is the {thing}?"
        prompt = f"{asked}\nOptions:\n(A) white\n(B) red\n(C) blue"
        index = extract_choice(reply, options, prompt).index
        assert (None if index is None else options[index]) == color
        assert read_short(reply, [color or "blue"], asked).said == color


@pytest.mark.parametrize("options", [["X", "Y", "not visible"], ["Yes", "No", "unclear"]])
def test_an_option_alone_is_that_option(options: list[str]) -> None:
    for index, option in enumerate(options):
        for reply in (option, f"{option}."):
            assert extract_choice(reply, options, "Which letter is on the door?").index == index


@pytest.mark.parametrize(
    ("asked", "options", "reply", "meant"),
    [
        ("Which material is it?", ["wooden", "woolen"], "It is wollen.", 1),
        ("What is she doing?", ["kissing", "hugging"], "She is kicking a ball.", None),
        ("Which film is it?", ["Friends", "Up"], "two friends who talk", None),
        ("Which word is it?", ["STOP", "EXIT"], "the sign says stop", 0),
        ("Which animal is shown?", ["dog", "cat"], "A dog and a cat in the background.", 0),
        ("What is in the background?", ["dog", "cat"], "A dog, and a cat in the background.", 1),
        ("Who is the lowest?", ["Kim", "Lee"], "Lee is the highest and Kim is the lowest.", 0),
        ("How old is he?", ["20-30", "40-50"], "He is about 45.", 1),
        ("How old is he?", ["20-30", "30-40"], "He is 30.", None),
        ("Which fruit is it?", ["apple", "pear"], "A. B.", None),
    ],
)
def test_an_option_is_told_from_what_only_resembles_it(
    asked: str, options: list[str], reply: str, meant: int | None
) -> None:
    listed = "\n".join(f"({letter}) {o}" for letter, o in zip("AB", options, strict=True))
    assert extract_choice(reply, options, f"{asked}\nOptions:\n{listed}").index == meant
