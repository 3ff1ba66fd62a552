"""Text in the styles of today's models: it is read, or left open, and never mangled."""

from __future__ import annotations

import pytest

from lvlmbench.scene.claims import Feature, Truth, tally
from lvlmbench.stages.judge.judge import Answer
from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical
from lvlmbench.stages.judge.kinds.lexical.reading import readings
from support.reading import told, words


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("**Car** \u2013 red", ["car color red"]),
        ("| Object | Color |\n|---|---|\n| Teapot | dark blue |", ["teapot color dark blue"]),
        ("**Left:** a piano\n**Right:** a harp", ["piano at left", "harp at right"]),
        (
            "### Woman (left)\n- *Age:* elderly\n- **Clothing:** a red coat, blue jeans\n"
            "- Kneeling on one knee",
            ["woman age elderly", "woman wears coat, red", "woman wears jeans, blue",
             "woman does kneel"],
        ),
        (
            "| | Person 1 | Person 2 |\n|---|---|---|\n| Top | red shirt | blue coat |",
            ["person wears shirt, red", "person wears coat, blue"],
        ),
        (
            "The largest is the palm tree, followed by the bus, then the shark.",
            ["palm tree rank 1", "bus rank 2", "shark rank 3"],
        ),
        ("From smallest to largest: a cup, a chair, and a bus.", ["cup rank -1", "chair rank -2"]),
        (
            "1. Upper left: bald boy, smiling; blue jacket, black pants; waving.",
            ["boy wears jacket, blue", "boy wears pants, black", "boy does wave"],
        ),
        (
            "**People in the image (1):**\n\n"
            "1. **Adult woman (top):** blue jeans. Dancing on a mat.",
            ["woman age adult", "woman wears jeans, blue", "woman does dance"],
        ),
        ("**Person 1 (left, about ten years old):** red hat", ["person age child"]),
        ("**Woman (adult)**: red hat", ["woman age adult"]),
        ("There is a scooter whose body is blue.", ["scooter color blue"]),
        ("There is a vase, and its color seems to be green.", ["maybe vase color green"]),
        ("A boot comes next; this one is green.", ["boot color green"]),
        ("**Boy (left):** orange pom-pom beanie", ["boy wears beanie, orange"]),
        ("There is a woman with gray hair who is jumping.", ["woman does jump"]),
        ("A bucket is to the lower right of the tent.", ["bucket below tent",
                                                         "bucket right_of tent"]),
    ],
)  # fmt: skip
def test_it_is_read(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


def test_a_numbered_list_is_an_order_where_one_is_asked_for() -> None:
    question = "Sort all objects by size, the largest first."
    text = "1. Palm tree\n2. Shark"
    ranks = [
        [claim.value for claim in said.claims if claim.kind == "rank"]
        for said in readings([(text, question), (text, "Describe this image.")], words())
    ]
    assert ranks == [["1", "2"], []]


def _judged(text: str, features: list[Feature]) -> tuple[set[str], tuple[str, ...], int]:
    """Verdicts, features that are unsure, and how many are left out for sure."""
    judge, truth = Lexical(words()), Truth(tuple(features))
    answer = Answer("a", "Describe this image.", text, truth)
    [(_, reading)] = judge.read([answer])
    answer = Answer("a", answer.question, text, truth, unread=reading.unread)
    [(_, holding)] = judge.hold([(answer, reading.claims)])
    sums = tally(reading.claims, holding.matches, truth, unsure=holding.unsure)
    return {m.verdict for m in holding.matches}, holding.unsure, sums.owed - sums.covered


CAR = Feature("o1", "object", "car", forms=("car",))
RED = Feature("o1.color", "attribute", "car", "color", value="red", about="o1", forms=("red",))


def test_a_wrong_color_is_wrong_and_leaves_the_right_one_out() -> None:
    verdicts, unsure, left_out = _judged("There is a blue car.", [CAR, RED])
    assert "contradicted" in verdicts
    assert (unsure, left_out) == ((), 1)


def test_what_words_name_that_nobody_knows_is_neither_made_up_nor_left_out() -> None:
    verdicts, unsure, left_out = _judged("There is a zorblatt.", [CAR, RED])
    assert verdicts == {"unverifiable"}
    assert {*unsure} == {"o1", "o1.color"} and left_out == 0


def test_a_part_of_a_thing_is_never_made_up() -> None:
    verdicts, _, _ = _judged("There is a red car with a yellow crown on its roof.", [CAR, RED])
    assert verdicts <= {"matched", "unverifiable"}


def test_a_thing_of_its_own_that_is_not_there_is_made_up() -> None:
    verdicts, _, _ = _judged("There are a red car and a giraffe.", [CAR, RED])
    assert "hallucinated" in verdicts


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("There is a soldier's helmet.", "soldier"),
        ("A woman holds out her arms.", "woman holds arm"),
        ("A girl has a beaming smile.", "girl does beam"),
        ("A girl in a red hat runs past, and an old man kneels.", "man wears hat, red"),
    ],
)
def test_it_is_not_said(text: str, claim: str) -> None:
    assert claim not in told(text), told(text)
