"""Reading the chosen option: labelled answers, the faults of others, and properties."""

from __future__ import annotations

import json
import string
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.stages.score.choice import Choice, extract_choice
from lvlmbench.stages.score.cleaning import clean
from lvlmbench.stages.score.near import Phrases
from lvlmbench.stages.score.refusal import DECLINES, UNDECIDED
from lvlmbench.stages.score.wording import ALL_ALIKE, NONE_FITS, RETRACTION

DATA = Path(__file__).parents[2] / "data"


def labelled(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


#: Written with the patterns at hand, and written before them.
KNOWN, HELD_OUT = labelled("answers.jsonl"), labelled("answers_heldout.jsonl")
REFUSALS = labelled("refusals.jsonl")
FOUR = ["gray wolf", "red fox", "barn owl", "hedgehog"]
TRUTH = ["True", "False"]
LETTER, TEXT, NONE, NO_FIT = "letter", "edit_distance", "none", "none_of_options"


def test_labelled_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """Answers of the kinds that models give, labelled as a careful reader would. The few that are
    still misread stay in."""
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for row in KNOWN + HELD_OUT:
        asked[row["kind"]] += 1
        right[row["kind"]] += extract_choice(row["answer"], row["options"]).index == row["index"]
    with capsys.disabled():
        print()
        for kind in sorted(asked):
            print(f"{kind:24} {right[kind]:4} of {asked[kind]:4} read as labelled")
        print(f"{'all':24} {right.total():4} of {asked.total():4}", end="")
        print(f" = {100 * right.total() / asked.total():.2f} %")
    assert len(KNOWN) >= 484 and len(HELD_OUT) >= 1115
    assert right.total() >= 0.995 * asked.total()
    known = [extract_choice(row["answer"], row["options"]).index == row["index"] for row in KNOWN]
    assert sum(known) >= 0.994 * len(known)


def test_no_choice_is_told_why() -> None:
    """Of labelled answers that choose nothing: refusal, no option fits, or none of these."""
    said = [row for row in HELD_OUT if row["index"] is None]
    wrong = [
        row["answer"]
        for row in said
        if extract_choice(row["answer"], row["options"]).method != row["method"]
    ]
    assert Counter(row["method"] for row in said)["refusal"] >= 38
    # docs/metrics.md tells of them: letter and text differ, two reasons are given, ...
    assert wrong == [
        "Unable to choose: no option describes the image.",
        "Identifying people from their faces isn't something I do.",
        "Dentistry",
    ]


@pytest.mark.parametrize(
    ("answer", "options", "expected"),
    [
        # A scorer that splits on a marker which the question lacks gives every letter 0 %.
        ("A", FOUR, Choice(0, LETTER)),
        ("D", FOUR, Choice(3, LETTER)),
        # The last capital letter in the text wins there.
        ("I think it is (B). A nice cat", FOUR, Choice(1, LETTER)),
        ("(C) because I see A bird", FOUR, Choice(2, LETTER)),
        # Ties of the edit distance go to the last option there.
        ("red", ["redx", "redy"], Choice(None, NONE)),
        ("bat", ["cat", "rat"], Choice(None, NONE)),
        # "yes" scores 0 % on true-or-false there, and an empty answer counts as True.
        ("yes", TRUTH, Choice(0, TEXT)),
        ("no", TRUTH, Choice(1, TEXT)),
        ("", TRUTH, Choice(None, NONE)),
        ("nan", TRUTH, Choice(None, NONE)),
        # Two letters are no choice, though a lone A is also a word.
        ("A or B", FOUR, Choice(None, NONE)),
        ("Both A and B", FOUR, Choice(None, NONE)),
        ("A and B are wrong, so C", FOUR, Choice(2, LETTER)),
        # A word of assent that is denied at once.
        ("Absolutely not.", TRUTH, Choice(1, TEXT)),
        ("Certainly not, it is a dog.", TRUTH, Choice(1, TEXT)),
        ("No, not really.", TRUTH, Choice(1, TEXT)),
        ("Absolutely.", TRUTH, Choice(0, TEXT)),
        # Options in the other order.
        ("yes", ["False", "True"], Choice(1, TEXT)),
        # A failed extraction replaced by a guess.
        ("I cannot tell.", FOUR, Choice(None, NONE)),
        ("The sky is blue and the sea is calm this evening.", FOUR, Choice(None, NONE)),
    ],
)
def test_what_others_get_wrong(answer: str, options: list[str], expected: Choice) -> None:
    assert extract_choice(answer, options) == expected


@pytest.mark.parametrize(
    ("answer", "method"),
    [
        ("None of the above.", NO_FIT),
        ("(E) None of the above", NO_FIT),
        ("The answer is none of the options.", NO_FIT),
        ("Answer: None", NO_FIT),
        ("None", NO_FIT),
        ("The image shows a lynx, which is not listed in the options.", NO_FIT),
        ("The correct answer is not among the given choices.", NO_FIT),
        ("All of the options are wrong.", NO_FIT),
        # It says something else of all of them, or nothing of any.
        ("All of the options are plausible.", NONE),
        ("A or B", NONE),
        ("E", NONE),
        ("", NONE),
        # It declines: what it then says of the options is no finding.
        ("I cannot identify the animal; none of the options fits.", "refusal"),
    ],
)
def test_no_option_fits_is_told_from_no_choice(answer: str, method: str) -> None:
    assert extract_choice(answer, FOUR) == Choice(None, method)  # type: ignore[arg-type]


def test_ruling_out_the_others_chooses() -> None:
    assert extract_choice("None of the other options match, so red fox.", FOUR).index == 1
    assert extract_choice("None of the others fit. (B)", FOUR) == Choice(1, LETTER)


@pytest.mark.parametrize("answer", ["None of the animals is a dog.", "none of the options"])
def test_of_true_and_false_one_always_fits(answer: str) -> None:
    assert extract_choice(answer, TRUTH) == Choice(None, NONE)


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "({})",
        "{}.",
        "**{}**",
        "[[{}]]",
        r"\boxed{{{}}}",
        "Answer: {}",
        "The answer is ({}).",
        "({}) {text}",
        "{}) {text}",
    ],
)
@pytest.mark.parametrize("n", [2, 3, 4, 8])
def test_every_letter_in_every_form(form: str, n: int) -> None:
    options = ["ant", "bear", "crow", "duck", "eel", "frog", "goat", "horse"][:n]
    for index in range(n):
        answer = form.format(string.ascii_uppercase[index], text=options[index])
        assert extract_choice(answer, options) == Choice(index, LETTER), answer


