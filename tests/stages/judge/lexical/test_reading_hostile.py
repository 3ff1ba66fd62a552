"""Answers that were written to break a reader, or by something that broke."""

import pytest

from lvlmbench.stages.judge.kinds.lexical.reading import Words, read
from lvlmbench.stages.judge.kinds.lexical.reading.lines import LONGEST, QUOTED, lines_of

WORDS = Words.of()

_HOSTILE = {
    "empty": "",
    "blank": " \n\n\t ",
    "emoji": "\U0001f600\U0001f436\U0001f697" * 50,
    "one endless word": "a" * 50_000,
    "html": "<div class='a'><p>A <b>red</b> car &amp; a dog</p></div><script>x()</script>",
    "unbalanced": "**A *red __car `is [next](to **a | bus ```\n# \n- \n1. ",
    "quotes": '"' * 999,
    "parentheses": "(" * 500 + ")" * 500,
    "nothing but labels": "object: dog, " * 200,
    "blanks between": "A  red   car  .   It   is   old  .",
    "stars": "*" * 5_000,
    "hyphens": "a-" * 3_000,
    "a phrase without an end": "to the left of " * 300,
    "pronouns alone": "he " * 500 + "it " * 500,
    "numbers alone": "7 " * 1_000,
    "a table": "|a|b|\n|---|---|\n" * 100,
    "a loop that looks back": "On it a dog. " * 600,
    "brackets that do not close": "( " * 2_000,
    "a loop of people": "Behind him is a man. " * 300,
    "controls": "A dog\x00 and\x01 a cat\u202e",
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE.keys())
def test_any_answer_is_read(text: str) -> None:
    for number, claim in enumerate(read(text, WORDS)):
        assert claim.number == number
        assert 0 <= claim.start < claim.end <= len(text)


def test_nothing_is_said_by_what_says_nothing() -> None:
    for name in ("empty", "blank", "emoji", "one endless word", "stars", "numbers alone"):
        assert read(_HOSTILE[name], WORDS) == [], name
    assert read("give me 10", WORDS) == []


def test_a_list_without_an_end_ends() -> None:
    """Coordination is followed from word to word: some thousand words would be too deep."""
    for link in (" and a dog", " or a cat", " and no dog"):
        found = read("A dog" + link * 1_500, WORDS)
        assert {claim.subject for claim in found if claim.kind == "object"} <= {"dog", "cat"}
        assert found


def test_half_a_pair_of_surrogates_is_a_blank() -> None:
    found = read("A red \ud800car\udfff beside a dog", WORDS)
    assert [claim.subject for claim in found if claim.kind == "object"] == ["car", "dog"]


def test_no_more_is_read_than_anybody_says_of_a_picture() -> None:
    before = "A dog. "
    text = before * (LONGEST // len(before) + 1) + "A zebra."
    assert len(text) > LONGEST
    assert "zebra" not in {claim.subject for claim in read(text, WORDS)}


def test_a_character_knows_where_it_stood() -> None:
    answer = "## Scene\n* **A \u201cbig\u201d dog**\n* a <i>cat</i> \u2014 asleep"
    found = lines_of(answer, WORDS)
    runs = [line.run for line in found.all]
    for word in ("dog", "cat", "asleep"):
        run = next(run for run in runs if word in run.text)
        at = run.text.index(word)
        start, end = run.span(at, at + len(word)) or (0, 0)
        assert answer[start:end] == word
    assert QUOTED in " ".join(run.text for run in runs) and found.quotes == ["big"]
