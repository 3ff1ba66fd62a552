"""Replies with thoughts, invented turns, several letters, verdicts and repeated prompts.

tests/data/replies/texts.jsonl holds them with the option that a careful reader says is meant. They
were written, and their readings decided, by people who had not seen the code that reads them.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.stages.replies.answer_text import final_answer, read_parts
from lvlmbench.stages.score.choice import extract_choice

TEXTS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/replies/texts.jsonl")
    .read_text("utf-8")
    .split("\n")
    if line
]


def test_no_text_is_read_as_another_option_than_the_one_that_is_meant() -> None:
    wrong, unread, kinds = [], [], Counter[str]()
    for row in TEXTS:
        kinds[row["kind"]] += 1
        found = extract_choice(final_answer(row["answer"], row["prompt"]), row["options"]).index
        if found is not None and found != row["meant"]:
            wrong.append(row["id"])
        elif found is None and row["meant"] is not None:
            unread.append(row["id"])
    assert not wrong
    assert len(unread) <= 0.01 * len(TEXTS)
    assert len(TEXTS) >= 1550 and min(kinds.values()) >= 310


def test_what_was_cut_stays_cut() -> None:
    for row in TEXTS:
        once = final_answer(row["answer"], row["prompt"])
        again = extract_choice(final_answer(once, row["prompt"]), row["options"])
        assert again == extract_choice(once, row["options"]), row["id"]


@pytest.mark.parametrize(
    ("reply", "thought", "answer"),
    [
        ("A cat on a mat.", None, "A cat on a mat."),
        ("A cat.<|im_end|>\n<|im_start|>user\nMore?<|im_end|>", None, "A cat."),
        ("[THINK]a dog?[/THINK]A cat.", "a dog?", "A cat."),
        ("◁think▷a dog? a", "a dog? a", ""),
        ("It is <|begin_of_box|>blue<|end_of_box|>.", None, "It is [[blue]]."),
        ("<answer>A cat.</answer>", None, "A cat."),
        ("A cat.assistant\n\nA dog.", None, "A cat."),
        ("analysisWe see a cat.assistantfinalA cat.", "We see a cat.", "A cat."),
        ('A sign that says "User: admin".', None, 'A sign that says "User: admin".'),
        ("[Summary] A cat on a mat.", None, "[Summary] A cat on a mat."),
        ("Not <s>a dog</s> but a cat.", None, "Not <s>a dog</s> but a cat."),
    ],
)
def test_descriptions_lose_nothing_but_what_is_no_part_of_them(
    reply: str, thought: str | None, answer: str
) -> None:
    assert read_parts(reply) == (thought, answer)


_MARKS = [
    *("<think>", "</think>", "[THINK]", "<|im_end|>", "\nuser\n", "assistant\n", "ASSISTANT:"),
    *("<answer>", "</answer>", "\n\n", "(B) ", "### Human:", "<|channel|>final<|message|>"),
]


@given(st.lists(st.sampled_from(_MARKS) | st.text(max_size=5), max_size=12).map("".join), st.text())
def test_any_text_is_read(reply: str, prompt: str) -> None:
    parts = read_parts(reply, prompt)
    assert isinstance(parts.answer, str)
    assert extract_choice(reply, ["a", "b"]).index in (None, 0, 1)


def test_long_replies_take_no_longer_than_they_are() -> None:
    """A pattern that searches the whole text once a place would not end here."""
    for part in ("<think>(A) or (B)? ", "(B)\nuser\n", "A ✗ B ✓ ", "<|x|>", "What is it?\n"):
        final_answer(part * 20_000, "What is it?\nOptions:\n(A) a\n(B) b\nGive the letter.")


@pytest.mark.parametrize(
    "text",
    [
        "The objects are:\n\nHuman: 1\nDog: 2\nCar: 3",
        "### Human\nA man stands.\n### Animal\nA dog runs.",
        "## Summary\nA cat.\n\n## Question\nWhy?\n\n## Answer\nUnknown.",
        "The picture shows a login form.\nUser: admin\nPassword: ****",
        "In two columns.\n\n**Human:** slow\n**AI:** fast",
        "Model: BMW X5\nColor: red",
        "The image is a table of roles:\nadmin\nuser\nguest",
        "A poster with the word [THINK] on it. A man stands beside it.",
        "The T-shirt reads `</think>`. A man wears it.",
        "<summary>A cat on a mat.</summary>",
        "The keyboard shows the keys [option] and [command].",
        "The wall has [INST] painted on it, in red.",
        "analysis: The image shows a cat.",
    ],
)
def test_descriptions_of_such_words_stay_whole(text: str) -> None:
    assert read_parts(text, "Describe the image in detail.") == (None, text)


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ("Is the man wearing a red jacket or a green jacket?", "A green jacket."),
        ("Is it a passenger train or a freight train?", "a freight train, since it has wagons"),
        ("Which is it?\n(A) on the left side\n(B) on the right side", "(B) on the right side"),
        ("What is the number on the red bus?", "The number on the red bus is 42"),
        ("There is a watercolor painting.\nTrue or false?", "There is a watercolor painting."),
    ],
)
def test_words_of_the_question_are_no_echo(prompt: str, reply: str) -> None:
    assert final_answer(reply, prompt) == reply


@pytest.mark.parametrize(
    ("options", "answer", "index"),
    [
        (["10 %", "20 %", "30 %", "40 %"], "Answer: B (20%), not D (40%).", 1),
        (["10 %", "20 %", "30 %", "40 %"], "I choose B (20%) over C (30%).", 1),
        (["3 points", "5 points", "7 points"], "B (5 points), not C (7 points)", 1),
        (["high", "low", "medium"], "A is high and B is low. The answer is C.", 2),
        (["cat", "dog", "fox"], "A > B > C. The answer is C.", 2),
    ],
)
def test_numbers_of_the_options_are_no_verdicts(
    options: list[str], answer: str, index: int
) -> None:
    assert extract_choice(answer, options).index == index