@settings(deadline=None)
@given(
    st.lists(
        st.text("abcdefghijklmnop", min_size=6, max_size=12), min_size=2, max_size=4, unique=True
    ),
    st.data(),
)
def test_an_options_own_text_chooses_it(options: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(options) - 1))
    assert extract_choice(options[index], options).index == index
    assert extract_choice(f"  {options[index].upper()}.\n", options).index == index


@settings(deadline=None)
@given(st.text(max_size=300), st.lists(st.text(max_size=20), max_size=5))
def test_any_text_gives_a_valid_choice(answer: str, options: list[str]) -> None:
    choice = extract_choice(answer, options)
    assert (choice.index is None) == (choice.method in (NONE, NO_FIT, "refusal"))
    assert choice.index is None or 0 <= choice.index < len(options)


@settings(deadline=None)
@given(st.text(string.ascii_lowercase + " ", max_size=200))
def test_a_final_letter_decides_after_any_prose(prose: str) -> None:
    assert extract_choice(f"{prose}\nFinal answer: (C)", FOUR) == Choice(2, LETTER)


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        "[[",
        r"\boxed{",
        "A ",
        "(A) ",
        "not ",
        "the answer is ",
        "<think>",
        "**",
        "\n",
        " ",
        "answer: ",
        "(A) red fox, ",
        "\u202e",
        "I would ",
        "red fox ",
        "B. ",
        "let me ",
        "wait, ",
        "(A) red fox (B) ",
        "| A | no |\n",
        "not one of ",
        "i do not ",
        "the statement is true ",
    ],
)
def test_hostile_answers_take_no_time(unit: str) -> None:
    began = time.monotonic()
    extract_choice(unit * (100_000 // len(unit)), FOUR)
    extract_choice(unit * (100_000 // len(unit)), TRUTH)
    # Two readings of 100 KB; quadratic patterns take minutes.
    assert time.monotonic() - began < 5


@settings(deadline=None)
@given(
    st.sampled_from(["{}", "({})", "{}.", "{}:", "({})\n", "{}).  "]),
    st.sampled_from(string.ascii_uppercase),
    st.one_of(
        st.sampled_from([FOUR, TRUTH, TRUTH[::-1], ["C", "A", "D", "B"], ["A", "T"], ["F"] * 6]),
        st.lists(st.text(max_size=12), min_size=1, max_size=26),
    ),
)
def test_a_bare_letter_is_read_at_once_as_the_long_way_reads_it(
    form: str, letter: str, options: list[str]
) -> None:
    answer = form.format(letter)
    # A zero-width space sends it the long way, which drops it.
    assert extract_choice(answer, options) == extract_choice(f"\u200b{answer}", options)


@pytest.mark.parametrize("phrases", [NONE_FITS, ALL_ALIKE, RETRACTION, DECLINES, UNDECIDED])
def test_phrases_are_found_wherever_they_stand(phrases: Phrases) -> None:
    """The search near a phrase's own words finds what the pattern finds in the whole text."""
    filler = "The scene is quiet and the light is warm. " * 8
    found = 0
    texts = [row["answer"] for row in KNOWN + HELD_OUT] + [row["text"] for row in REFUSALS]
    texts += ["All of the options are right.", "All choices seem wrong", "all the options are good"]
    for said in texts:
        text = f"{filler}{clean(said)} {filler}"
        plain = [match.span() for match in phrases.pattern.finditer(text)]
        assert [match.span() for match in phrases.finditer(text)] == plain, text
        found += bool(plain)
    assert found > 2


def test_letters_are_read_alike_in_short_and_in_long_answers() -> None:
    """Long texts are searched only in places; what follows reasoning without letters is read as
    it is alone."""
    filler = "There is more to see in this picture; the light is warm.\n" * 30
    for row in KNOWN + HELD_OUT:
        alone = extract_choice(row["answer"], row["options"])
        if alone.method == "letter" and row["kind"] in ("announced", "languages", "LaTeX"):
            assert extract_choice(f"{filler}\n{row['answer']}", row["options"]) == alone, row


def test_long_reasoning_keeps_its_ends() -> None:
    filler = "There is more to see in this picture. " * 3000
    assert extract_choice(f"Answer: (B)\n{filler}", FOUR).index == 1
    assert extract_choice(f"{filler}\nAnswer: (B)", FOUR).index == 1


@pytest.mark.parametrize(
    ("answer", "options", "index"),
    [
        ("Yes and no.", ["True", "False"], None),
        ("Yes and the dog is brown.", ["True", "False"], 0),
        ("more than 3", ["1", "2", "3", "4"], None),
        ("There are more than two dogs, namely 3.", ["1", "2", "3", "4"], 2),
        ("Other than black, I see white.", ["black", "blue", "white"], 2),
    ],
)
def test_neither_one_nor_the_other(answer: str, options: list[str], index: int | None) -> None:
    assert extract_choice(answer, options).index == index
